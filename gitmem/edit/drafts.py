"""The topic texts that an edit is working on, over what is staged; nothing is staged before ``flush``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.errors import Code, NotFound, Refused
from gitmem.format.markdown import SpanKind, scan
from gitmem.format.topic import parse_topic

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.edit.base import StagingArea
    from gitmem.facts.base import Facts
    from gitmem.format.model import Block, Topic
    from gitmem.ids import BlockId, TopicPath

_SURROGATES = "surrogateescape"  # a file that is not UTF-8 keeps the bytes that nobody edits


@dataclass(frozen=True, slots=True)
class Located:
    """A block with the state of the topic it was found in."""

    topic: Topic
    block: Block

    @property
    def path(self) -> TopicPath:
        """The topic's path."""
        return self.topic.path


class Drafts:
    """Texts with LF line ends; ``None`` stands for a file that is not there."""

    def __init__(self, staging: StagingArea, facts: Facts) -> None:
        """Work over ``staging``; ``facts`` are those of its state before the edit."""
        self.facts = facts
        self._staging = staging
        self._texts: dict[TopicPath, str | None] = {}
        self._topics: dict[TopicPath, Topic] = {}
        self._befores: dict[TopicPath, Topic | None] = {}

    @property
    def touched(self) -> tuple[TopicPath, ...]:
        """Paths that were put, sorted."""
        return tuple(sorted(self._texts))

    def before(self, path: TopicPath) -> str | None:
        """The staged text, CRLF read as LF."""
        data = self._staging.read(path)
        return None if data is None else data.decode("utf-8", _SURROGATES).replace("\r\n", "\n")

    def topic_before(self, path: TopicPath) -> Topic | None:
        """The parse of the text before, for a renamed file of the text that it brought along."""
        if path not in self._befores:
            text = self.before(path)
            self._befores[path] = None if text is None else self._parsed(path, text)
        return self._befores[path]

    def _parsed(self, path: TopicPath, text: str) -> Topic:
        staged = self._staging.topic(path)
        return staged if staged is not None and staged.text == text else parse_topic(path, text)

    def text(self, path: TopicPath) -> str | None:
        """The text as edited so far."""
        return self._texts[path] if path in self._texts else self.before(path)

    def topic(self, path: TopicPath) -> Topic | None:
        """The parse of the text as edited so far."""
        if path not in self._texts:
            return self.topic_before(path)
        text = self._texts[path]
        if text is None:
            return None
        known = self._topics.get(path)
        if known is None or known.text != text:
            known = self._topics[path] = parse_topic(path, text)
        return known

    def put(self, path: TopicPath, text: str | None) -> None:
        """Set the text; ``None`` removes the file."""
        self._texts[path] = text

    def rename(self, path: TopicPath, to: TopicPath, text: str) -> None:
        """Put the file at ``to`` with a text whose relative links fit there; it counts as what stood there before."""
        self.put(path, None)
        self.put(to, text)
        self._befores[to] = parse_topic(to, text)

    def locate(self, block_id: BlockId) -> Located:
        """The one block that carries the id, as its own or as an alias.

        Raises ``NotFound(MEMORY_NOT_FOUND)``, and ``Refused`` when two blocks carry it.
        """
        found = list(self._holding(block_id))
        if not found:
            raise NotFound(Code.MEMORY_NOT_FOUND, f"no block has the id {block_id}", details={"memory_ids": [block_id]})
        if len(found) > 1:
            places = ", ".join(f"{place.path}:{place.block.line}" for place in found)
            raise Refused(
                Code.INVALID_TOPIC_FORMAT, f"the id {block_id} stands on several blocks ({places}); repair that first"
            )
        return found[0]

    def _holding(self, block_id: BlockId) -> Iterator[Located]:
        based = (claim.path for claim in self.facts.claims(block_id) if claim.path not in self._texts)
        for path in dict.fromkeys([*self.touched, *based]):
            topic = self.topic(path)
            for block in topic.blocks if topic is not None else ():
                if topic is not None and block_id in block.ids:
                    yield Located(topic, block)

    def flush(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Stage what differs; give the paths that do, and warnings about them."""
        changed: list[str] = []
        warnings: list[str] = []
        for path in self.touched:
            text, data = self._texts[path], self._staging.read(path)
            written = None if text is None else text.encode("utf-8", _SURROGATES)
            if written == data:
                continue
            changed.append(path)
            if written is None:
                self._staging.delete(path)
                continue
            if data is not None and b"\r\n" in data:
                warnings.append(f"{path}: line ends are now LF, they were CRLF")
            self._staging.write(path, written)
        return tuple(changed), tuple(warnings)


def paragraph_of(topic: Topic, block: Block) -> tuple[int, int]:
    """Where the paragraph stands that holds the block; a legacy paragraph may hold several."""
    if not block.legacy:
        return block.start, block.end
    for span in scan(topic.text):
        if span.kind is SpanKind.PARAGRAPH and span.start <= block.start < span.end:
            first = min(other.start for other in topic.blocks if span.start <= other.start < span.end)
            return first, span.end
    return block.start, block.end  # pragma: no cover  (every unit stands in a paragraph)
