"""The format of a file shows in its beginning."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gitmem.errors import Code, InvalidRequest
from gitmem.interop.detect import detect_format
from gitmem.interop.document import Document
from gitmem.interop.formats import FORMATS, format_named

if TYPE_CHECKING:
    from pathlib import Path

TREE = '"mapping": {"n1": {"message": null}}'


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("a.json", f'[{{"title": "x", {TREE}}}]', "chatgpt"),
        ("a.json", f'\n  [\n {{\n "title": "x",\n {TREE}}}]', "chatgpt"),
        ("a.json", f'{{"title": "x", {TREE}}}', "chatgpt"),
        ("a.json", f'{{\n"title": "x",\n{TREE}\n}}', "chatgpt"),
        ("a.jsonl", f'{{"title": "x", {TREE}}}\n', "chatgpt"),
        ("a.json", '{"content": "a"}\n{"content": "b"}\n', "jsonl"),
        ("a.txt", '\ufeff\n{"content": "a"}', "jsonl"),
        ("a.txt", 'cut\n{"content": "a"}', "jsonl"),
        ("a.jsonl", '{"content": "about \\"mapping\\": {}"}\n{"content": "cut', "jsonl"),
        ("a.jsonl", '{"content": "x", "metadata": {"mapping": {}}}\n', "jsonl"),
        ("a.jsonl", "nothing that is read", "jsonl"),
        ("a.jsonl", "", "jsonl"),
        ("a.json", '[{"messages": []}]', None),
        ("a.txt", "[2026-01-01] Ada: hello", None),
        ("a.txt", "", None),
        ("a.bin", "\0\1", None),
        ("a.json", "{" * 5000, None),
    ],
)
def test_a_format_shows_in_the_file(tmp_path: Path, name: str, text: str, found: str | None) -> None:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    entry = detect_format(Document.of(path).sample())
    assert (entry and entry.name) == found


def test_a_format_may_be_named() -> None:
    assert [format_named(entry.name) for entry in FORMATS] == list(FORMATS)
    assert format_named("auto") is None


@pytest.mark.parametrize("name", ["", "xml", "JSONL"])
def test_a_format_that_cannot_be_read_is_refused(name: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        format_named(name)
    assert caught.value.code is Code.INVALID_ARGUMENT
