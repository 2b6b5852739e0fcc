"""An answer that says little by itself stands with the question it answers, and rests on both turns (10.11)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.request import CiteRecord, CreateRecord
from gitmem.writer.questions import LONGEST, answered, in_context, question_of, split_answer
from talks import Shelf, distill, prose, turn

ADA, BEN = {"speaker_display": "Ada"}, {"speaker_display": "Ben"}


def test_a_short_answer_stands_with_its_question() -> None:
    result = distill((turn("Nice! What breed is your dog?", 1, **ADA), turn("A labrador, three years old.", 2, **BEN)))
    (created,) = result.operations
    assert isinstance(created, CreateRecord)
    assert created.content == "“What breed is your dog?” – A labrador, three years old."
    assert [source.source for source in created.sources] == ["p/t/m2", "p/t/m1"]
    assert created.destination.topic_path == "topics/people/ben.md"


def test_one_word_may_be_an_answer() -> None:
    asked, said = turn("Which city did you move to?", 1, **ADA), turn("Basel!", 2, **BEN)
    assert prose(distill((asked, said))) == ["“Which city did you move to?” – Basel!"]
    assert prose(distill((said,))) == []
    assert prose(distill((asked, turn("Yes!", 2, **BEN)))) == []


@pytest.mark.parametrize(
    "asked",
    ["How are you?", "What about you?", f"Do you remember {'long ' * 50}ago?", "Have you read [this][1]?", "Nice dog."],
)
def test_what_names_nothing_or_cannot_be_quoted_is_not(asked: str) -> None:
    said = turn("I adopted a labrador named Rex last year.", 2, **BEN)
    assert prose(distill((turn(asked, 1, **ADA), said))) == ["I adopted a labrador named Rex last year."]


def test_only_somebody_else_asks() -> None:
    turns = (turn("What breed was my first dog?", 1, **BEN), turn("It was a labrador named Rex.", 2, **BEN))
    assert prose(distill(turns)) == ["It was a labrador named Rex."]


def test_an_assistant_may_ask_and_its_own_answers_stand_alone() -> None:
    turns = (
        turn("Which laptop has the best keyboard?", 1),
        turn("The Aurora 5 has the best keyboard of 2023. What budget do you have?", 2, "assistant"),
        turn("About 900 euros.", 3),
    )
    written = prose(distill(turns))
    assert "“What budget do you have?” – About 900 euros." in written
    assert "The Aurora 5 has the best keyboard of 2023." in written


def test_the_question_stands_before_the_first_of_several_blocks() -> None:
    said = "I adopted a labrador named Rex in May 2021. Last Saturday my sister Ines moved to Basel."
    written = prose(distill((turn("Do you have a dog now?", 1, **ADA), turn(said, 2, **BEN))))
    assert written == [
        "“Do you have a dog now?” – I adopted a labrador named Rex in May 2021.",
        "Last Saturday my sister Ines moved to Basel.",
    ]


def test_equal_answers_to_different_questions_are_different_facts() -> None:
    turns = (
        turn("How long have you had your dog?", 1, **ADA),
        turn("About three years.", 2, **BEN),
        turn("How long have you lived in Basel?", 3, **ADA),
        turn("About three years.", 4, **BEN),
    )
    assert prose(distill(turns)) == [
        "“How long have you had your dog?” – About three years.",
        "“How long have you lived in Basel?” – About three years.",
    ]


def test_what_was_answered_before_is_cited_again() -> None:
    asked = turn("How long have you had your dog?", 1, **ADA)
    shelf = Shelf()
    shelf.take(distill((asked, turn("About three years.", 2, **BEN))))
    again = distill((turn("How long have you had your dog?", 3, **ADA), turn("About three years.", 4, **BEN)), shelf)
    (cited,) = again.operations
    assert isinstance(cited, CiteRecord)
    assert [source.source for source in cited.sources] == ["p/t/m4"]
    other = distill((turn("How long have you lived here?", 5, **ADA), turn("About three years.", 6, **BEN)), shelf)
    assert len(prose(other)) == 1


def test_a_question_is_read_in_every_script() -> None:
    found = question_of(0, turn("你好！你住在哪个城市？"), frozenset())
    assert found is not None
    assert found.text == "你住在哪个城市？"


def test_a_quoted_question_is_no_question_with_quotation_marks() -> None:
    assert question_of(0, turn("Did she say “Rex is a dog” – or what?"), frozenset()) is None


@given(st.text(max_size=LONGEST), st.text(max_size=80))
def test_what_was_put_together_is_taken_apart_again(asked: str, said: str) -> None:
    found = question_of(0, turn(f"{asked} dog?"), frozenset())
    if found is not None:
        assert split_answer(answered(found, said)) == (found.text, said)


def test_a_long_answer_is_compared_by_itself() -> None:
    sentences = ("I adopted a small brown labrador.",)
    assert in_context("What dog?", sentences) == sentences
    assert in_context("What dog?", ("A labrador.",)) == ("What dog? A labrador.",)
    assert in_context(None, ("A labrador.",)) == ("A labrador.",)
