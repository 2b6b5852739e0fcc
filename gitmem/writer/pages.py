"""Where a person's next words go when their file is full: a page for the month, as ``reorganize`` would make it.

Without it a batch would read and write everything that was ever said, and a long history would cost its square.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.ids import TopicPath
from gitmem.writer.organize_calendar import part_name

if TYPE_CHECKING:
    from gitmem.writer.base import Memory

FULL = 100
"""Blocks of a page, about the 24,000 characters that a file may have."""


class Pages:
    """The pages of a memory as they stand before a batch."""

    def __init__(self, memory: Memory) -> None:
        """Look at pages when they are asked for."""
        self._memory = memory
        self._blocks: dict[TopicPath, int] = {}

    def pages(self, path: TopicPath, month: str) -> tuple[TopicPath, ...]:
        """The file, then the pages of a month (a heading), up to the first with room: there goes what is said now."""
        found = [path]
        while self._is_full(found[-1]):
            name = part_name(month.casefold(), len(found))
            found.append(TopicPath(f"{path.removesuffix('.md')}/{name}.md"))
        return tuple(found)

    def _is_full(self, page: TopicPath) -> bool:
        if page not in self._blocks:
            self._blocks[page] = len(self._memory.of_topic(page))
        return self._blocks[page] >= FULL
