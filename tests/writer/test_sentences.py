"""Cutting prose into sentences, and which can stand in a topic (behaviours.md 5.19)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.writer.sentences import LONGEST, sentences, split, storable


@pytest.mark.parametrize(
    ("paragraph", "cut"),
    [
        ("I like tea. You do not!", ["I like tea.", "You do not!"]),
        ("i moved to berlin. i like it", ["i moved to berlin.", "i like it"]),
        (
            "Mr. Smith met Dr. Jones at 3 p.m. in St. Ives. It rained.",
            ["Mr. Smith met Dr. Jones at 3 p.m. in St. Ives.", "It rained."],
        ),
        ("J. R. R. Tolkien wrote it. Yes.", ["J. R. R. Tolkien wrote it.", "Yes."]),
        ("I use version 3.11. It is v2.0.", ["I use version 3.11.", "It is v2.0."]),
        ("Well... maybe. Really... Yes.", ["Well... maybe.", "Really...", "Yes."]),
        ("Really?Yes", ["Really?", "Yes"]),
        ('He said "Go." Then he left.', ['He said "Go."', "Then he left."]),
        ("(I saw it.) Fine.", ["(I saw it.)", "Fine."]),
        ("I love it! 😊 Next one 🎉🎉. Done", ["I love it! 😊", "Next one 🎉🎉.", "Done"]),
        ("我喜欢喝茶。我明天去北京！「你好。」他说", ["我喜欢喝茶。", "我明天去北京！", "「你好。」", "他说"]),
        ("お元気ですか？はい。", ["お元気ですか？", "はい。"]),
        ("هل أنت هنا؟ نعم.", ["هل أنت هنا؟", "نعم."]),
        ("मैं यहाँ हूँ। ठीक।", ["मैं यहाँ हूँ।", "ठीक।"]),
        ("1. Something", ["1. Something"]),
        ("I was born in 1990. I was 5. He was 6.", ["I was born in 1990.", "I was 5.", "He was 6."]),
        ("I know :) So far so good :-D", ["I know :)", "So far so good :-D"]),
        ("I know 😊 So far so good", ["I know 😊", "So far so good"]),
        ("I love it :) so much", ["I love it :) so much"]),
        ("...", ["..."]),
        ("", []),
    ],
)
def test_a_paragraph_is_cut_into_sentences(paragraph: str, cut: list[str]) -> None:
    assert list(split(paragraph)) == cut


@given(st.text(alphabet=st.sampled_from("aA1 .!?…。！「」\"'()😊\\*"), max_size=60))
def test_nothing_is_lost_between_sentences(text: str) -> None:
    paragraph = " ".join(text.split())
    assert "".join("".join(split(paragraph)).split()) == "".join(paragraph.split())


def test_sentences_are_counted_through_the_message() -> None:
    found = list(sentences("One. Two.\n\nThree."))
    assert [(s.text, s.paragraph, s.ordinal) for s in found] == [("One.", 0, 0), ("Two.", 0, 1), ("Three.", 1, 2)]


@pytest.mark.parametrize(
    "text",
    [
        "I live in Rome.",
        "I pay $5 and *nothing* else.",
        "I have `code` and a `backtick.",
        "See [the page](https://example.org) for it.",
        "2 + 2 is 4.",
        "我喜欢喝茶。",
        "👨\u200d👩\u200d👧 is my family.",
    ],
)
def test_ordinary_sentences_can_be_stored(text: str) -> None:
    assert storable(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "...",
        "🎉🎉",
        "# I live in Rome",
        "> quoted",
        "- item",
        "12. item",
        "```",
        "| a | b",
        "===",
        "[a]: b",
        "I said so.[^1]",
        "I said so [^e1] there.",
        "I live in Rome ^abc",
        "I live in Rome ^",
        "I <b>live</b> here.",
        "Here <!-- not -->",
        "See [it](other.md).",
        "See [it](other.md#^abc).",
        "See [it][ref].",
        "I end in a \\",
        "I have a\x07bell.",
        "I turn \u202eback.",
        "A lone \ud800 half.",
        "x" * (LONGEST + 1),
    ],
)
def test_what_would_be_read_as_something_else_cannot(text: str) -> None:
    assert not storable(text)
