"""Two versions of a text, word by word."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem_cli import render
from gitmem_cli.words import compared, pieces

if TYPE_CHECKING:
    from collections.abc import Iterable


@pytest.mark.parametrize(
    ("before", "after", "wanted"),
    [
        ("Ada lives in Basel.", "Ada lives in Bern.", "Ada lives in [-Basel-]{+Bern+}."),
        ("same", "same", "same"),
        ("", "new", "{+new+}"),
        ("gone", "", "[-gone-]"),
        ("one two", "one", "one[- two-]"),
        ("one two three four", "one 2 3 four", "one [-two three-]{+2 3+} four"),
        ("a b ", "a c ", "a [-b-]{+c+}"),
        ("Ada\nlives", "Ada lives", "Ada lives"),
        ("彼は東京に住む", "彼は大阪に住む", "彼は[-東京-]{+大阪+}に住む"),
        ("plain", "\x1b[31mred\x1b[0m", "[-plain-]{+\\x1b[31mred\\x1b[0m+}"),
    ],
)
def test_what_goes_and_what_comes_is_marked(before: str, after: str, wanted: str) -> None:
    assert compared(before, after) == wanted


def test_colours_stand_for_marks_where_somebody_sees_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render, "on_terminal", lambda: True)
    shown = compared("in Basel", "in Bern")
    assert click.unstyle(shown) == "in BaselBern"
    assert shown != click.unstyle(shown)
    with click.Context(click.Command("diff")) as context:
        context.color = False
        assert compared("in Basel", "in Bern") == "in [-Basel-]{+Bern+}"


def _joined(parts: Iterable[tuple[str, str]], *kinds: str) -> str:
    return "".join(text for kind, text in parts if kind in kinds)


@given(st.text("ab .\t字", max_size=30), st.text("ab .\t字", max_size=30))
def test_both_texts_can_be_read_from_the_pieces(before: str, after: str) -> None:
    parts = list(pieces(before, after))
    assert _joined(parts, "equal", "gone") == before
    assert _joined(parts, "equal", "new") == after
    assert all(text for _, text in parts)
