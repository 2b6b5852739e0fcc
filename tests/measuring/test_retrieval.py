"""Rankings are scored by the turns that answer, and LoCoMo's format is read with its traps."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from benchmarks.locomo import measure, report
from benchmarks.locomo_format import evidence_of, read_talks
from benchmarks.retrieval import Tally

if TYPE_CHECKING:
    from pathlib import Path


def said(number: int, text: str, speaker: str = "Ada") -> dict[str, str]:
    return {"dia_id": f"D1:{number}", "speaker": speaker, "text": text}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    conversation = {
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            said(1, "What breed is your dog?"),
            said(2, "A labrador, three years old.", "Ben"),
            said(3, "I moved to Basel last year."),
        ],
        "session_2_date_time": "2:00 pm on 9 May, 2023",
    }
    asked = [
        {"question": "How old is the labrador?", "answer": 3, "evidence": ["D1:2"]},
        {"question": "Where did Ada move?", "evidence": ["D1:3; D9:17"]},
        {"question": "Who knows?", "answer": "nobody", "evidence": ["D"]},
        {"question": "Who else?", "answer": "nobody", "evidence": []},
    ]
    path = tmp_path / "talks.json"
    path.write_text(json.dumps([{"sample_id": "talk", "qa": asked, "conversation": conversation}]))
    return path


@pytest.mark.parametrize(
    ("stated", "meant"),
    [
        (["D8:6; D9:17"], {"D8:6", "D9:17"}),
        (["D:11:26"], {"D11:26"}),
        (["D"], set()),
        (["D1:2", "D1:3"], {"D1:2", "D1:3"}),
        ([], set()),
    ],
)
def test_evidence_is_read_as_it_is_meant(stated: list[str], meant: set[str]) -> None:
    assert evidence_of(stated) == meant


def test_dates_without_sessions_and_questions_without_evidence_are_left_out(data: Path) -> None:
    (talk,) = read_talks(data)
    assert [turn.id for turn in talk.turns] == ["D1:1", "D1:2", "D1:3"]
    assert {turn.timestamp for turn in talk.turns} == {"2023-05-08T13:56:00"}
    assert [question.evidence for question in talk.questions] == [{"D1:2"}, {"D1:3"}]
    assert (talk.unasked, talk.speakers, talk.thread(talk.turns[0])) == (2, ("Ada", "Ben"), "talk-s01")


def test_a_ranking_is_scored_by_the_turns_its_results_stand_for() -> None:
    tally = Tally()
    tally.add([["x"], ["a", "y"]], frozenset("a"))
    tally.add([*[["x"]] * 5, ["a"]], frozenset("ab"))
    tally.add([], frozenset("a"))
    found = tally.found()
    assert (found.questions, found.any_few, found.any_many) == (3, 1 / 3, 2 / 3)
    assert (found.all_few, found.all_many, found.mrr) == (1 / 3, 1 / 3, pytest.approx((1 / 2 + 1 / 6) / 3))
    assert (tally + tally).found() == found.__class__(6, *(getattr(found, name) for name in found.__slots__[1:]))


def test_a_talk_is_written_and_asked_through_the_product(data: Path, tmp_path: Path) -> None:
    (talk,) = read_talks(data)
    outcome = measure(talk, tmp_path)
    assert (outcome.turns, outcome.unasked) == (3, 2)
    assert (outcome.cited, outcome.cited_whole) == (2, 2)
    assert outcome.by_topics.found().any_few == 1
    assert outcome.by_turns.found().questions == 2
    assert "| talk | 2 | through topics | 1.000 |" in report([outcome])
