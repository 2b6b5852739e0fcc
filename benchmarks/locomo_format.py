"""Conversations and questions in LoCoMo's format: dated sessions of two people, questions with the turns that answer.

What the format has of traps is read as it is meant: evidence in one text ("D8:6; D9:17"), with a colon too many
("D:11:26") or without a number ("D"), dates of sessions that have no turns, answers that are numbers.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_SESSION = re.compile(r"session_(\d+)")
_EVIDENCE = re.compile(r"D:?(\d+):(\d+)")
_DATE = "%I:%M %p on %d %B, %Y"


@dataclass(frozen=True, slots=True)
class Said:
    """One turn: ``id`` is its dia_id, ``session`` the number of its session."""

    id: str
    session: int
    speaker: str
    text: str
    timestamp: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and the dia_ids of the turns that answer it, of which there is at least one."""

    text: str
    evidence: frozenset[str]


@dataclass(frozen=True, slots=True)
class Talk:
    """One conversation; ``unasked`` counts the questions whose evidence names no turn."""

    name: str
    turns: tuple[Said, ...]
    questions: tuple[Question, ...]
    unasked: int

    @property
    def speakers(self) -> tuple[str, ...]:
        """Who talks, in the order in which they begin."""
        return tuple(dict.fromkeys(turn.speaker for turn in self.turns))

    @property
    def body_bytes(self) -> int:
        """Of all turns."""
        return sum(len(turn.text.encode()) for turn in self.turns)

    def thread(self, turn: Said) -> str:
        """The conversation that a turn is ingested into: one a session, so that their order is that of their names."""
        return f"{self.name}-s{turn.session:02d}"

    def jsonl(self) -> str:
        """The turns as ``gitmem ingest`` reads them, with provider ``locomo``."""
        return "".join(f"{json.dumps(self._line(turn))}\n" for turn in self.turns)

    def _line(self, turn: Said) -> dict[str, str]:
        return {
            "provider": "locomo",
            "thread": self.thread(turn),
            "id": turn.id,
            "role": "user",
            "content": turn.text,
            "timestamp": turn.timestamp,
            "speaker_id": turn.speaker.casefold(),
            "speaker_display": turn.speaker,
        }


def read_talks(path: Path) -> tuple[Talk, ...]:
    """Read a file of conversations."""
    return tuple(_talk(sample) for sample in json.loads(path.read_text("utf-8")))


def evidence_of(stated: list[str]) -> frozenset[str]:
    """Give the dia_ids that an evidence list means."""
    return frozenset(f"D{session}:{turn}" for text in stated for session, turn in _EVIDENCE.findall(str(text)))


def _talk(sample: dict[str, Any]) -> Talk:
    turns = tuple(_turns(sample["conversation"]))
    known = {turn.id for turn in turns}
    asked = [(str(found["question"]), evidence_of(found.get("evidence", [])) & known) for found in sample["qa"]]
    questions = tuple(Question(text, evidence) for text, evidence in asked if evidence)
    return Talk(str(sample["sample_id"]), turns, questions, len(asked) - len(questions))


def _turns(conversation: dict[str, Any]) -> Iterator[Said]:
    numbers = sorted(int(found[1]) for key in conversation if (found := _SESSION.fullmatch(key)))
    for number in numbers:
        at = datetime.strptime(conversation[f"session_{number}_date_time"], _DATE).isoformat()  # noqa: DTZ007  (a phone's time)
        for turn in conversation[f"session_{number}"]:
            yield Said(turn["dia_id"], number, turn["speaker"], turn["text"], at)
