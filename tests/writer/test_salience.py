"""What is worth more on record than what, and why."""

from __future__ import annotations

import pytest

from gitmem.writer.salience import Context, score, shown, specific_words
from gitmem.writer.statements import WORTH_RECORDING

PLAIN = Context()


@pytest.mark.parametrize(
    "sentence",
    [
        "I'm vegetarian.",
        "I live in Bern with my wife Clara.",
        "I work as a nurse.",
        "My budget is 50k.",
        "I prefer short answers.",
        "I don't like mushrooms.",
        "I decided to use PostgreSQL for the project.",
        "We are planning a trip to Japan.",
        "My sister plays the clarinet.",
        "I signed up for a pottery class.",
        "I want to become a counselor.",
        "我对花生过敏。",
        "私は東京に住んでいます。",
        "Ich wohne in Köln und arbeite bei Siemens.",
        "Я живу в Москве.",
    ],
)
def test_facts_preferences_plans_and_decisions_are_worth_recording(sentence: str) -> None:
    fresh = len(specific_words(sentence))
    assert score(sentence, Context(fresh=fresh)) >= WORTH_RECORDING


@pytest.mark.parametrize(
    "sentence",
    [
        "It was so amazing!",
        "You're doing an awesome job.",
        "I'm so proud of you.",
        "That's really cool.",
        "We got this!",
        "It means a lot.",
        "You'll be great.",
        "I can't wait to see them.",
        "That must have been hard for you.",
    ],
)
def test_kindness_and_judgement_are_not(sentence: str) -> None:
    fresh = len(specific_words(sentence))
    assert score(sentence, Context(fresh=fresh)) < WORTH_RECORDING


@pytest.mark.parametrize(
    ("more", "less"),
    [
        (Context(dated=True), PLAIN),
        (Context(answers=True), PLAIN),
        (Context(opens=True), PLAIN),
        (Context(reminder=True), PLAIN),  # it is about the speaker
        (Context(fresh=2), PLAIN),
        (Context(place=0.0), Context(place=1.0)),
        (PLAIN, Context(names=frozenset({"clara"}))),
    ],
)
def test_what_surrounds_a_sentence_counts(more: Context, less: Context) -> None:
    sentence = "I went to the museum with Clara."
    assert score(sentence, more) > score(sentence, less)


def test_encouragement_is_no_reminder() -> None:
    encouraging = "Remember that staying positive is important."
    assert score(encouraging, Context(reminder=True)) == score(encouraging, PLAIN) < WORTH_RECORDING
    for personal in ("Remember that I'm allergic to nuts.", "Note: the budget is 50k."):
        assert score(personal, Context(reminder=True)) > score(personal, PLAIN) + 1


def test_an_assistants_i_is_nobodys_life() -> None:
    assert "first person" not in shown("I ran the simulation.", Context(assistant=True))
    stated = score("The default port of PostgreSQL is 5432.", Context(assistant=True, fresh=3))
    assert stated > WORTH_RECORDING > score("I have run your code.", Context(assistant=True, fresh=1))


def test_signals_are_named_and_add_up() -> None:
    found = shown("I moved to Berlin with my sister.", Context(fresh=1))
    assert {"first person", "own past", "decision", "relative", "own relative", "names", "new words"} <= set(found)
    assert score("I moved to Berlin with my sister.", Context(fresh=1)) == round(sum(found.values()), 3)
    assert all(found.values())


def test_the_participants_are_no_news() -> None:
    assert "names" not in shown("I met Clara.", Context(names=frozenset({"clara"})))
    assert "names" not in shown("So I'm here, and I'll stay.", PLAIN)


def test_specific_words_say_what_a_sentence_is_about() -> None:
    assert specific_words("The Clarinet\u2019s sound is a really great clarinet sound, 我喜欢") == ("clarinet",)
