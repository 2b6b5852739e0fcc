"""Text made harmless for one line."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.format.text import excerpt, one_line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a\nb\r\nc", "a b c"),
        ("  a \x00 b  ", "a b"),
        ("\x1b[31mred\x1b[0m", "[31mred[0m"),
        ("a\u2028b\u2029c\x85d", "a b c d"),
        ("a\u202eb\u200bc\ufeff", "abc"),
        ("\ud800x", "x"),
        ("日本 \u3000 語", "日本 語"),
        ("", ""),
    ],
)
def test_a_text_becomes_one_harmless_line(text: str, line: str) -> None:
    assert one_line(text) == line


@given(st.text())
def test_nothing_that_breaks_a_line_is_left(text: str) -> None:
    line = one_line(text)
    assert len(line.splitlines()) <= 1
    assert not {unicodedata.category(char) for char in line} & {"Cc", "Cs", "Zl", "Zp"}
    assert one_line(line) == line


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("one two", "one two"),
        ("one two three", "one two…"),
        ("one two th", "one two th"),
        ("one two three four", "one two…"),
        ("abcdefghijklmno", "abcdefghi…"),
        ("ab cdefghijklmno", "ab cdefgh…"),
        ("日本語日本語日本語日本語", "日本語日本語日本語…"),
        ("one twoxx three", "one twoxx…"),
    ],
)
def test_an_excerpt_ends_after_a_whole_word_where_there_is_one(text: str, short: str) -> None:
    assert excerpt(text, 10) == short


@given(st.text(), st.integers(2, 30))
def test_an_excerpt_keeps_its_limit(text: str, limit: int) -> None:
    assert len(excerpt(text, limit)) <= limit
