"""The memory as a writer reads it: topics of one state, and no archive (``behaviours.md`` 8.9)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.format.layout import is_topic
from gitmem.ids import TopicPath

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.facts.base import Facts
    from gitmem.format.model import Claim
    from gitmem.store.tree import Tree


@dataclass(frozen=True, slots=True)
class WriterMemory:
    """The little of the memory that a writer reads."""

    facts: Facts
    tree: Tree

    def topics(self, folder: str) -> tuple[TopicPath, ...]:
        """The topic files directly inside a folder."""
        names = (f"{folder}/{name}" for name in self.tree.names(folder))
        return tuple(TopicPath(path) for path in names if is_topic(path))

    def paths(self) -> tuple[TopicPath, ...]:
        """Every topic file."""
        return tuple(sorted(_topics(self.tree)))

    def text(self, path: TopicPath) -> str | None:
        """A topic file; what is not UTF-8 in it is shown as replacement characters."""
        data = self.tree.read(path) if is_topic(path) else None
        return None if data is None else data.decode("utf-8", "replace")

    def of_topic(self, path: TopicPath) -> tuple[Claim, ...]:
        """The claims of one file."""
        return self.facts.of_topic(path)


def _topics(tree: Tree) -> Iterator[TopicPath]:
    for entry in tree.entries("topics"):
        if is_topic(entry.path):
            yield TopicPath(entry.path)
