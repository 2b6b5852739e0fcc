"""The writer on real conversations: the limits hold, the facts are there, chatter is not."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.format.evidence import valid_when
from gitmem.request import CreateRecord
from gitmem.writer.embedded import stands_as_block
from gitmem.writer.questions import split_answer
from talks import distill, filed, prose, turn

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.writer.base import BatchTurn, WriterResult

Talk = dict[str, Any]


@dataclass(frozen=True)
class Folded:
    talk: Talk
    turns: tuple[BatchTurn, ...]
    result: WriterResult


@pytest.fixture(scope="module")
def talks(shared_data: Path) -> list[Talk]:
    """Five long conversations of two people, with questions and the turns that answer them."""
    talks: list[Talk] = json.loads((shared_data / "locomo" / "locomo_first5.json").read_text())
    return talks


def turns_of(talk: Talk) -> tuple[BatchTurn, ...]:
    said = talk["conversation"]
    sessions = sorted((key for key in said if re.fullmatch(r"session_\d+", key)), key=lambda key: int(key[8:]))
    return tuple(
        turn(
            message["text"],
            message["dia_id"],
            speaker_display=message["speaker"],
            timestamp=datetime.strptime(said[f"{key}_date_time"], "%I:%M %p on %d %B, %Y").isoformat(),  # noqa: DTZ007
        )
        for key in sessions
        for message in said[key]
    )


def evidence_of(talk: Talk) -> set[str]:
    named = {name for question in talk["qa"] for text in question["evidence"] for name in re.findall(r"D\d+:\d+", text)}
    return named & {str(turn.handle).removeprefix("p/t/m") for turn in turns_of(talk)}


@pytest.fixture(scope="module", params=range(5))
def folded(talks: list[Talk], request: pytest.FixtureRequest) -> Folded:
    """A conversation with what the writer made of it."""
    talk = talks[request.param]
    turns = turns_of(talk)
    return Folded(talk, turns, distill(turns))


def test_a_long_conversation_is_recorded_within_the_limits(folded: Folded) -> None:
    turns, result = folded.turns, folded.result
    written = prose(result)
    bodies = sum(len(turn.content.encode()) for turn in turns)
    assert 0.3 * len(turns) < len(written) <= 0.35 * len(turns)
    assert sum(len(text.encode()) for text in written) <= 0.4 * bodies
    said = {turn.handle: " ".join(turn.content.split()) for turn in turns}
    for operation in result.operations:
        assert isinstance(operation, CreateRecord)
        question, answer = split_answer(operation.content)
        assert answer in said[operation.sources[0].source]  # type: ignore[index]  # a handle
        assert question is None or question in said[operation.sources[-1].source]  # type: ignore[index]  # as above
        assert operation.time is not None
        assert valid_when(operation.time)
        assert stands_as_block(operation.content)
        assert not operation.content.rstrip("\"'").endswith("?")


def test_what_people_ask_about_later_is_mostly_on_record(folded: Folded) -> None:
    created = [operation for operation in folded.result.operations if isinstance(operation, CreateRecord)]
    cited = {source.source.removeprefix("p/t/m") for operation in created for source in operation.sources}
    asked = evidence_of(folded.talk)
    assert len(cited & asked) >= 0.65 * len(asked)  # a random choice of as many turns cites 0.35


def test_a_person_finds_the_facts_of_a_life(talks: list[Talk]) -> None:
    written = filed(distill(turns_of(talks[0])))
    assert {path for path, _, _ in written} == {"topics/people/caroline.md", "topics/people/melanie.md"}
    for when, fact in [
        ("2023-05-07", "I went to a LGBTQ support group yesterday"),
        ("2022", "I painted that lake sunrise last year"),
        ("2023-05-20", "I ran a charity race for mental health last Saturday"),
        ("2023-06", "We're thinking about going camping next month."),
        ("2013", "A friend made it for my 18th birthday ten years ago."),
    ]:
        assert any(time == when and fact in text for _, time, text in written), fact


def test_an_exported_tree_gives_subjects_people_would_look_under(shared_data: Path) -> None:
    (exported,) = json.loads((shared_data / "exports" / "chatgpt_tree.json").read_text())
    nodes, node, branch = exported["mapping"], exported["current_node"], []
    while node:
        branch.append(nodes[node]["message"])
        node = nodes[node]["parent"]
    said = [
        (message["author"]["role"], "".join(map(str, message["content"].get("parts", []))), str(message["create_time"]))
        for message in reversed(branch)
        if message and message["recipient"] == "all" and message["author"]["role"] in {"user", "assistant"}
    ]
    turns = tuple(turn(text, n, role, timestamp=at) for n, (role, text, at) in enumerate(said) if text.strip())
    written = filed(distill(turns))
    assert "topics/subjects/average-distance.md" in {path for path, _, _ in written}
    assert len({path for path, _, _ in written}) <= 5
    assert all(when and when.startswith("2023-09-2") for _, when, _ in written)


def test_chinese_sentences_are_read_whole(shared_data: Path) -> None:
    lines = (shared_data / "zh" / "sentences.jsonl").read_text().splitlines()[:300]
    texts = [json.loads(line)["text"] for line in lines]
    turns = tuple(turn(text, n, "assistant") for n, text in enumerate(texts))
    written = filed(distill(turns))
    assert 60 <= len(written) <= 105
    said = [" ".join(text.split()) for text in texts]
    assert all(any(text in whole for whole in said) for _, _, text in written)
