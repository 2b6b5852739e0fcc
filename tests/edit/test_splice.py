"""Cutting and inserting keeps every other line's bytes and one blank line between neighbours."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.edit.splice import cut, insert, line_after, next_definition, with_final_newline

X = "XX"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a\n\nXX\n\nb\n", "a\n\nb\n"),
        ("a\nXX\nb\n", "a\n\nb\n"),
        ("a\n\nXX\nb\n", "a\n\nb\n"),
        ("XX\n\n\nb\n", "b\n"),
        ("a  \n\nXX\n\n\n", "a  \n"),
        ("a\n\nXX", "a\n"),
        ("XX\n", ""),
        ("[^a]: 1\nXX\n[^b]: 2\n", "[^a]: 1\n[^b]: 2\n"),
        ("a\n \t\nXX\n\nb\n", "a\n \t\nb\n"),
    ],
)
def test_a_cut_leaves_one_blank_line(before: str, after: str) -> None:
    start = before.index(X)
    assert cut(before, start, start + len(X)) == after


@pytest.mark.parametrize(
    ("text", "offset", "expected"),
    [
        ("", 0, "XX\n"),
        ("a", 1, "a\n\nXX\n"),
        ("a\n", 2, "a\n\nXX\n"),
        ("a\n\n", 3, "a\n\nXX\n"),
        ("a\nb\n", 2, "a\n\nXX\n\nb\n"),
        ("a\n\nb\n", 3, "a\n\nXX\n\nb\n"),
        ("b\n", 0, "XX\n\nb\n"),
    ],
)
def test_an_insertion_stands_between_blank_lines(text: str, offset: int, expected: str) -> None:
    assert insert(text, offset, X) == expected


@given(st.lists(st.sampled_from(["a", "b  ", "[^n]: x", "# h"]), min_size=1, max_size=6), st.integers(0, 6))
def test_cutting_what_was_inserted_gives_the_text_back(parts: list[str], place: int) -> None:
    text = "\n\n".join(parts) + "\n"
    offset = min(len(text), sum(len(part) + 2 for part in parts[:place]))
    added = insert(text, offset, X)
    start = added.index(X)
    assert cut(added, start, start + len(X)) == text


def test_lines_are_lf_lines() -> None:
    assert [line_after("a\u2028b\nc", at) for at in (0, 4)] == [4, 5]


def test_the_next_definition_is_found_past_blank_lines_only() -> None:
    assert next_definition("a\n\n [^n]: x\n", 2) == 3
    assert next_definition("a\n\nb\n\n[^n]: x\n", 2) is None
    assert next_definition("a\n", 2) is None


@pytest.mark.parametrize(
    ("text", "before", "expected"),
    [
        ("a", None, "a\n"),
        ("a\n\n", None, "a\n"),
        ("a\n\n", "a\n\n", "a\n\n"),
        ("b\n\n", "a\n", "b\n"),
        ("\n\n", None, ""),
        ("a\n", "a\n", "a\n"),
    ],
)
def test_a_text_ends_in_one_newline_unless_it_already_stood_otherwise(
    text: str, before: str | None, expected: str
) -> None:
    assert with_final_newline(text, before) == expected
