"""What waits for somebody to vouch for it, and what came of vouching (``behaviours.md`` 0.4, 8.18 to 8.20)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.answers import BlockAnswer, block_answer
from gitmem.errors import Code, InvalidRequest, NotFound
from gitmem.facts.trust import record_trust
from gitmem.format.model import TrustState
from gitmem.format.speaker import normalize_display
from gitmem.ids import SourceId
from gitmem.search.messages import Messages

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gitmem.facts.base import Facts
    from gitmem.format.model import Record
    from gitmem.memory import Memory
    from gitmem.writer.backfill import BackfillAnswer


@dataclass(frozen=True, slots=True)
class WaitingSource:
    """A pending message, and the claims that are not believed as long as it is."""

    id: str
    path: str
    line: int
    timestamp: str
    speaker_id: str | None
    speaker_display: str | None
    text: str
    claims: tuple[BlockAnswer, ...]


@dataclass(frozen=True, slots=True)
class WaitingAnswer:
    """Everything that waits, by archive and in its order."""

    revision: str | None
    sources: tuple[WaitingSource, ...]


@dataclass(frozen=True, slots=True)
class PromotedSource:
    """One message that was named; ``promoted`` is false where it was trusted already."""

    id: str
    promoted: bool


@dataclass(frozen=True, slots=True)
class PromoteAnswer:
    """What vouching did. ``written`` is what a writer made of the messages, ``None`` where it had none to read."""

    ok: bool
    revision: str | None
    derived_commit: str | None
    sources: tuple[PromotedSource, ...]
    written: BackfillAnswer | None


def waiting(memory: Memory, records: Iterable[Record]) -> WaitingAnswer:
    """Show pending messages with what waits on them."""
    messages, facts = Messages(memory.snapshot), memory.facts
    found = tuple(
        WaitingSource(
            id=record.handle,
            path=record.path,
            line=record.line,
            timestamp=record.timestamp,
            speaker_id=record.speaker_id,
            speaker_display=record.speaker_display,
            text=messages.body(record),
            claims=tuple(block_answer(facts, claim) for claim in facts.citing(record.target)),
        )
        for record in records
    )
    return WaitingAnswer(memory.revision, found)


def said_by(records: Iterable[Record], speaker: str) -> tuple[SourceId, ...]:
    """What a speaker said of these: by id, or by name where nobody has that id.

    A display name is no identity: everybody who is called so is meant. Raises ``NotFound`` (``SOURCE_NOT_FOUND``) when
    nothing of theirs is among them.
    """
    wanted, known = _name(speaker), tuple(records)
    found = tuple(one.handle for one in known if wanted and _name(one.speaker_id) == wanted)
    found = found or tuple(one.handle for one in known if wanted and _name(one.speaker_display) == wanted)
    if not found:
        message = f"nothing that {speaker!r} said waits; `gitmem promote --list` shows who does"
        raise NotFound(Code.SOURCE_NOT_FOUND, message)
    return found


def _name(speaker: str | None) -> str:
    """As searching compares them (16.2)."""
    return normalize_display(speaker or "").casefold()


def standing(facts: Facts, handles: Sequence[str]) -> tuple[PromotedSource, ...]:
    """Which of the messages would be promoted.

    Raises ``InvalidRequest`` when none is named, and ``NotFound`` (``SOURCE_NOT_FOUND``) for one that no archive holds.
    """
    if not handles:
        raise InvalidRequest(Code.INVALID_ARGUMENT, "name the messages, or somebody who said them")
    found = []
    for handle in dict.fromkeys(handles):
        record = facts.source(SourceId(handle))
        if record is None:
            message = f"no archive holds {handle}; `gitmem promote --list` shows what waits"
            raise NotFound(Code.SOURCE_NOT_FOUND, message, details={"source_ids": [handle]})
        found.append(PromotedSource(handle, record_trust(facts, record) is TrustState.PENDING))
    return tuple(found)
