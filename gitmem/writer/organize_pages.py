"""The topics while they are being put in order: texts over those of a tree, nothing staged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.format.layout import is_topic
from gitmem.format.topic import parse_topic
from gitmem.ids import TopicPath
from gitmem.request import FileDelete, FilesEdit, FileWrite, NoEdit

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitmem.format.model import Topic
    from gitmem.ids import BlockId
    from gitmem.store.tree import Tree


class Pages:
    """Topic files by path. Nothing is put over a file that is spared, as if it could not be read."""

    def __init__(self, tree: Tree, spared: frozenset[str] = frozenset()) -> None:
        """Begin with the files of a tree; those at ``spared`` paths, and what they are parts of, are left alone."""
        self._tree = tree
        self._spared = {above for path in spared for above in (path, f"{path.rpartition('/')[0]}.md")}
        self._texts: dict[TopicPath, str | None] = {}
        self._topics: dict[TopicPath, Topic | None] = {}
        self._homes: dict[BlockId, TopicPath] = {}

    def paths(self) -> tuple[TopicPath, ...]:
        """Every topic file that stands now, sorted."""
        stood = {TopicPath(entry.path) for entry in self._tree.entries("topics") if is_topic(entry.path)}
        gone = {path for path, text in self._texts.items() if text is None}
        return tuple(sorted({*stood, *self._texts} - gone))

    def stands(self, path: TopicPath) -> bool:
        """Whether there is a file, readable or not."""
        return self._texts[path] is not None if path in self._texts else self._tree.entry(path) is not None

    def stood(self, path: TopicPath) -> bool:
        """Whether the tree has a file there."""
        return self._tree.entry(path) is not None

    def size(self, path: TopicPath) -> int:
        """Characters of a file; of one that was not changed at least as many as it has, which reads no text."""
        text = self._texts.get(path)
        return len(text) if text is not None else len(self._tree.read(path) or b"")

    def topic(self, path: TopicPath) -> Topic | None:
        """A file as it stands now, its line ends LF; ``None`` when there is none, or none that may be changed."""
        if path not in self._topics:
            text = self._texts[path] if path in self._texts else self._stood(path)
            self._topics[path] = None if text is None else parse_topic(path, text)
        return self._topics[path]

    def _stood(self, path: TopicPath) -> str | None:
        data = None if path in self._spared else self._tree.read(path)
        try:
            return None if data is None else data.decode().replace("\r\n", "\n")
        except UnicodeDecodeError:
            return None

    def put(self, topics: Mapping[TopicPath, Topic | None]) -> None:
        """Let files stand as these; ``None`` takes one away."""
        for path, topic in topics.items():
            self._topics[path] = topic
            self._texts[path] = None if topic is None else topic.text
            self._homes.update((name, path) for block in (topic.blocks if topic else ()) for name in block.ids)

    @property
    def homes(self) -> Mapping[BlockId, TopicPath]:
        """The file of every block of every file that was put."""
        return self._homes

    def changes(self) -> FilesEdit | NoEdit:
        """The files that differ from the tree's, sorted."""
        changed = tuple(
            FileDelete(path) if text is None else FileWrite(path, text)
            for path, text in sorted(self._texts.items())
            if text != self._stood(path)
        )
        return FilesEdit(changed) if changed else NoEdit()
