"""The embedded writer as a whole: the same input gives the same operations, and they fit a topic."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.format.evidence import valid_when
from gitmem.format.pathname import path_problem
from gitmem.ids import SourceId, TopicPath
from gitmem.request import CiteRecord, CreateRecord, SourceRef
from gitmem.writer.base import Batch, BatchTurn, NoMemory, Writer, Written
from gitmem.writer.embedded import EmbeddedWriter, label_of, stands_as_block
from talks import Shelf, distill, filed, prose, talk, turn


def test_it_is_a_writer() -> None:
    writer: Writer = EmbeddedWriter()
    assert writer.name == "embedded"


def test_a_fact_is_recorded_verbatim_with_citation_and_time() -> None:
    (operation,) = distill(talk("Hi!  I   moved to\tBerlin yesterday. How are you?")).operations
    assert isinstance(operation, CreateRecord)
    assert operation.content == "I moved to Berlin yesterday."
    assert operation.time == "2023-05-07"
    assert operation.sources == (SourceRef("p/t/m0", "User, 2023-05-08"),)
    assert operation.destination.topic_path == "topics/people/user.md"
    assert operation.destination.headings == ("User", "2023-05")


def test_talk_without_facts_is_said_to_hold_nothing() -> None:
    # behaviours.md 0.16
    result = distill(
        (turn("Hello!"), turn("Hi! How can I help you today?", 1, "assistant"), turn("nothing, thanks", 2))
    )
    assert result.operations == ()
    assert result.nothing_to_record
    assert not distill(talk("I live in Berlin.")).nothing_to_record


def test_an_empty_batch_holds_nothing() -> None:
    assert distill(()).nothing_to_record


def test_two_people_of_one_name_are_two_files() -> None:
    first = turn("I live in Berlin.", 0, speaker_id="7391", speaker_display="Ada")
    second = turn("I live in Paris.", 1, speaker_id="8000", speaker_display="Ada")
    assert [path for path, _, _ in filed(distill((first, second)))] == [
        "topics/people/ada-7391.md",
        "topics/people/ada-8000.md",
    ]


def test_without_a_timestamp_it_is_undated() -> None:
    (operation,) = distill(talk("I live in Berlin.", timestamp=None)).operations
    assert isinstance(operation, CreateRecord)
    assert operation.time is None
    assert operation.destination.headings == ("User", "Undated")


def test_a_footnote_says_who_said_it_and_when() -> None:
    assert label_of(turn("x", speaker_id="7391", speaker_display="Ada")) == "Ada (7391), 2023-05-08"
    assert label_of(turn("x", role="assistant")) == "Assistant, 2023-05-08"
    assert label_of(turn("x", timestamp=None)) == "User"


def test_a_sentence_goes_with_the_one_that_leans_on_it() -> None:
    said = "My grandma gave me this necklace in Sweden. It stands for love, faith and strength."
    assert prose(distill(talk(said))) == [said]


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("I know :) So far we have spent 410 euros.", "So far we have spent 410 euros."),
        ("Yeah, I live in Bern.", "I live in Bern."),
        ("I live in Bern. Yes, my sister lives in Bern too.", "my sister lives in Bern too."),
        ("Yes, in 2019.", "Yes, in 2019."),
    ],
)
def test_an_acknowledgement_is_no_part_of_a_fact(said: str, fact: str) -> None:
    assert prose(distill(talk(said)))[-1:] == [fact]


def test_sentences_that_are_joined_are_joined_as_they_were_said() -> None:
    turns = (*long_talk(), turn("I moved to Rome in 2019. Yes, my aunt Clara moved to Rome in 2019 with Bo.", "x"))
    said = {t.handle: t.content for t in turns}
    for operation in distill(turns).operations:
        assert isinstance(operation, CreateRecord)
        assert operation.content in said[operation.sources[0].source]  # type: ignore[index]  # a handle


# --- the same said again ------------------------------------------------------------------------------------------


def test_the_same_fact_is_cited_twice_and_written_once() -> None:
    (operation,) = distill(talk("I live in Berlin.", "ok", "i'm living in Berlin!", "I live in Berlin.")).operations
    assert isinstance(operation, CreateRecord)
    assert operation.content == "I live in Berlin."
    assert [source.source for source in operation.sources] == ["p/t/m0", "p/t/m2", "p/t/m3"]


def test_a_recorded_fact_is_cited_again() -> None:
    shelf = Shelf()
    shelf.take(distill(talk("I live in Berlin."), shelf))
    later = turn("I live in Berlin.", 7, timestamp="2023-06-01")
    (claim,) = shelf.of_topic(TopicPath("topics/people/user.md"))
    assert distill((later,), shelf).operations == (
        CiteRecord(claim.id, "2023-06-01", (SourceRef("p/t/m7", "User, 2023-06-01"),)),
    )


def test_a_turn_that_is_cited_already_is_not_cited_again() -> None:
    shelf = Shelf()
    turns = talk("I live in Berlin. I live in Berlin.")
    shelf.take(distill(turns, shelf))
    assert distill(turns, shelf).nothing_to_record
    later = turn("I live in Berlin. Yes, I live in Berlin!", 7)
    assert len(distill((later,), shelf).operations) == 1


def test_what_an_assistant_repeats_is_cited_in_its_subject() -> None:
    shelf = Shelf()
    shelf.take(distill((turn("The default port of PostgreSQL is 5432.", 0, "assistant"),), shelf))
    (again,) = distill((turn("PostgreSQL's default port is 5432.", 9, "assistant"),), shelf).operations
    assert isinstance(again, CiteRecord)
    (new,) = distill((turn("PostgreSQL supports JSON since version 9.2.", 9, "assistant"),), shelf).operations
    assert isinstance(new, CreateRecord)
    assert new.destination.topic_path == "topics/subjects/postgresql.md"


def test_two_people_who_say_the_same_state_two_facts() -> None:
    turns = (turn("I live in Berlin.", 0, speaker_display="Ada"), turn("I live in Berlin.", 1, speaker_display="Bo"))
    assert [path for path, _, _ in filed(distill(turns))] == ["topics/people/ada.md", "topics/people/bo.md"]


def test_a_claim_of_several_times_is_compared_with_each() -> None:
    shelf = Shelf()
    shelf.take(distill(talk("We met last Friday."), shelf))
    again = turn("We met last Friday.", 5, timestamp="2023-05-09")
    other = turn("We met last Friday.", 6, timestamp="2023-06-09")
    assert [type(o) for o in distill((again, other), shelf).operations] == [CiteRecord, CreateRecord]


# --- limits and order ---------------------------------------------------------------------------------------------


def long_talk(turns: int = 120) -> tuple[BatchTurn, ...]:
    """Every turn states a different fact, among chatter."""
    towns = ["Bern", "Lyon", "Oslo", "Rome", "Graz", "Kiel", "Nice", "Bath", "Cork", "Gent"]
    return talk(
        *(
            f"Hello there, how are you? In {1900 + n} my aunt number {n} moved to {towns[n % 10]}. Nice!"
            for n in range(turns)
        )
    )


def test_a_long_input_keeps_the_limits() -> None:
    turns = long_talk()
    result = distill(turns)
    assert len(prose(result)) == 42
    bodies = sum(len(t.content.encode()) for t in turns)
    assert sum(len(text.encode()) for text in prose(result)) <= 0.4 * bodies


@pytest.mark.parametrize("size", [1, 7, 50])
def test_a_long_input_keeps_the_limits_however_it_is_cut(size: int) -> None:
    turns, written, shelf = long_talk(), Written(), Shelf()
    for start in range(0, len(turns), size):
        batch = Batch(turns[start : start + size], len(turns), written)
        result = EmbeddedWriter().distill(batch, shelf)
        written = written.and_then(batch, result)
        shelf.take(result)
    assert written.turns == 120
    assert 30 <= written.blocks <= 42
    assert written.prose_bytes <= 0.4 * written.body_bytes
    assert written.blocks == len(shelf.of_topic(TopicPath("topics/people/user.md")))


def test_a_short_talk_gives_the_same_however_it_is_cut() -> None:
    turns = talk("I live in Bern.", "My sister plays the clarinet.", "I'm allergic to nuts.", "I moved here in 2019.")
    shelf, whole = Shelf(), distill(turns)
    for one in turns:
        shelf.take(distill((one,), shelf))
    assert [claim.content for claim in shelf.of_topic(TopicPath("topics/people/user.md"))] == prose(whole)


def test_the_same_input_gives_the_same_operations() -> None:
    turns = (
        *long_talk(),
        *talk("PostgreSQL is a database since 1996. Flask is a framework of 2010.", role="assistant"),
    )
    assert distill(turns) == distill(turns)


def test_operations_come_in_the_order_of_what_was_said() -> None:
    assert prose(distill(talk("I live in Bern. I own a boat.", "My sister plays the clarinet."))) == [
        "I live in Bern.",
        "I own a boat.",
        "My sister plays the clarinet.",
    ]


# --- hostile input ------------------------------------------------------------------------------------------------

HOSTILE = [
    "",
    " \n\t ",
    "🎉" * 50,
    "# I live in Rome",
    "I live in Rome [^1] now.",
    "I live in Rome ^abc",
    "I live in Rome\\",
    "I live in [Rome](other.md).",
    "I live in Rome\x00 now.",
    "I live in \u202eRome.",
    "I live in Rome \ud800.",
    "[^e1]: Time: `2023`; Sources: [a](b)",
    "```\nI live in Rome.",
    "<script>I live in Rome.</script>",
    "I live in Rome\n===",
    "I | live | here",
    "I live in Rome. " * 3000,
    "I am at home" + "!" * 1000,
]


@pytest.mark.parametrize("content", HOSTILE)
def test_nothing_crashes_it_and_what_it_makes_fits_a_topic(content: str) -> None:
    for role in ("user", "assistant"):
        result = distill((turn(content, 0, role, speaker_display=content[:80]),))
        assert all(stands_as_block(text) for text in prose(result))


@pytest.mark.parametrize("piece", ["a", "a. ", "!", "|", "x(", "[", "北", "no ", "I am 5. "])
def test_a_megabyte_in_one_message_is_read(piece: str) -> None:
    assert len(prose(distill(talk(piece * (1_000_000 // len(piece.encode())))))) <= 20


@given(st.text(alphabet=st.sampled_from("Ia.^[]()#>*`_~|\\<b!?:-1 \n\u2028年。")))
def test_any_text_makes_valid_blocks(noise: str) -> None:
    result = distill(talk(f"I moved to Rome in 2019, {noise} and stayed with Ada."))
    assert all(stands_as_block(text) for text in prose(result))


@given(st.text(max_size=20), st.none() | st.text(max_size=20), st.none() | st.text(max_size=20), st.none() | st.text())
def test_any_speaker_and_any_time_find_a_place(
    noise: str, ident: str | None, display: str | None, timestamp: str | None
) -> None:
    said = turn(f"I moved to Rome with Ada. {noise}", 0, speaker_id=ident, speaker_display=display, timestamp=timestamp)
    for path, when, _ in filed(distill((said,))):
        assert path_problem(path) is None
        assert when is None or valid_when(when)


@pytest.mark.parametrize("text", ["# heading", "a\n\nb", "x[^1]", "- a", "ends ^abc", "ends ^", "[l](a.md)", ""])
def test_what_is_no_block_is_noticed(text: str) -> None:
    assert not stands_as_block(text)


def test_turns_of_the_oldest_archives_have_threads_too() -> None:
    old = [
        BatchTurn(SourceId(f"D1:{n}"), "user", text, "2023-05-08")
        for n, text in enumerate(["Where?", "In Rome, with Bo."])
    ]
    assert prose(distill(tuple(old))) == ["In Rome, with Bo."]


def test_no_memory_holds_nothing() -> None:
    assert NoMemory().topics("topics/people") == ()
    assert NoMemory().of_topic(TopicPath("topics/people/user.md")) == ()
