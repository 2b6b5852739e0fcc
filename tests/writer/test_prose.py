"""What is prose in a message: code, lists, tables, quotes and commands are not (behaviours.md 10.11)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.writer.prose import paragraphs


@pytest.mark.parametrize(
    "left_out",
    [
        "```py\nx = 1\n\ny = 2\n```",
        "~~~\nI live in code.\n~~~",
        "````\n```\nI live in code.\n```\n````",
        "    indented = code",
        "\tindented = code",
        "- an item\n  that goes on\n- another",
        "1. one\n2. two",
        "(a) one\n(b) two",
        "| a | b |\n|---|---|\n| 1 | 2 |",
        "a | b | c",
        "> somebody else said this",
        "# A heading",
        "Heading\n===".splitlines()[1],
        "---",
        "<div>markup</div>",
        "[ref]: https://example.org",
        "![picture](x.png)",
        "[image]",
        "[file: seeds.pdf]",
        "[forwarded from: Ada ) L]",
        "[poll: When? / Friday / Sunday]",
        "$ ls -l",
        ">>> print(1)",
        "/remind me",
        "git commit -m x",
        "pip install gitmem",
        "import os",
        "from os import path",
        "def f(x):",
        "const a = 1",
        "print(x)",
        "return x;",
        "});",
        r"\[ E = mc^2 \]"[:2] + "\nE = mc^2\n\\]",
        "$$\nx\n$$",
    ],
)
def test_what_is_not_prose_is_left_out(left_out: str) -> None:
    assert list(paragraphs(f"Before it.\n\n{left_out}\n\nAfter it.")) == ["Before it.", "After it."]


@pytest.mark.parametrize(
    ("body", "kept"),
    [
        ("One.\nTwo.", ["One.", "Two."]),
        ("I  like\ttea \u00a0 a lot", ["I like tea a lot"]),
        ("I like tea\u2028and cake", ["I like tea", "and cake"]),
        ("first\r\nsecond\rthird", ["first", "second", "third"]),
        (
            "This line was broken by an editor because it had become too\nlong for the window.",
            ["This line was broken by an editor because it had become too long for the window."],
        ),
        ("short line\nnot joined", ["short line", "not joined"]),
        ("```\nnever closed\nI live here.", []),
        ("- item\n\nI live here.", ["I live here."]),
        ("- item\nI live here.", ["I live here."]),
        ("It costs 5 | 6 euros.", ["It costs 5 | 6 euros."]),
        ("-5 degrees today", ["-5 degrees today"]),
        ("The shed [image: a.jpg]", ["The shed [image: a.jpg]"]),
        ("", []),
    ],
)
def test_lines_become_paragraphs(body: str, kept: list[str]) -> None:
    assert list(paragraphs(body)) == kept


@given(st.text())
def test_any_text_is_read_and_nothing_is_made_up(body: str) -> None:
    words = " ".join(body.split())
    for paragraph in paragraphs(body):
        assert paragraph == " ".join(paragraph.split())
        assert paragraph
        assert all(piece in words for piece in paragraph.split())
