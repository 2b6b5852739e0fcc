from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.format.inline import inline_links, mask


def seen(text: str) -> str:
    return mask(text).replace("\0", ".")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", "plain"),
        ("a `b` c", "a ... c"),
        ("a ``b ` c`` d", "a ......... d"),
        ("a ` b", "a ` b"),
        ("`a``", "`a``"),
        ("`a`` b`", "......."),
        (r"\[x\] \a", r"..x.. \a"),
        (r"\\[x", "..[x"),
        (r"\`a`b`", "..a..."),
        (r"`a\`b`", "....b`"),
        ("a <!-- `b` --> c", "a ............ c"),
        ("a <!-- b", "a <!-- b"),
        ("<!-- a --> <!-- b", ".......... <!-- b"),
        ("`<!--` -->", "...... -->"),
        ("\\", "\\"),
    ],
)
def test_what_is_not_markup_is_blotted_out(text: str, expected: str) -> None:
    assert seen(text) == expected


@given(st.text(st.sampled_from("ab`\\<!->[]^ \n")))
def test_a_mask_keeps_every_offset(text: str) -> None:
    masked = mask(text)
    assert len(masked) == len(text)
    assert all(seen in {"\0", shown} for seen, shown in zip(masked, text, strict=True))


def links(text: str) -> list[tuple[str, str]]:
    found = list(inline_links(text, mask(text)))
    assert all(text[link.start : link.end].replace("\\", "") == link.destination for link in found)
    return [(link.text, link.destination) for link in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[a](b)", [("a", "b")]),
        ("[a]( b 'title' )", [("a", "b")]),
        ('[a](b "t") [c](<d e> (t))', [("a", "b"), ("c", "d e")]),
        ("[a [b] c](d(e)f)", [("a [b] c", "d(e)f")]),
        ("[a](b\nc)", []),
        ("[a]\n(b)", []),
        ("[a](b", []),
        ("a](b)", []),
        ("![a](b)", []),
        ("!\\[a](b)", []),
        ("`[a](b)`", []),
        (r"[a\]b](c\)d)", [(r"a\]b", "c)d")]),
        ("[](b)", [("", "b")]),
        ("x[^e][a](b)", [("a", "b")]),
        ("[a]()", [("a", "")]),
    ],
)
def test_inline_links(text: str, expected: list[tuple[str, str]]) -> None:
    assert links(text) == expected


@given(st.text(st.sampled_from("ab[]()<>!\\`'\" \n")))
def test_links_come_in_order_and_within_the_text(text: str) -> None:
    end = 0
    for link in inline_links(text, mask(text)):
        assert end <= link.start <= link.end < len(text)
        end = link.end
