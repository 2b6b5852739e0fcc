"""Text that changes its folder: relative links go on reaching what they reached (``behaviours.md`` 2.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.format.links import relative_block_link, relative_target, resolve_target
from gitmem.format.model import TextKind
from gitmem.format.paragraph import read_paragraph
from gitmem.ids import BlockId

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from gitmem.format.model import BlockLink, Definition, Topic
    from gitmem.ids import TopicPath

Edit = tuple[int, int, str]
"""Replace the text between two offsets by another."""


def apply_edits(text: str, edits: Iterable[Edit], start: int = 0, end: int | None = None) -> str:
    """The part ``[start, end)`` of a text with edits inside it; edits outside the part are left out."""
    stop = len(text) if end is None else end
    pieces, at = [], start
    for begin, finish, new in sorted(edits):
        if at <= begin and finish <= stop:
            pieces += [text[at:begin], new]
            at = finish
    return "".join([*pieces, text[at:stop]])


def block_links(topic: Topic) -> Iterator[BlockLink]:
    """Every link to a topic, those of paragraphs that are no blocks included."""
    for block in topic.blocks:
        yield from block.links
    for element in topic.elements:
        if element.kind is TextKind.PARAGRAPH:
            yield from read_paragraph(topic.path, topic.text, element.start, element.end).links


def redirect(topic: Topic, path: TopicPath, place: Callable[[BlockLink], str]) -> Iterator[Edit]:
    """Edits that make the topic's links to blocks reach the files that ``place`` names, seen from ``path``."""
    for link in block_links(topic):
        to = place(link)
        if (topic.path, link.target_path) != (path, to):
            yield link.start, link.end, destination(topic.text[link.start : link.end], path, to)


def destination(written: str, path: TopicPath, to: str) -> str:
    """A link destination that reaches another file, its fragment as it was; without path inside one file."""
    mark, fragment = "#" if "#" in written else "", written.partition("#")[2]
    if path == to and fragment:
        return f"#{fragment}"
    return relative_block_link(path, to, BlockId("")).removesuffix("#^") + mark + fragment


def definition_edits(topic: Topic, definition: Definition, path: TopicPath) -> Iterator[Edit]:
    """Edits that make a footnote's links reach the same records from another topic; labels keep their bytes."""
    at = definition.start
    for link in definition.sources:
        if link.resolved is None or resolve_target(path, link.target) == link.resolved:
            continue
        written = f"]({link.target})"
        found = topic.text.find(written, at, definition.end)
        yield found + 2, found + 2 + len(link.target), relative_target(path, link.resolved)
        at = found + len(written)


def rebased(topic: Topic, path: TopicPath) -> str:
    """A whole topic's text as it stands at another path; links to its own blocks stay inside the file."""
    edits = [edit for definition in topic.definitions for edit in definition_edits(topic, definition, path)]
    edits += redirect(topic, path, lambda link: path if link.target_path == topic.path else link.target_path)
    return apply_edits(topic.text, edits)
