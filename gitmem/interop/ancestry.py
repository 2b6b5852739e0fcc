"""Which turn an item of a tree follows, when items above it left no turn."""

from __future__ import annotations


class Ancestry:
    """The items of one conversation: those that became turns, and the parents of those that did not.

    Every item is told of once. What follows an item without turn follows what that followed.
    """

    def __init__(self) -> None:
        """Know of no item."""
        self._ends: dict[str, str] = {}
        self._above: dict[str, str | None] = {}

    def keep(self, name: str, end: str | None = None) -> None:
        """Tell of an item that became turns, the last of which has the id ``end``, by default the item's own."""
        self._ends[name] = end or name

    def skip(self, name: str, parent: str | None) -> None:
        """Tell of an item that left no turn."""
        self._above[name] = parent

    def turn_at(self, name: str | None) -> str | None:
        """The id of the item's turn, or of the nearest one above that has one.

        ``None`` above the root; a name that nothing was told of is given back as it is.
        """
        nearest = self._nearest(name)
        return None if nearest is None else self._ends.get(nearest, nearest)

    def kept_turn_at(self, name: str | None) -> str | None:
        """As ``turn_at``, but ``None`` also where that turn was not told of."""
        nearest = self._nearest(name)
        return None if nearest is None else self._ends.get(nearest)

    def _nearest(self, name: str | None) -> str | None:
        passed: dict[str, None] = {}
        while name is not None and name not in self._ends and name in self._above:
            if name in passed:  # a circle of items without turns leads nowhere
                name = None
                break
            passed[name] = None
            name = self._above[name]
        self._above.update(dict.fromkeys(passed, name))
        return name
