"""What a turn says of itself: whether anybody spoke, and who (``behaviours.md`` 8.1 to 8.3, 9.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from gitmem.format.speaker import normalize_display

if TYPE_CHECKING:
    from gitmem.format.turn import Turn

SPOKEN = frozenset({"user", "assistant"})
"""Roles of turns that somebody said; everything else is the machinery of a turn."""

RUNTIME_DISPLAY = "runtime"
RUNTIME_SOURCES = frozenset({"job_followup", "merge_turn"})


class Identified(Protocol):
    """The part of a turn, or of what becomes one, that says who speaks."""

    @property
    def speaker_id(self) -> str | None: ...  # noqa: D102
    @property
    def speaker_display(self) -> str | None: ...  # noqa: D102


class Said(Identified, Protocol):
    """What of a turn makes it the same message in every reading."""

    @property
    def role(self) -> str: ...  # noqa: D102
    @property
    def content(self) -> str: ...  # noqa: D102
    @property
    def timestamp(self) -> str | None: ...  # noqa: D102


def is_eligible(turn: Turn) -> bool:
    """Whether a turn is written up: what a person said or the assistant replied, with text (9.4).

    Tool calls and results, and the turns that a runtime schedules for itself, are kept and never written up.
    """
    if turn.role not in SPOKEN or not turn.content.strip():
        return False
    return turn.display != RUNTIME_DISPLAY and turn.source not in RUNTIME_SOURCES


def speaker_key(said: Identified) -> str | None:
    """What tells one speaker from another: the stable id, else the name; ``None`` for a turn without identity (8.3)."""
    if normalize_display(said.speaker_id):
        return said.speaker_id
    return said.speaker_display if normalize_display(said.speaker_display) else None


def person_of(turn: Turn) -> str | None:
    """The person who said it: ``id:`` and the id, or ``name:`` and the name of one without id.

    ``None`` for what no person said, or nobody in particular. Nobody becomes somebody else by calling themselves by the
    other's id.
    """
    return person(turn) if turn.role == "user" else None


def person(said: Identified) -> str | None:
    """The same, of whoever speaks."""
    key = speaker_key(said)
    if key is None:
        return None
    return f"id:{key}" if normalize_display(said.speaker_id) else f"name:{key}"


def fingerprint(said: Said) -> int:
    """Equal for two readings of one message. Names change in later exports, ids do not."""
    return hash((said.role, said.content, said.timestamp, said.speaker_id or said.speaker_display))
