"""Objects as git keeps them loose, compressed in pieces where a file only grows."""

from __future__ import annotations

import random
import subprocess
import zlib
from typing import TYPE_CHECKING

import pygit2
import pytest

from gitmem.store import deflate
from gitmem.store.deflate import IN_PIECES, PIECE, Deflater

if TYPE_CHECKING:
    from pathlib import Path

WORDS = [b"ledger ", b"Basel ", b"Ada said ", b"\n", "日記 ".encode(), b"\0"]


def text(length: int, seed: int = 1) -> bytes:
    chosen = random.Random(seed).choices(WORDS, k=length)  # noqa: S311  (bytes that compress as text does)
    return b"".join(chosen)[:length]


def inflated(packed: bytes) -> bytes:
    stream = zlib.decompressobj()
    data = stream.decompress(packed) + stream.flush()
    assert stream.eof
    assert stream.unused_data == b""
    return data


LENGTHS = (0, 1, PIECE, IN_PIECES - 1, IN_PIECES, IN_PIECES + 1, 3 * PIECE - 1, 3 * PIECE, 3 * PIECE + 1, 7 * PIECE + 5)


@pytest.mark.parametrize("length", LENGTHS)
def test_an_object_of_any_length_is_whole(length: int) -> None:
    data = text(length)
    assert inflated(Deflater().loose(b"blob", data)) == b"blob %d\0" % length + data


def test_every_version_of_a_file_that_grows_is_whole() -> None:
    deflater, data = Deflater(), b""
    for step in range(40):
        data += text(PIECE // 3 + step, seed=step)
        assert inflated(deflater.loose(b"blob", data)) == b"blob %d\0" % len(data) + data


def test_a_file_that_does_not_continue_the_last_one_shares_nothing_with_it() -> None:
    deflater, data = Deflater(), text(5 * PIECE)
    deflater.loose(b"blob", data)
    for other in (data[: 4 * PIECE], data[:-1] + b"?", b"?" + data[1:], text(5 * PIECE, seed=2), data + data):
        assert inflated(deflater.loose(b"blob", other)) == b"blob %d\0" % len(other) + other


def test_only_what_is_new_is_compressed(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    whole = deflate._piece

    def piece(data: bytes, *end: int) -> bytes:
        seen.append(len(data))
        return whole(data, *end)

    monkeypatch.setattr(deflate, "_piece", piece)
    deflater, data = Deflater(), text(40 * PIECE)
    deflater.loose(b"blob", data)
    assert sum(seen) >= len(data)
    seen.clear()
    deflater.loose(b"blob", data + text(100))
    assert sum(seen) < 2 * PIECE
    seen.clear()
    deflater.loose(b"tree", data)
    assert seen == []


def test_git_and_libgit2_read_an_object_in_pieces(tmp_path: Path) -> None:
    repo = pygit2.init_repository(tmp_path / "repo", bare=True)
    deflater, data = Deflater(), text(5 * PIECE)
    for grown in (data, data + text(PIECE, seed=3)):
        oid = str(pygit2.hash(grown))
        folder = tmp_path / "repo" / "objects" / oid[:2]
        folder.mkdir(exist_ok=True)
        (folder / oid[2:]).write_bytes(deflater.loose(b"blob", grown))
        assert repo[oid].data == grown
        git = ["git", "-C", str(tmp_path / "repo")]
        assert subprocess.run([*git, "cat-file", "blob", oid], check=True, capture_output=True).stdout == grown
        assert subprocess.run([*git, "cat-file", "-s", oid], check=True, capture_output=True).stdout == b"%d\n" % len(
            grown
        )
    done = subprocess.run([*git, "fsck", "--full", "--strict"], check=True, capture_output=True, text=True)
    assert "error" not in done.stdout + done.stderr
