"""Questions about the first-parent history: which commits, what each did, and what became of a block."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.catalog.step import Event, EventKind
from gitmem.ids import Oid

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gitmem.catalog.database import Reading, Row, Value
    from gitmem.ids import BlockId, SourceId

_EVENT = "event.kind, event.id, event.path, event.ordinal, event.other"


@dataclass(frozen=True, slots=True)
class ChainLink:
    """One commit of the first-parent line; ``seq`` counts from the root, ``derive`` says that it is a D."""

    seq: int
    commit: Oid
    derive: bool


@dataclass(frozen=True, slots=True)
class Step:
    """A commit's place, what it did, and the paths, derived ones left out, that it changed."""

    link: ChainLink
    events: tuple[Event, ...]
    touched: tuple[str, ...]


class CatalogHistory:
    """The first-parent line that ends in a commit, newest first unless said otherwise.

    ``until`` ends the chain of the database earlier, ``beyond`` continues it with commits that are not in it: the
    line of another branch.
    """

    def __init__(self, reading: Reading, until: int | None = None, beyond: tuple[Step, ...] = ()) -> None:
        """Ask this state of the database."""
        self._reading = reading
        self._until = (1 << 62) if until is None else until
        self._beyond = beyond

    def find(self, commit: Oid) -> ChainLink | None:
        """The commit's place; ``None`` when it is not on the line."""
        own = next((step.link for step in self._beyond if step.link.commit == commit), None)
        return own or self._link("WHERE oid = ? AND seq <= ?", (commit, self._until))

    def revision(self, commit: Oid | None = None) -> ChainLink | None:
        """The newest commit that is not a D, up to a commit of the line (default: its end)."""
        end = None if commit is None else self.find(commit)
        return next(iter(self.commits(1, until=end)), None)

    def derived(self, link: ChainLink) -> Oid | None:
        """The D that stands on a commit, if it is the next on the line."""
        following = self._at(link.seq + 1)
        return following.commit if following is not None and following.derive else None

    def commits(self, limit: int, *, until: ChainLink | None = None) -> tuple[ChainLink, ...]:
        """The last commits that are not D, from ``until`` (included) on."""
        end = (1 << 62) if until is None else until.seq
        own = [s.link for s in reversed(self._beyond) if s.link.seq <= end and not s.link.derive][:limit]
        rows = self._reading.rows(
            "SELECT seq, oid, derive FROM chain WHERE derive = 0 AND seq <= ? ORDER BY seq DESC LIMIT ?",
            (min(end, self._until), limit - len(own)),
        )
        return (*own, *map(_link, rows))

    def touching(self, path: str, limit: int, *, until: ChainLink | None = None) -> tuple[ChainLink, ...]:
        """The last commits that changed a file, or a file below a folder."""
        end = (1 << 62) if until is None else until.seq
        below = f"{path}/"
        own = [
            step.link
            for step in reversed(self._beyond)
            if step.link.seq <= end and any(found == path or found.startswith(below) for found in step.touched)
        ][:limit]
        rows = self._reading.rows(
            "SELECT seq, oid, derive FROM chain WHERE seq IN"
            " (SELECT seq FROM touched WHERE path = ? OR (path > ? AND path < ?)) AND seq <= ?"
            " ORDER BY seq DESC LIMIT ?",
            (path, below, f"{path}0", min(end, self._until), limit - len(own)),
        )
        return (*own, *map(_link, rows))

    def events(self, commit: Oid) -> tuple[Event, ...]:
        """What a commit of the line did, by kind, path and place; a D did nothing."""
        for step in self._beyond:
            if step.link.commit == commit:
                return step.events
        rows = self._reading.rows(
            f"SELECT {_EVENT} FROM chain CROSS JOIN event ON event.seq = chain.seq WHERE oid = ? AND chain.seq <= ?",  # noqa: S608
            (commit, self._until),
        )
        return in_order(map(_event, rows))

    def block(self, block_id: BlockId) -> tuple[tuple[ChainLink, Event], ...]:
        """What was done to a block under this id, oldest first."""
        return self._events_of(block_id)

    def archived(self, handle: SourceId) -> ChainLink | None:
        """The first commit that archived a message with this handle."""
        found = (link for link, event in self._events_of(handle) if event.kind is EventKind.ARCHIVED)
        return next(found, None)

    def _events_of(self, name: str) -> tuple[tuple[ChainLink, Event], ...]:
        rows = self._reading.rows(
            f"SELECT chain.seq, oid, derive, {_EVENT} FROM event CROSS JOIN chain ON chain.seq = event.seq"  # noqa: S608
            " WHERE event.id = ? AND event.seq <= ? ORDER BY event.seq, event.rowid",
            (name, self._until),
        )
        own = ((step.link, event) for step in self._beyond for event in step.events if event.id == name)
        return (*((_link(row[:3]), _event(row[3:])) for row in rows), *own)

    def _at(self, seq: int) -> ChainLink | None:
        own = next((step.link for step in self._beyond if step.link.seq == seq), None)
        return own or self._link("WHERE seq = ? AND seq <= ?", (seq, self._until))

    def _link(self, where: str, values: tuple[Value, ...]) -> ChainLink | None:
        row = self._reading.row(f"SELECT seq, oid, derive FROM chain {where}", values)  # noqa: S608  (from this class)
        return None if row is None else _link(row)


def in_order(events: Iterable[Event]) -> tuple[Event, ...]:
    """Events by kind, in the order of ``EventKind``, then by path and place."""
    kinds = list(EventKind)
    return tuple(sorted(events, key=lambda event: (kinds.index(event.kind), event.path, event.ordinal, event.id)))


def _link(row: Row) -> ChainLink:
    return ChainLink(row[0], Oid(row[1]), bool(row[2]))


def _event(row: Row) -> Event:
    return Event(EventKind(row[0]), *row[1:])
