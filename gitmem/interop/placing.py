"""Turns in an order in which every parent comes before its children, whatever order a file has them in.

A parent that is nowhere, and a circle of parents, are reported; the turn that names it then follows the turn that
stands before it in the file and conversation, as if it had named no parent, or is a root where there is none. What it
named is kept in its metadata as ``stated_parent``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gitmem.interop.reading import Fault, writable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gitmem.interop.reading import Draft, ReadError

STATED_PARENT = "stated_parent"


class Placing:
    """Orders the turns of one conversation as they come; only those that wait for a parent are held."""

    def __init__(self, has: Callable[[str], bool]) -> None:
        """``has`` says whether a turn of that id is in the conversation, or was given to whoever takes them in."""
        self._has = has
        self._count = 0
        self._waiting: dict[str, dict[int, Draft]] = {}

    @property
    def is_waiting(self) -> bool:
        """Whether a turn waits for its parent."""
        return any(self._waiting.values())

    def take(self, draft: Draft) -> Iterator[Draft]:
        """Give what can be taken in now that this turn has come: it, and what waited for it."""
        if draft.parent is None or self._has(draft.parent):
            yield from self._release(draft)
        else:
            self._waiting.setdefault(draft.parent, {})[self._count] = draft
            self._count += 1

    def rest(self) -> Iterator[Draft | ReadError]:
        """Give, at the end of the file, what waited in vain, each with a report; in file order."""
        left = self._left()
        ids = {draft.id for draft in left.values()}
        # Those whose parent is nowhere go first: what follows them is then in its place and needs no report.
        for place, draft in left.items():
            if draft.parent not in ids:
                yield from self._give_up(place, draft, Fault.MISSING_PARENT)
        left = self._left()
        places = {draft.id: place for place, draft in left.items()}
        for place, draft in left.items():
            if place in self._waiting.get(draft.parent or "", {}):
                first = _earliest_of_a_circle(place, left, places)
                yield from self._give_up(first, left[first], Fault.PARENT_CIRCLE)

    def _left(self) -> dict[int, Draft]:
        return dict(sorted(item for held in self._waiting.values() for item in held.items()))

    def _give_up(self, place: int, draft: Draft, code: Fault) -> Iterator[Draft | ReadError]:
        self._waiting[draft.parent or ""].pop(place)
        parent = draft.before if draft.before is not None and self._has(draft.before) else None
        what = "is nowhere" if code is Fault.MISSING_PARENT else "follows it"
        where = "the conversation begins anew there" if parent is None else f"it is put after {parent}"
        yield draft.place.error(code, f"the parent {draft.parent} of {draft.id} {what}; {where}"[:300])
        metadata = {**draft.metadata, STATED_PARENT: writable(draft.parent or "")}
        yield from self._release(replace(draft, parent=parent, metadata=metadata))

    def _release(self, draft: Draft) -> Iterator[Draft]:
        ready = [draft]
        while ready:
            found = ready.pop()
            yield found
            ready.extend(reversed(self._waiting.pop(found.id, {}).values()))


def _earliest_of_a_circle(place: int, left: dict[int, Draft], places: dict[str, int]) -> int:
    """Follow the parents until one comes again: what still waits now leads into a circle."""
    passed: dict[int, int] = {}
    while place not in passed:
        passed[place] = len(passed)
        place = places[left[place].parent or ""]
    return min(found for found, step in passed.items() if step >= passed[place])
