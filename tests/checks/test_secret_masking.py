"""What is printed holds no secret, however long it is (0.16)."""

from __future__ import annotations

import pytest

from gitmem.checks.secret_masking import masked

TOKEN = "ghp_" + "a1B2" * 9


@pytest.mark.parametrize("text", ["x" * 1_000_000, "x " * 100_000, "x…" * 100_000])
def test_a_text_of_any_length_is_read_once(text: str) -> None:
    # A look at every character of a long word for the end of it took minutes; here, the test would not end.
    assert masked(text) == text


def test_a_word_that_was_cut_where_a_secret_begins_is_left_out() -> None:
    assert masked(f"the token {TOKEN[:12]}… was refused") == "the token … was refused"
    assert masked("the text something… was refused") == "the text something… was refused"
    assert TOKEN not in masked(f"({TOKEN})")
