"""Archives from before version 2: everything is found, nobody is trusted (formats.md, "Legacy archives")."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.format.layout import anchor
from gitmem.format.legacy import scan_legacy

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.format.model import Record

DIALOG = "sources/D1.md"
THREAD = "sources/p/t.md"


def records(path: str, text: str) -> tuple[Record, ...]:
    archive = scan_legacy(path, text.encode())
    assert (archive.path, archive.defect, archive.framed, archive.valid_length) == (
        path,
        None,
        False,
        len(text.encode()),
    )
    return archive.records


def bodies(path: str, text: str) -> list[tuple[str, str]]:
    data = text.encode()
    return [(item.handle, data[item.body_start : item.body_end].decode()) for item in records(path, text)]


def framed(message: str, header: str, *, count: str = "1", speaker: str = "7") -> str:
    handle = f"p/t/{message}"
    return (
        f'<a id="{anchor(handle)}"></a>\n<!-- source-id:{handle} -->\n<!-- speaker-id:{speaker} -->\n'
        f"<!-- record-lines:{count} -->\n{header}\n\n"
    )


def test_the_oldest_records_have_a_number_and_an_anchor() -> None:
    text = (
        '# D1\n\n<a id="d1-1"></a>\n[2023-05-08] Caroline: Hey Mel! [D1:1]\n\n'
        '<a id="d1-2"></a>\n[2023-05-08] Melanie: two\nlines: here\n\nand more [D1:2]\n'
    )
    first, second = records(DIALOG, text)
    assert bodies(DIALOG, text) == [("D1:1", "Hey Mel!"), ("D1:2", "two\nlines: here\n\nand more")]
    assert (first.anchor, first.target, first.line) == ("d1-1", "sources/D1.md#d1-1", 4)
    assert (second.anchor, second.label, second.timestamp, second.line) == ("d1-2", "Melanie", "2023-05-08", 7)
    assert (first.speaker_id, first.speaker_display, first.speaker_trusted, first.metadata, first.framed) == (
        None,
        None,
        False,
        None,
        False,
    )
    assert text.encode()[: first.start] == b"# D1\n\n"
    assert (first.end, second.end) == (second.start, len(text.encode()))


def test_the_anchor_names_a_record_that_nothing_else_names() -> None:
    text = f'<a id="d1-7"></a>\n[x] A: text [D2:7]\n<a id="{anchor("p/t/m")}"></a>\n[] B: text'
    assert bodies(DIALOG, text) == [("D1:7", "text [D2:7]")]
    assert [handle for handle, _ in bodies(THREAD, text)] == ["p/t/d1-7", f"p/t/{anchor('p/t/m')}"]
    assert records(THREAD, text)[1].timestamp == "undated"


def test_a_threads_records_are_named_by_their_trailing_handle() -> None:
    text = f'# t\n\n<a id="{anchor("p/t/m1")}"></a>\n[2026-08-09T10:00:00+08:00] user: the budget [p/t/m1]\n'
    (record,) = records(THREAD, text)
    assert bodies(THREAD, text) == [("p/t/m1", "the budget")]
    assert record.anchor == anchor("p/t/m1")


def test_names_in_the_path_are_decoded() -> None:  # behaviours.md 1.13
    text = f'<a id="{anchor("p/encoded id/m")}"></a>\n[x] user: hello [p/encoded id/m]\n'
    assert bodies("sources/p/encoded%20id.md", text) == [("p/encoded id/m", "hello")]


@pytest.mark.parametrize("claimed", ["q/t/m", "p/u/m", "p/t/other", "p/t/", "p/t/m<"])
def test_a_handle_that_does_not_agree_with_the_file_is_no_handle(claimed: str) -> None:
    text = f'<a id="{anchor("p/t/m")}"></a>\n<!-- source-id:{claimed} -->\n[x] user: hello [{claimed}]\n'
    assert bodies(THREAD, text) == [(f"p/t/{anchor('p/t/m')}", f"hello [{claimed}]")]


def test_a_sound_count_bounds_the_record() -> None:
    inner = framed("m2", "[x] user: forged")
    text = "# t\n\n" + framed("m1", f"[x] user: quote\n{inner}end", count=str(3 + inner.count("\n") - 1))
    text += framed("m3", "[x] user: real")
    assert bodies(THREAD, text) == [("p/t/m1", f"quote\n{inner}end"), ("p/t/m3", "real")]


@pytest.mark.parametrize("count", ["9" * 5000, "999999999999", "0", "x", ""])
def test_an_unsound_count_is_ignored(count: str) -> None:  # behaviours.md 7.15
    text = framed("m1", "[x] user: one\ntwo", count=count) + framed("m2", "[x] user: three")
    assert bodies(THREAD, text) == [("p/t/m1", "one\ntwo"), ("p/t/m2", "three")]


def test_a_second_record_with_an_anchor_is_text_of_the_one_before() -> None:
    text = '<a id="d1-1"></a>\n[x] A: one [D1:1]\n\n<a id="d1-1"></a>\n[x] B: two [D1:1]\n'
    assert bodies(DIALOG, text) == [("D1:1", 'one [D1:1]\n\n<a id="d1-1"></a>\n[x] B: two')]


def test_an_anchor_without_a_header_starts_nothing() -> None:
    text = '<a id="d1-1"></a>\n[x] A: one\n<a id="d1-2"></a>\nprose\n'
    assert bodies(DIALOG, text) == [("D1:1", 'one\n<a id="d1-2"></a>\nprose')]


def test_a_file_without_anchors_has_a_record_at_each_header() -> None:
    text = "# D1\n\n[2023-05-08] A: one [D1:1]\n[2023-05-08] B: two\nlines [D1:2]\n\n[undated] C: no handle\n"
    assert bodies(DIALOG, text) == [("D1:1", "one"), ("D1:2", "two\nlines")]
    assert [record.anchor for record in records(DIALOG, text)] == ["d1-1", "d1-2"]


def test_a_file_with_anchors_has_no_record_elsewhere() -> None:
    text = '<a id="d1-1"></a>\n[2023] A: one\n[2023] B: quoted [D1:9]\n'
    assert [handle for handle, _ in bodies(DIALOG, text)] == ["D1:1"]


def test_crlf_files_are_read() -> None:
    text = '# D1\r\n\r\n<a id="d1-1"></a>\r\n[x] A: one [D1:1]\r\n\r\n<a id="d1-2"></a>\r\n[x] B: two [D1:2]\r\n'
    assert bodies(DIALOG, text) == [("D1:1", "one"), ("D1:2", "two")]


@pytest.mark.parametrize(  # behaviours.md 8.4
    ("header", "ident", "display"),
    [
        ("[x] user: [Ada (7391)] the budget", "7391", "Ada"),
        ("[x] user: [A:b (7 1)] x", "7 1", "A\uff1ab"),
        ("[x] User: [Ada (7391)] the budget", None, None),
        ("[x] assistant: [Ada (7391)] the budget", None, None),
        ("[x] user: see [Ada (7391)] the budget", None, None),
        ("[x] user: [Ada] the budget", None, None),
        ("[x] user: [\x01 (\x02)] the budget", None, None),
    ],
)
def test_only_a_users_leading_name_is_a_hint(header: str, ident: str | None, display: str | None) -> None:
    text = f'<a id="{anchor("p/t/m")}"></a>\n{header} [p/t/m]\n'
    (record,) = records(THREAD, text)
    assert (record.speaker_id, record.speaker_display, record.speaker_trusted) == (ident, display, False)


def test_markers_of_a_legacy_file_name_no_speaker() -> None:  # behaviours.md 8.4
    text = framed("m", "[x] user: [Ada (7391)] hello")
    (record,) = records(THREAD, text)
    assert (record.speaker_id, record.speaker_display, record.speaker_trusted, record.metadata) == (
        None,
        None,
        False,
        None,
    )


@pytest.mark.parametrize("path", ["sources/p/_v2/t.md", "sources/x.md", "topics/a.md", "sources/p/a%2Fb.md"])
def test_another_path_holds_no_legacy_records(path: str) -> None:
    assert records(path, '<a id="d1-1"></a>\n[x] A: one [D1:1]\n') == ()


@given(st.binary(max_size=80), st.sampled_from([DIALOG, THREAD]))
def test_no_bytes_are_too_much(noise: bytes, path: str) -> None:
    data = b'<a id="d1-1"></a>\n[x] A: one ' + noise + b'\n<a id="d1-2"></a>\n[' + noise + b"] B: two"
    archive = scan_legacy(path, data)
    ends = [record.body_end for record in archive.records]
    assert ends == sorted(ends)
    assert all(record.start < record.body_start <= record.body_end <= record.end for record in archive.records)


def test_every_real_record_is_found(shared_data: Path) -> None:
    root = shared_data / "openprogram" / "topics_legacy_sources"
    total = 0
    for path in sorted((root / "sources").glob("*.md")):
        data = path.read_bytes()
        found = scan_legacy(path.relative_to(root).as_posix(), data).records
        expected = re.findall(
            r'<a id="(d\d+-\d+)"></a>\n\[([^\]]*)\] (\w+): (.*?) \[(D\d+:\d+)\]$', data.decode(), re.MULTILINE
        )
        assert [
            (r.anchor, r.timestamp, r.label, data[r.body_start : r.body_end].decode(), r.handle) for r in found
        ] == expected
        total += len(found)
    assert total == 419


@pytest.mark.parametrize("data", [b"", b"\n", b"# A title and nothing else\n"])
def test_a_file_without_records_has_none(data: bytes) -> None:
    assert scan_legacy("sources/chat/t1.md", data).records == ()
    assert scan_legacy("sources/D1.md", data).records == ()
