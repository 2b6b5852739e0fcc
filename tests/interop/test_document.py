"""The bytes of a document, whatever they are encoded in (cli.md, Inputs)."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.interop.document import SAMPLE_BYTES, Document
from gitmem.interop.ingest import ingest
from gitmem.testing.conversations import MemoryConversations

if TYPE_CHECKING:
    from pathlib import Path

TEXT = '{"content": "caf\u00e9 \u4e2d \U0001f600\\n"}\r\n'


def written(path: Path, data: bytes) -> Document:
    path.write_bytes(data)
    return Document.of(path)


def content(document: Document) -> bytes:
    with document.open() as stream:
        return stream.read()


@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode(),
        codecs.BOM_UTF8 + TEXT.encode(),
        codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"),
        codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"),
    ],
)
def test_marks_of_byte_order_go_and_utf16_is_turned(tmp_path: Path, data: bytes) -> None:
    document = written(tmp_path / "x.jsonl", data)
    assert content(document) == TEXT.encode()
    report = ingest(MemoryConversations(), [tmp_path / "x.jsonl"])
    assert (report.turns, report.errors) == (1, ())


@given(st.binary(max_size=40))
def test_bytes_without_a_mark_come_as_they_are(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    if data[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        return
    document = written(tmp_path_factory.mktemp("d") / "x", data)
    assert content(document) == data.removeprefix(codecs.BOM_UTF8)


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=50), st.integers(1, 7))
def test_utf16_is_turned_whatever_pieces_it_is_read_in(
    tmp_path_factory: pytest.TempPathFactory, text: str, size: int
) -> None:
    document = written(tmp_path_factory.mktemp("d") / "x", codecs.BOM_UTF16_LE + text.encode("utf-16-le"))
    with document.open() as stream:
        assert b"".join(iter(lambda: stream.read(size), b"")) == text.encode()


def test_half_a_character_at_the_end_of_utf16_is_no_error(tmp_path: Path) -> None:
    assert content(written(tmp_path / "x", codecs.BOM_UTF16_LE + b"a\0b")) == "a\ufffd".encode()


def test_a_sample_is_the_beginning(tmp_path: Path) -> None:
    sample = written(tmp_path / "X.JSON", b"x" * (SAMPLE_BYTES + 7)).sample()
    assert (sample.name, sample.suffix, sample.is_member, tuple(sample.beside)) == ("X.JSON", ".json", False, ())
    assert sample.head == b"x" * SAMPLE_BYTES


@pytest.mark.parametrize("name", ["nothing", "."])
def test_what_cannot_be_opened_is_an_error_of_the_operating_system(tmp_path: Path, name: str) -> None:
    with pytest.raises(OSError, match=name):
        Document.of(tmp_path / name).open()
