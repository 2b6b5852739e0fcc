"""What the memory holds already of an input that goes on: a run counts it, as if it had written that itself.

Without it, how much is written of a conversation would depend on how often a run was interrupted, and on the size of
the pieces in which it came in. Of a very long one only the last turns are looked at, so that going on costs the same
however long it is.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from gitmem.facts.trust import record_trust
from gitmem.format.model import TrustState
from gitmem.ids import SourceId
from gitmem.writer.base import Written
from gitmem.writer.limits import LONG_INPUT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gitmem.conversations.model import NodeId
    from gitmem.conversations.store import ConversationStore
    from gitmem.facts.base import Facts
    from gitmem.writer.session_batches import Due


MOST_TURNS = 5 * LONG_INPUT
"""How many turns before a batch are looked at: what was written densely while the talk was short weighs little then."""


class Counted:
    """The turns that a run counts: those that it folds, and those before them."""

    def __init__(self, store: ConversationStore) -> None:
        """Nothing is counted yet."""
        self._store = store
        self._nodes: set[NodeId] = set()

    def before(self, due: Due, facts: Facts) -> Written:
        """What was written of the turns that lead to a batch, and were not counted yet; the batch counts from now."""
        handles = tuple(islice(self._line(due), MOST_TURNS))
        self._nodes.update(due.nodes)
        return written_of(handles, facts)

    def _line(self, due: Due) -> Iterator[SourceId]:
        """The turns before the batch, newest first, back to one that is counted."""
        line = self._store.outline(due.turns[0].node)
        next(line)
        for turn in line:
            if turn.node in self._nodes:
                return
            self._nodes.add(turn.node)
            if turn.eligible:
                yield SourceId(f"{due.session}/{turn.id}")


def written_of(handles: Iterable[SourceId], facts: Facts) -> Written:
    """What stands of these messages: the trusted ones that are archived, and the claims that cite them."""
    turns = body_bytes = 0
    prose: dict[str, int] = {}
    for handle in handles:
        record = facts.source(handle)
        if record is None or record_trust(facts, record) is not TrustState.TRUSTED:
            continue
        turns += 1
        body_bytes += record.body_end - record.body_start
        prose.update({claim.id: len(claim.content.encode(errors="replace")) for claim in facts.citing(record.target)})
    return Written(turns, body_bytes, len(prose), sum(prose.values()))
