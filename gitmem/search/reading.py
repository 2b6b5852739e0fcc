"""Reading one thing whole: a file, a section, a block, or an archived message (``cli.md``, ``get``)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.answers import BlockAnswer, block_answer
from gitmem.catalog.corpus import prefixes
from gitmem.errors import Code, NotFound
from gitmem.format import layout
from gitmem.ids import BlockId, SourceId, Target
from gitmem.search.hits import BLOCK, SOURCE
from gitmem.search.messages import Messages, framed_text
from gitmem.search.paths import find_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gitmem.format.model import Block, Claim, Definition, Heading, Record, Topic
    from gitmem.memory import Memory

MOST_CHARACTERS = 200_000
"""How much of a file one answer gives (15.2)."""

SEPARATOR = " > "

_BLANKS = re.compile(r"\n(?:[ \t]*\n)+")

TOPIC, SECTION, ARCHIVE, VIEW, FILE = "topic", "section", "archive", "view", "file"
_BLOCK_MARK = "#^"


@dataclass(frozen=True, slots=True)
class GetAnswer:
    """What stands there: ``kind`` is topic, section, block, source, archive, view or file.

    ``line`` is where it begins in its file. ``content`` is the Markdown as it stands: a block or section with the
    footnotes that its citations need, archives and messages without the metadata comment (16.11). ``blocks`` are those
    in the content. ``truncated``: the content was cut.
    """

    revision: str | None
    fresh: bool
    path: str
    kind: str
    line: int
    headings: tuple[str, ...]
    content: str
    blocks: tuple[BlockAnswer, ...]
    truncated: bool


def get(memory: Memory, what: str, *, heading: str | None = None, block: str | None = None) -> GetAnswer:
    """Read what a path, a block id in any of its forms, a handle, or ``path#anchor`` names.

    ``heading`` (``A > B``: under A) and ``block`` narrow a topic's path. Raises ``NotFound``: ``PATH_NOT_FOUND``,
    ``MEMORY_NOT_FOUND`` or ``SOURCE_NOT_FOUND``.
    """
    return _Reader(memory).read(what, heading, block)


class _Reader:
    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._tree = memory.snapshot
        self._facts = memory.facts

    def read(self, what: str, heading: str | None, block: str | None) -> GetAnswer:
        path, mark, fragment = what.partition("#")
        if mark and fragment.startswith("^"):
            return self._block(fragment[1:], self._file(path) if path else None)
        if mark:
            return self._message(self._at_anchor(path, fragment))
        found = find_file(self._tree, what)
        if found is not None:
            return self._path(found, heading, block)
        if heading is not None or block is not None:
            raise _no_file(what)
        record = self._facts.source(SourceId(what))
        if record is not None:
            return self._message(record)
        if _is_path(what):
            raise _no_file(what)
        if layout.is_handle(what):
            raise _no_source(what)
        return self._block(what.removeprefix("^"), None)

    def _file(self, path: str) -> str:
        found = find_file(self._tree, path)
        if found is None:
            raise _no_file(path)
        return found

    def _path(self, path: str, heading: str | None, block: str | None) -> GetAnswer:
        if block is not None:
            return self._block(block.rpartition("^")[2], path)
        if layout.is_topic(path):
            return self._section(path, heading) if heading is not None else self._topic(path)
        if heading is not None:
            raise _no_heading(path, heading)
        data = self._tree.read(path) or b""
        if layout.is_v2_archive(path):
            archive = self._tree.archive(path)
            return self._answer(path, ARCHIVE, framed_text(data, archive.records if archive else ()))
        kind = ARCHIVE if layout.is_legacy_archive(path) else VIEW if layout.is_derived(path) else FILE
        return self._answer(path, kind, data.decode("utf-8", "replace"))

    # --- topics

    def _parsed(self, path: str) -> Topic:
        topic = self._tree.topic(path)
        if topic is None:
            raise _no_file(path)
        return topic

    def _topic(self, path: str) -> GetAnswer:
        topic = self._parsed(path)
        return self._answer(path, TOPIC, topic.text, blocks=self._blocks(topic.blocks, path))

    def _section(self, path: str, heading: str) -> GetAnswer:
        topic = self._parsed(path)
        wanted = tuple(title.strip() for title in heading.split(SEPARATOR))
        for found, titles in _with_titles(topic.headings):
            if titles[-len(wanted) :] == wanted:
                end = next((h.start for h in topic.headings if h.start > found.start and h.level <= found.level), None)
                blocks = [block for block in topic.blocks if found.start <= block.start < (end or len(topic.text))]
                text = topic.text[found.start : end].rstrip("\n")
                content = _with_footnotes(topic, text, blocks, found.start, end)
                shown = self._blocks(blocks, path)
                return self._answer(path, SECTION, content, line=found.line, headings=titles, blocks=shown)
        raise _no_heading(path, heading)

    def _block(self, wanted: str, path: str | None) -> GetAnswer:
        claim = self._claim(BlockId(wanted), path)
        topic = self._parsed(claim.path)
        block = next(block for block in topic.blocks if block.id == claim.id)
        content = _with_footnotes(topic, topic.text[block.start : block.end].strip("\n"), [block], 0, 0)
        shown = (block_answer(self._facts, claim),)
        return self._answer(claim.path, BLOCK, content, line=claim.line, headings=claim.headings, blocks=shown)

    def _claim(self, wanted: BlockId, path: str | None) -> Claim:
        for claim in self._facts.claims(wanted):
            if path is None or claim.path == path:
                return claim
        where = "stands in the memory" if path is None else f"stands in {path}"
        message = f"no block ^{wanted} {where}; `gitmem search` finds blocks, `gitmem history` old ones"
        raise NotFound(Code.MEMORY_NOT_FOUND, message, path=path, details={"memory_id": wanted})

    def _blocks(self, blocks: Iterable[Block], path: str) -> tuple[BlockAnswer, ...]:
        standing = {block.start for block in blocks}
        topic = self._parsed(path)
        claims = self._facts.of_topic(topic.path)
        pairs = zip(topic.blocks, claims, strict=True)
        return tuple(block_answer(self._facts, claim) for block, claim in pairs if block.start in standing)

    # --- messages

    def _at_anchor(self, path: str, anchor: str) -> Record:
        named = f"{path}#{anchor}"
        for physical in prefixes(path.removeprefix("./")):
            record = self._facts.record(Target(f"{physical}#{anchor}"))
            if record is not None:
                return record
        raise _no_source(named)

    def _message(self, record: Record) -> GetAnswer:
        text = Messages(self._tree).text(record)
        return self._answer(record.path, SOURCE, text, line=record.line)

    def _answer(  # noqa: PLR0913  (the parts of an answer)
        self,
        path: str,
        kind: str,
        content: str,
        *,
        line: int = 1,
        headings: tuple[str, ...] = (),
        blocks: tuple[BlockAnswer, ...] = (),
    ) -> GetAnswer:
        if self._memory.narrowing is not None:
            content = _BLANKS.sub("\n\n", content).strip() + "\n"  # what is hidden is blank, however much it is
        return GetAnswer(
            revision=self._memory.revision,
            fresh=self._memory.fresh,
            path=path,
            kind=kind,
            line=line,
            headings=headings,
            content=content[:MOST_CHARACTERS],
            blocks=blocks,
            truncated=len(content) > MOST_CHARACTERS,
        )


def _with_titles(headings: Iterable[Heading]) -> Iterator[tuple[Heading, tuple[str, ...]]]:
    """Every heading with the titles from the outermost down to its own."""
    above: tuple[Heading, ...] = ()
    for heading in headings:
        above = (*(h for h in above if h.level < heading.level), heading)
        yield heading, tuple(h.title for h in above)


def _with_footnotes(topic: Topic, text: str, blocks: Iterable[Block], start: int, end: int | None) -> str:
    """The text, and after it the definitions that its blocks need and that do not stand between the offsets."""
    definitions: dict[str, Definition] = {}
    for definition in topic.definitions:
        definitions.setdefault(definition.id, definition)
    needed = dict.fromkeys(citation.id for block in blocks for citation in block.citations)
    outside = (
        topic.text[found.start : found.end].strip("\n")
        for found in map(definitions.get, needed)
        if found is not None and not (start <= found.start and (end is None or found.start < end))
    )
    return "\n\n".join((text, *outside)) + "\n"


def _is_path(what: str) -> bool:
    parts = what.split("/")
    return what.endswith(".md") or parts[0] in {layout.TOPICS, layout.SOURCES, layout.TIMELINE, "."}


def _no_file(path: str) -> NotFound:
    message = f"there is no file {path} in the memory; `gitmem browse` lists what there is"
    return NotFound(Code.PATH_NOT_FOUND, message, path=path)


def _no_heading(path: str, heading: str) -> NotFound:
    message = f"{path} has no heading {heading!r}; `gitmem get {path}` shows them"
    return NotFound(Code.PATH_NOT_FOUND, message, path=path, details={"heading": heading})


def _no_source(named: str) -> NotFound:
    message = f"no archived message is called {named}; `gitmem browse sources` lists the archives"
    return NotFound(Code.SOURCE_NOT_FOUND, message, details={"source": named})
