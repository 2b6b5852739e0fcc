"""The same said again is recognized, and what only sounds alike is not."""

from __future__ import annotations

import pytest

from gitmem.writer.duplicates import Told, signature, tellings


def told(first: str, again: str, when: str | None = "2023-05-08", later: str | None = "2023-05-09") -> bool:
    known: Told[str] = Told()
    for telling in tellings(first, when):
        known.add(telling, "home")
    return known.same_as(signature(again, later)) == "home"


@pytest.mark.parametrize(
    ("first", "again"),
    [
        ("I live in Berlin.", "I live in Berlin."),
        ("I live in Berlin.", "i'm living in berlin now!"),
        ("I really love tea.", "I love tea"),
        ("My sister Clara works as a nurse in Bern.", "My sister Clara is working as a nurse in Bern."),
        ("I love jazz and I am allergic to peanuts.", "I'm allergic to peanuts."),
        ("I adopted a black cat called Miso from the shelter.", "I adopted a cat called Miso from the shelter."),
        ("我喜欢喝茶。", "我喜欢喝茶！"),
        ("私は東京に住んでいます。", "私は東京に住んでいます"),
    ],
)
def test_the_same_in_other_words(first: str, again: str) -> None:
    assert told(first, again)


@pytest.mark.parametrize(
    ("first", "again"),
    [
        ("I like tea.", "I don't like tea."),
        ("I live in Berlin.", "She lives in Berlin."),
        ("I moved to Berlin.", "I moved from Berlin."),
        ("My budget is 50k.", "My budget is 60k."),
        ("I am a nurse.", "I was a nurse."),
        ("I have two kids called Mia and Tom.", "I have two dogs called Mia and Tom, and they bark."),
        ("My sister lives in Berlin.", "I live in Berlin."),
        ("我喜欢喝茶。", "我不喜欢喝茶。"),
    ],
)
def test_what_differs_is_not_the_same(first: str, again: str) -> None:
    assert not told(first, again)


def test_a_named_time_has_to_agree() -> None:
    first = "I moved to Berlin yesterday."
    assert told(first, "I moved to Berlin on 7 May 2023.", "2023-05-07", "2023-05-07")
    assert not told(first, "I moved to Berlin yesterday.", "2023-05-07", "2023-06-07")
    assert not told(first, "I moved to Berlin.", "2023-05-07", "2023-05-08")


def test_the_likest_telling_is_found_and_the_first_of_equals() -> None:
    known: Told[int] = Told()
    for number, sentence in enumerate(
        ["I adopted a big black cat called Miso.", "I adopted a cat called Miso.", "I adopted a cat called Miso"]
    ):
        known.add(signature(sentence, None), number)
    assert known.same_as(signature("I adopted a cat called Miso!", None)) == 1


def test_filler_alone_is_still_a_telling() -> None:
    assert told("I am, I really am.", "I am, I really am.")
