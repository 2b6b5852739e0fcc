"""Which pending turns of which branches are folded next (``behaviours.md`` 9.6 to 9.8, 10.1 to 10.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.conversations.authority import OWNER_PRINCIPAL, UNKNOWN_PRINCIPAL, authority_of, is_pending
from gitmem.conversations.pending import pending_turns, suffixes
from gitmem.format.instant import instant
from gitmem.format.model import TrustMetadata, TrustState
from gitmem.request import NewSource
from gitmem.writer.base import BatchTurn
from gitmem.writer.batches import cut

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from datetime import datetime

    from gitmem.conversations.marks import Standing
    from gitmem.conversations.model import NodeId, Session
    from gitmem.conversations.pending import PendingTurn, Suffix
    from gitmem.conversations.store import ConversationStore
    from gitmem.ids import SourceId


@dataclass(frozen=True, slots=True)
class Due:
    """One batch: the eligible turns to archive, those of them that a writer is shown, and the nodes to mark after."""

    session: str
    branch: str
    turns: tuple[PendingTurn, ...]
    nodes: tuple[NodeId, ...]

    @property
    def shown(self) -> tuple[BatchTurn, ...]:
        """The trusted turns; pending ones are archived and never sent to a writer (8.18)."""
        return tuple(_shown(pending) for pending in self.turns if not is_pending(pending.turn))

    @property
    def sources(self) -> tuple[NewSource, ...]:
        """The turns as they are archived, with the authority that each carries itself."""
        return tuple(_source(pending) for pending in self.turns)


@dataclass(frozen=True, slots=True)
class Trigger:
    """When a batch is due: ``threshold`` in tokens of ``count``; ``force`` takes the rest of the current head too.

    ``all_branches`` takes the rest of every branch (0.18). ``now`` makes what the current head has waiting due,
    whatever its size, once its last message is an hour old (10.2); ``None`` looks at sizes alone.
    """

    threshold: int
    count: Callable[[str], int]
    force: bool = False
    all_branches: bool = False
    now: datetime | None = None

    def is_idle(self, last: PendingTurn) -> bool:
        """Whether the last turn was said an hour ago or more; without a time nobody knows (0.29)."""
        said = instant(last.turn.timestamp or "")
        return self.now is not None and said is not None and self.now.timestamp() - said.seconds >= IDLE_SECONDS


IDLE_SECONDS = 3600.0
"""After which silence the rest of a conversation is due."""


def due_batches(
    store: ConversationStore,
    session: Session,
    standing: Standing,
    archived: Callable[[SourceId], bool],
    trigger: Trigger,
) -> Iterator[Due]:
    """The batches of one conversation, the current head's first; without ``force`` only the oldest one (9.6)."""
    for suffix in suffixes(store, session, standing):
        turns = pending_turns(store, suffix, archived)
        is_head = suffix.branch == session.head.name
        for due in _cut(suffix, turns, trigger, is_head=is_head):
            yield due
            if not trigger.force:
                return


def _cut(suffix: Suffix, turns: Iterable[PendingTurn], trigger: Trigger, *, is_head: bool) -> Iterator[Due]:
    """A suffix in batches; the last one takes the tool turns behind it along, so that nothing stays unmarked."""
    place = 0
    for batch, reached in cut(_followed(turns), trigger.threshold, lambda one: trigger.count(one[0].turn.content)):
        last, following = batch[-1]
        forced = trigger.force and (trigger.all_branches or is_head)
        if not (reached or forced or (is_head and trigger.is_idle(last))):
            return
        end = following.ordinal - suffix.start if following else len(suffix.nodes)
        yield Due(str(suffix.session), suffix.branch, tuple(one for one, _ in batch), suffix.nodes[place:end])
        place = end


def _followed(turns: Iterable[PendingTurn]) -> Iterator[tuple[PendingTurn, PendingTurn | None]]:
    """Each turn with the one after it; no further one is read."""
    before: PendingTurn | None = None
    for turn in turns:
        if before is not None:
            yield before, turn
        before = turn
    if before is not None:
        yield before, None


def _shown(pending: PendingTurn) -> BatchTurn:
    turn = pending.turn
    return BatchTurn(
        handle=pending.handle,
        role=turn.role,
        content=turn.content,
        timestamp=turn.timestamp,
        speaker_id=turn.speaker_id,
        speaker_display=turn.speaker_display,
    )


def _source(pending: PendingTurn) -> NewSource:
    """A turn as evidence; unstamped history is the owner's own, trusted, and has no tier (8.13)."""
    turn = pending.turn
    kind = "assistant" if turn.role == "assistant" else "human"
    authority = authority_of(turn) or TrustMetadata(TrustState.TRUSTED, kind, OWNER_PRINCIPAL, None)
    return NewSource(
        content=turn.content,
        role=turn.role,
        handle=pending.handle,
        timestamp=turn.timestamp,
        speaker_id=turn.speaker_id,
        speaker_display=turn.speaker_display,
        trust_state=authority.trust_state,
        tier=authority.authority_tier,
        principal_id=authority.principal_id or UNKNOWN_PRINCIPAL,
        speaker_kind=authority.speaker_kind or kind,
    )
