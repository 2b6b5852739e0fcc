"""A ``Tree`` in which files have only what a reader may see, and in which files of which that is nothing are not."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from gitmem.format.layout import CORE_SHARED, is_topic, is_v2_archive
from gitmem.format.topic import claims_of, parse_topic
from gitmem.ids import TopicPath
from gitmem.visible.blanked import blanked_archive, blanked_topic

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.format.model import Archive, Topic
    from gitmem.store.tree import Change, Entry, Tree
    from gitmem.visible.facts import VisibleFacts


class VisibleTree:
    """One state of the files as a reader sees it: topics, framed archives, and the core that is rendered for them."""

    def __init__(self, tree: Tree, facts: VisibleFacts) -> None:
        """Narrow a tree by what the facts let the reader see, which know all messages that it cites."""
        self._tree = tree
        self._facts = facts
        self.topic = cache(self._topic)
        self.archive = cache(self._archive)

    def entry(self, path: str) -> Entry | None:
        """The file at the path; ``None`` when the reader sees nothing of it."""
        return self._tree.entry(path) if self._is_visible(path) else None

    def read(self, path: str) -> bytes | None:
        """The file's bytes with blanks for what is hidden."""
        if path == CORE_SHARED:
            return self._tree.read(path)
        if is_topic(path):
            topic = self.topic(path)
            return None if topic is None else topic.text.encode("utf-8", "surrogateescape")
        archive, whole = self.archive(path), self._tree.archive(path) if is_v2_archive(path) else None
        if archive is None or whole is None:
            return None
        return blanked_archive(self._tree.read(path) or b"", whole, archive.records)

    def entries(self, prefix: str = "") -> Iterator[Entry]:
        """Every file at or below the prefix of which something is visible."""
        return (entry for entry in self._tree.entries(prefix) if self._is_visible(entry.path))

    def names(self, folder: str) -> tuple[str, ...]:
        """The names directly in a folder of what is visible."""
        start = f"{folder}/" if folder else ""
        return tuple(dict.fromkeys(entry.path[len(start) :].partition("/")[0] for entry in self.entries(folder)))

    def changes(self, parent: Tree) -> tuple[Change, ...]:
        """The paths that differ in what is visible."""
        before = parent._tree if isinstance(parent, VisibleTree) else parent  # noqa: SLF001  (of this class)
        return tuple(
            replace(change, old=parent.entry(change.path), new=self.entry(change.path))
            for change in self._tree.changes(before)
            if parent.read(change.path) != self.read(change.path)
        )

    def _is_visible(self, path: str) -> bool:
        if is_topic(path):
            return self.topic(path) is not None
        return path == CORE_SHARED or (is_v2_archive(path) and self.archive(path) is not None)

    def _topic(self, path: str) -> Topic | None:
        """The topic with its visible blocks; ``None`` when it has none."""
        whole = self._tree.topic(path)
        if whole is None:
            return None
        pairs = zip(whole.blocks, claims_of(whole), strict=True)
        shown = [block for block, claim in pairs if self._facts.sees_claim(claim)]
        return parse_topic(TopicPath(path), blanked_topic(whole, shown)) if shown else None

    def _archive(self, path: str) -> Archive | None:
        """The archive with its visible messages; ``None`` when it has none."""
        whole = self._tree.archive(path)
        shown = tuple(record for record in whole.records if self._facts.sees_record(record)) if whole else ()
        return replace(whole, records=shown) if whole is not None and shown else None
