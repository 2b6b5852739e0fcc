"""What a path holds: files, zips and folders (cli.md, Inputs)."""

from __future__ import annotations

import json
import os
import random
import struct
import zipfile
from pathlib import Path

import pytest

from gitmem.interop import container
from gitmem.interop.container import opened
from gitmem.interop.document import Document
from gitmem.interop.ingest import ingest
from gitmem.interop.reading import Fault
from gitmem.testing.conversations import MemoryConversations

TURN = b'{"id": "m1", "content": "hello"}\n'


def zipped(path: Path, *members: tuple[str, bytes], packed: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", packed) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return path


def held(path: Path) -> list[tuple[str, bytes]]:
    with opened(path) as found:
        return [(item.name, item.open().read()) for item in found if isinstance(item, Document)]


def faults(path: Path) -> list[tuple[str, Fault]]:
    report = ingest(MemoryConversations(), [path])
    return [(Path(error.file).relative_to(path.parent).as_posix(), error.code) for error in report.errors]


# --- what is there


def test_a_plain_file_is_one_document(tmp_path: Path) -> None:
    path = tmp_path / "chat.jsonl"
    path.write_bytes(TURN)
    with opened(path) as found:
        (document,) = found
        assert isinstance(document, Document)
        assert (document.label, document.name, document.stem) == (str(path), "chat.jsonl", "chat")
        assert (document.is_member, dict(document.beside), document.size) == (False, {}, len(TURN))


@pytest.mark.parametrize("packed", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_the_members_of_a_zip_are_documents_by_name_whatever_the_zip_is_called(tmp_path: Path, packed: int) -> None:
    path = zipped(tmp_path / "export.dat", ("b/x.json", b"two"), ("a.json", b"one"), packed=packed)
    assert held(path) == [("a.json", b"one"), ("b/x.json", b"two")]
    with opened(path) as found:
        one, two = found
        assert isinstance(one, Document)
        assert isinstance(two, Document)
        assert (two.label, two.stem, two.is_member) == (f"{path}/b/x.json", "x", True)
        assert one.beside == two.beside == {"a.json": one, "b/x.json": two}


def test_the_files_below_a_folder_are_documents_by_name(tmp_path: Path) -> None:
    (tmp_path / "in" / "b").mkdir(parents=True)
    (tmp_path / "in" / "b" / "x.json").write_bytes(b"two")
    (tmp_path / "in" / "a.json").write_bytes(b"one")
    (tmp_path / "in" / "link.json").symlink_to(tmp_path / "in" / "a.json")
    (tmp_path / "in" / "loop").symlink_to(tmp_path / "in")
    assert held(tmp_path / "in") == [("a.json", b"one"), ("b/x.json", b"two")]


def test_zips_directly_in_a_folder_are_read_and_deeper_ones_are_reported(tmp_path: Path) -> None:
    folder = tmp_path / "exports"
    (folder / "files").mkdir(parents=True)
    (folder / "chat.jsonl").write_bytes(TURN)
    for name, message in (("one.zip", b"m2"), ("two.ZIP", b"m3"), ("files/sent.zip", b"m4"), ("files/too.zip", b"m5")):
        zipped(folder / name, ("talk.jsonl", TURN.replace(b"m1", message)), ("more.zip", b"PK"))
    (folder / "broken.zip").write_bytes(b"PK\x03\x04 and no more")
    (folder / "._one.zip").write_bytes(b"what a computer adds")
    store = MemoryConversations()
    report = ingest(store, [folder])
    assert [str(session.id) for session in store.sessions()] == ["import/chat", "import/talk"]
    assert report.new == 3
    told = {Path(error.file).relative_to(folder).as_posix(): error.message for error in report.errors}
    assert sorted(told) == ["broken.zip", "files/sent.zip"]
    assert told["files/sent.zip"].endswith("and 3 more like it")  # files/too.zip, and more.zip in both


def test_what_a_computer_adds_is_no_document(tmp_path: Path) -> None:
    names = ["__MACOSX/a.json", "._a.json", "b/.DS_Store", "a.json", "b/"]
    assert held(zipped(tmp_path / "x.zip", *((name, b"") for name in names))) == [("a.json", b"")]
    (tmp_path / "in" / "__MACOSX").mkdir(parents=True)
    (tmp_path / "in" / "__MACOSX" / "a").write_bytes(b"")
    (tmp_path / "in" / "._a").write_bytes(b"")
    assert held(tmp_path / "in") == []


def test_of_two_members_with_one_name_the_first_counts(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="Duplicate name"):
        path = zipped(tmp_path / "x.zip", ("a", b"one"), ("a", b"two"))
    assert held(path) == [("a", b"one")]


# --- what cannot be read


def test_names_that_lead_out_of_a_zip_are_reported_and_the_rest_is_read(tmp_path: Path) -> None:
    path = zipped(
        tmp_path / "x.zip", ("../a.jsonl", TURN), ("/b.jsonl", TURN), ("c/../d.jsonl", TURN), ("e.jsonl", TURN)
    )
    report = ingest(MemoryConversations(), [path])
    assert [session.session for session in report.sessions] == ["import/e"]
    assert [error.code for error in report.errors] == [Fault.UNREADABLE_FILE]
    assert report.errors[0].message.endswith("and 2 more like it")
    assert report.unread == ()


@pytest.mark.parametrize(
    "data", [b"PK\x03\x04", b"PK\x03\x04 and nothing more", b"PK\x05\x06" + b"\xff" * 18, b"PK\x05\x06" + b"\0" * 17]
)
def test_a_broken_zip_is_reported(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "x.zip"
    path.write_bytes(data)
    assert faults(path) == [("x.zip", Fault.UNREADABLE_FILE)]


def test_a_zip_without_members_has_nothing_in_it(tmp_path: Path) -> None:
    assert faults(zipped(tmp_path / "x.zip")) == [("x.zip", Fault.UNKNOWN_FORMAT)]


def test_of_a_zip_that_was_cut_off_nothing_is_read(tmp_path: Path) -> None:
    path = zipped(tmp_path / "x.zip", ("a.jsonl", TURN * 9))
    path.write_bytes(path.read_bytes()[:-30])
    assert faults(path) == [("x.zip", Fault.UNREADABLE_FILE)]


def test_a_damaged_member_is_reported_and_the_rest_is_read(tmp_path: Path) -> None:
    noise = random.Random(1).randbytes(4000).hex()  # noqa: S311 - bytes that do not pack
    lines = b"".join(
        json.dumps({"content": noise[place : place + 50]}).encode() + b"\n" for place in range(0, 7000, 50)
    )
    path = zipped(tmp_path / "x.zip", ("a.jsonl", lines), ("b.jsonl", TURN))
    data = bytearray(path.read_bytes())
    data[200:260] = b"\xff" * 60
    path.write_bytes(data)
    report = ingest(MemoryConversations(), [path])
    assert {error.code for error in report.errors} == {Fault.UNREADABLE_FILE}
    assert [(found.session, found.turns) for found in report.sessions] == [("import/b", 1)]


def test_a_member_that_is_damaged_far_behind_its_beginning_goes_in_up_to_there(tmp_path: Path) -> None:
    noise = random.Random(2).randbytes(400_000).hex()  # noqa: S311 - bytes that do not pack
    lines = b"".join(json.dumps({"content": noise[n : n + 1000]}).encode() + b"\n" for n in range(0, 800_000, 1000))
    path = zipped(tmp_path / "x.zip", ("a.jsonl", lines))
    data = bytearray(path.read_bytes())
    data[-200:-150] = b"\0" * 50  # inside the packed bytes, before the list of members
    path.write_bytes(data)
    report = ingest(MemoryConversations(), [path])
    assert Fault.UNREADABLE_FILE in {error.code for error in report.errors}
    assert report.turns > 500
    assert report.unread == ()


def test_a_zip_with_a_password_is_one_report(tmp_path: Path) -> None:
    path = zipped(tmp_path / "x.zip", ("a.jsonl", TURN), ("b.jsonl", TURN), ("c.jpg", b""))
    data = bytearray(path.read_bytes())
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = -1
        while (place := data.find(signature, place + 1)) >= 0:
            flags = struct.unpack_from("<H", data, place + offset)[0]
            struct.pack_into("<H", data, place + offset, flags | 1)
    path.write_bytes(data)
    report = ingest(MemoryConversations(), [path])
    assert [error.code for error in report.errors] == [Fault.UNREADABLE_FILE]
    assert "password" in report.errors[0].message
    assert report.unread == (str(path),)


def test_a_packing_that_nobody_knows_is_reported(tmp_path: Path) -> None:
    path = zipped(tmp_path / "x.zip", ("a.jsonl", TURN))
    data = bytearray(path.read_bytes())
    for signature, offset in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        struct.pack_into("<H", data, data.find(signature) + offset, 96)
    path.write_bytes(data)
    assert faults(path) == [("x.zip/a.jsonl", Fault.UNREADABLE_FILE)]


@pytest.mark.parametrize("members", [1, 3])
def test_a_bomb_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, members: int) -> None:
    monkeypatch.setattr(container, "_SMALL", 1000)
    turns = TURN * 20_000
    path = zipped(tmp_path / "x.zip", *((f"{n}.jsonl", turns) for n in range(members)))
    assert faults(path) == [("x.zip", Fault.UNREADABLE_FILE)]
    with_room = zipped(tmp_path / "y.zip", ("a.jsonl", turns), ("b.bin", random.Random(3).randbytes(9000)))  # noqa: S311
    assert faults(with_room) == [("y.zip/a.jsonl", Fault.UNREADABLE_FILE)]


def test_no_more_is_looked_at_than_an_export_can_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(container, "MAX_MEMBERS", 2)
    files = [(f"{number}.jsonl", TURN) for number in range(3)]
    path = zipped(tmp_path / "x.zip", *files)
    assert faults(path) == [("x.zip", Fault.UNREADABLE_FILE)]
    assert len(ingest(MemoryConversations(), [path]).sessions) == 2
    folder = tmp_path / "in"
    folder.mkdir()
    for name, data in files:
        (folder / name).write_bytes(data)
    assert faults(folder) == [("in", Fault.UNREADABLE_FILE)]


def test_a_folder_that_is_closed_is_reported_and_the_rest_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "in"
    (folder / "closed").mkdir(parents=True)
    (folder / "a.jsonl").write_bytes(TURN)
    scandir = os.scandir

    def guarded(path: str) -> object:
        if str(path).endswith("closed"):
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", guarded)
    assert faults(folder) == [("in/closed", Fault.UNREADABLE_FILE)]
