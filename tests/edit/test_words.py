"""Word by word merges (cli.md, "undo": the merge that it offers)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.edit.words import merge_words

TEXTS = st.lists(st.sampled_from(["a", "b", " ", "\n", ".", "北", "^x"]), max_size=12).map("".join)


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "merged"),
    [
        ("Ada lives in Bern.", "Ada lives in Bern with Tom.", "Ada lives in Basel.", "Ada lives in Basel with Tom."),
        ("Ada lives in Bern.", "Ada lives in Oslo.", "Ada lives in Basel.", None),
        (
            "Ada lives in Bern now.",
            "Ada Smith lives in Bern now.",
            "Ada lives in Basel now.",
            "Ada Smith lives in Basel now.",
        ),
        (
            "Ada lives in Bern, with Tom.",
            "Ada lives in Bern, with Tim.",
            "Ada lives in Basel, with Tom.",
            "Ada lives in Basel, with Tim.",
        ),
        ("one two three", "one three", "one two four", "one four"),
        ("one two", "one three", "one four", None),
        ("one two", "one three", "one three", "one three"),
        ("one", "one two", "one three", None),
        ("", "x", "", "x"),
    ],
)
def test_changes_that_do_not_meet_are_brought_together(base: str, ours: str, theirs: str, merged: str | None) -> None:
    assert merge_words(base, ours, theirs) == merged
    assert merge_words(base, theirs, ours) == merged


@given(TEXTS, TEXTS)
def test_what_one_side_leaves_alone_becomes_what_the_other_made_of_it(base: str, changed: str) -> None:
    assert merge_words(base, changed, base) == changed
    assert merge_words(base, base, changed) == changed
    assert merge_words(base, changed, changed) == changed


@given(TEXTS, TEXTS, TEXTS)
def test_the_sides_may_be_told_in_any_order(base: str, ours: str, theirs: str) -> None:
    assert merge_words(base, ours, theirs) == merge_words(base, theirs, ours)
