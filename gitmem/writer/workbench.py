"""The topics as an agent edits them: staged in memory over what stands, nothing else in reach (``behaviours.md`` 0.7).

Paths are workspace paths of Markdown files below ``topics/``; everything else is refused, whatever its letter case.
What the agent was shown is remembered block by block, because only that may it take away.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from gitmem.edit.rebase import rebased
from gitmem.edit.splice import cut
from gitmem.edit.topic_path import topic_path
from gitmem.errors import Code, InvalidRequest, NotFound, Refused
from gitmem.format.topic import parse_topic
from gitmem.search.grep import GrepQuery, line_test
from gitmem.writer.workbench_glob import Glob
from gitmem.writer.workbench_stage import Stage, ids_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from gitmem.format.model import Block
    from gitmem.ids import BlockId, TopicPath
    from gitmem.request import FilesEdit
    from gitmem.writer.base import Memory

READ_CHARACTERS = 200_000
"""How much of a file one reading gives (15.4)."""

MOST_ROWS = 500
"""Rows that one look for lines or files gives (15.4)."""

GREP_SECONDS = 5.0
"""How long one expression may take over all topics (17.15)."""

NO_REASONS: Mapping[BlockId, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Lines of a file from ``first`` on, counted from 1; ``whole`` when the rest of the file is in it."""

    text: str
    first: int
    whole: bool


@dataclass(frozen=True, slots=True)
class Rows:
    """What a look found, as rows of text; ``truncated`` when there is more."""

    rows: tuple[str, ...] = ()
    truncated: bool = False

    def with_more(self, rows: Iterable[str]) -> Rows:
        """These and further rows, up to ``MOST_ROWS`` and ``READ_CHARACTERS`` in all."""
        held, size = list(self.rows), sum(map(len, self.rows))
        for row in rows:
            size += len(row)
            if len(held) == MOST_ROWS or size > READ_CHARACTERS:
                return Rows(tuple(held), truncated=True)
            held.append(row)
        return Rows(tuple(held))


class Workbench(Stage):
    """One piece of an agent's work on the topics. Paths and arguments that do not fit raise ``GitmemError``."""

    def __init__(
        self,
        memory: Memory,
        edit: FilesEdit | None = None,
        seen: Iterable[BlockId] = (),
        reasons: Mapping[BlockId, str] = NO_REASONS,
    ) -> None:
        """Begin with the memory, or with an earlier edit of it, what was ``seen`` for that, and its ``reasons``."""
        super().__init__(memory, edit)
        self._seen = set(seen)
        self.reasons = dict(reasons)
        """Why blocks are gone, as far as anybody said."""

    # --- looking

    @property
    def seen(self) -> frozenset[BlockId]:
        """Every block whose whole text was given away by this bench."""
        return frozenset(self._seen)

    def show(self, blocks: Iterable[BlockId]) -> None:
        """Count blocks as seen that the agent was shown in another way, such as in its task."""
        self._seen.update(blocks)

    def read(self, path: str, first: int = 1, lines: int | None = None) -> Excerpt:
        """Lines of a file, at most ``READ_CHARACTERS``. Raises ``NotFound`` (``PATH_NOT_FOUND``)."""
        name = topic_path(path)
        every = self.existing(name).split("\n")
        start = max(first, 1)
        wanted = every[start - 1 :] if lines is None else every[start - 1 : start - 1 + max(lines, 0)]
        text = "\n".join(wanted)
        cut_text = text[:READ_CHARACTERS]
        held = cut_text.count("\n") + (1 if len(cut_text) == len(text) and wanted else 0)
        self._note(name, set(range(start, start + held)))
        return Excerpt(cut_text, start, whole=start - 1 + held >= len(every))

    def grep(self, pattern: str, path: str = "topics", *, ignore_case: bool = False, literal: bool = False) -> Rows:
        """Lines that match, as ``path:line:text``. Raises ``InvalidRequest`` for a pattern that is none or too slow."""
        test = line_test(GrepQuery(pattern, ignore_case=ignore_case, is_regex=not literal, seconds=GREP_SECONDS))
        found = Rows()
        for name in self._inside(path):
            lines = [
                (number, line) for number, line in enumerate(self.existing(name).split("\n"), 1) if test.line(line)
            ]
            more = found.with_more(f"{name}:{number}:{line}" for number, line in lines)
            given = len(more.rows) - len(found.rows)
            self._note(name, {number for number, _ in lines[:given]})
            found = more
            if found.truncated:
                break
        return found

    def glob(self, pattern: str) -> Rows:
        """The files whose path fits a pattern such as ``topics/people/*.md`` or ``**/*.md``."""
        wanted = Glob(pattern)
        return Rows().with_more(path for path in self.paths() if wanted.fits(path))

    def list(self, folder: str = "topics") -> Rows:
        """The files directly in a folder and the folders in it, these with a ``/`` behind them."""
        start = f"{_folder(folder)}/"
        inside = [path.removeprefix(start).partition("/") for path in self.paths() if path.startswith(start)]
        if not inside and start != "topics/":
            raise NotFound(Code.PATH_NOT_FOUND, f"there is no folder {folder}", path=folder)
        return Rows().with_more(sorted({f"{start}{name}{slash}" for name, slash, _ in inside}))

    # --- changing

    def write(self, path: str, content: str) -> TopicPath:
        """Create a file, or replace all of it."""
        name = topic_path(path)
        self.put(name, _unicode(content))
        return name

    def edit(self, path: str, old: str, new: str, *, replace_all: bool = False) -> int:
        """Replace a text that stands exactly once in the file, or with ``replace_all`` wherever it stands; how often.

        Raises ``Refused`` (``PATCH_CONFLICT``) when it does not stand there, or more than once.
        """
        name = topic_path(path)
        text = self.existing(name)
        if not old or old == new:
            message = "give the text that is to be replaced, and another one in its place"
            raise InvalidRequest(Code.INVALID_ARGUMENT, message, path=name)
        found = text.count(old)
        if found == 0 or (found > 1 and not replace_all):
            hint = "it is not in the file" if found == 0 else f"it is there {found} times; give more of what is around"
            raise Refused(Code.PATCH_CONFLICT, f"{name}: {hint}", path=name)
        self.put(name, _unicode(text.replace(old, new)))
        return found

    def move(self, path: str, to: str) -> TopicPath:
        """Rename a file; its links go on reaching what they reached. Raises ``Refused`` where another file stands."""
        name, goal = topic_path(path), topic_path(to)
        text = self.existing(name)
        if self.text(goal) is not None:
            message = f"{goal} already exists; move its blocks there by editing both files"
            raise Refused(Code.PATCH_CONFLICT, message, path=goal)
        self.put(goal, rebased(parse_topic(name, text), goal))
        self.put(name, None)
        return goal

    def remove(self, path: str) -> tuple[BlockId, ...]:
        """Delete a file; the ids of the blocks that go with it."""
        name = topic_path(path)
        gone = ids_of(parse_topic(name, self.existing(name)).blocks)
        self.put(name, None)
        return tuple(gone)

    def remove_block(self, block: str) -> tuple[BlockId, ...]:
        """Take one block out of the file it stands in; every id that it had.

        Raises ``NotFound`` (``MEMORY_NOT_FOUND``).
        """
        wanted = block.removeprefix("^")
        for name in self.paths():
            text = self.existing(name)
            if wanted in text:
                for found in parse_topic(name, text).blocks:
                    if wanted in found.ids:
                        self.put(name, _without(text, found))
                        return found.ids
        raise NotFound(Code.MEMORY_NOT_FOUND, f"there is no block ^{wanted}")

    # --- inside

    def _inside(self, path: str) -> Iterator[TopicPath]:
        """The files below a folder, or the one file."""
        if path.endswith(".md"):
            self.existing(name := topic_path(path))
            yield name
        else:
            start = f"{_folder(path)}/"
            yield from (name for name in self.paths() if name.startswith(start))

    def _note(self, path: TopicPath, lines: set[int]) -> None:
        """Count the blocks as seen of which every line was given."""
        text = self.existing(path)
        for block in parse_topic(path, text).blocks if lines else ():
            last = block.line + text.count("\n", block.start, block.end)
            if lines.issuperset(range(block.line, last + 1)):
                self._seen.update(block.ids)


def _without(text: str, block: Block) -> str:
    """A legacy unit shares its paragraph with others; any other block is a paragraph."""
    return text[: block.start] + text[block.end :] if block.legacy else cut(text, block.start, block.end)


def _folder(written: str) -> str:
    """A folder's path without steps; raises as ``topic_path`` does for what is not below ``topics/``."""
    return topic_path(f"{written.rstrip('/')}/x.md").removesuffix("/x.md")


def _unicode(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InvalidRequest(Code.INVALID_ARGUMENT, "the text holds half a surrogate pair") from error
    return text
