"""Topics as they are staged over the memory: what stands now, and what differs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.errors import Code, NotFound
from gitmem.format.topic import parse_topic
from gitmem.request import FileDelete, FilesEdit, FileWrite, NoEdit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gitmem.format.model import Block
    from gitmem.ids import BlockId, TopicPath
    from gitmem.writer.base import Memory


class Stage:
    """Changed files in memory over what a memory holds."""

    def __init__(self, memory: Memory, edit: FilesEdit | None = None) -> None:
        """Begin with the memory, or with an earlier edit of it."""
        self._memory = memory
        self._staged: dict[TopicPath, str | None] = {}
        for change in edit.changes if edit is not None else ():
            self._staged[change.path] = change.content if isinstance(change, FileWrite) else None

    def paths(self) -> tuple[TopicPath, ...]:
        """Every topic file as it stands now, sorted."""
        gone = {path for path, text in self._staged.items() if text is None}
        return tuple(sorted({*self._memory.paths(), *self._staged} - gone))

    def text(self, path: TopicPath) -> str | None:
        """A file as it stands now, ``None`` when there is none; looking so counts no block as seen."""
        return self._staged[path] if path in self._staged else self._memory.text(path)

    def existing(self, path: TopicPath) -> str:
        """The same. Raises ``NotFound`` (``PATH_NOT_FOUND``)."""
        text = self.text(path)
        if text is None:
            raise NotFound(Code.PATH_NOT_FOUND, f"there is no file {path}", path=path)
        return text

    def put(self, path: TopicPath, text: str | None) -> None:
        """Let a file be this text, or nothing."""
        self._staged[path] = text

    def changes(self) -> FilesEdit | NoEdit:
        """The files that differ from the memory, sorted; a file that moved is one deleted and one written."""
        changed = tuple(
            FileDelete(path) if text is None else FileWrite(path, text)
            for path, text in sorted(self._staged.items())
            if text != self._memory.text(path)
        )
        return FilesEdit(changed) if changed else NoEdit()

    def removed(self) -> frozenset[BlockId]:
        """The blocks of the memory that stand nowhere any more; one that was merged into another is not removed."""
        before: set[BlockId] = set()
        after: set[BlockId] = set()
        for path, text in self._staged.items():
            before.update(self._ids(path, self._memory.text(path)))
            after.update(self._ids(path, text))
        return frozenset(before - after)

    def of_memory(self, path: TopicPath) -> frozenset[BlockId]:
        """The blocks of a file as it stands now that are not new: the memory has them, there or in a changed file."""
        known = {block for place in {path, *self._staged} for block in self._ids(place, self._memory.text(place))}
        return frozenset(known.intersection(self._ids(path, self.text(path))))

    @staticmethod
    def _ids(path: TopicPath, text: str | None) -> Iterator[BlockId]:
        return ids_of(parse_topic(path, text or "").blocks)


def ids_of(blocks: Iterable[Block]) -> Iterator[BlockId]:
    """Every id of some blocks."""
    for block in blocks:
        yield from block.ids
