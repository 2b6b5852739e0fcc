"""What the format does not allow in a topic, each as a value with a code, a line and how to mend it (1.15).

Codes: ``not-a-paragraph``, ``missing-citation``, ``empty-block``, ``text-after-citation``, ``missing-block-id``,
``malformed-block-id``, ``duplicate-block-id``, ``undefined-evidence``, ``duplicate-evidence``, ``unused-evidence``.
``gitmem.format.evidence`` adds ``malformed-definition``, ``bad-time``, ``missing-label`` and ``missing-source``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from gitmem.format.model import Defect

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gitmem.format.model import Block, Definition, TextKind
    from gitmem.format.paragraph import Paragraph
    from gitmem.ids import BlockId


class Place(NamedTuple):
    """Where an id stands, as a block id or as a citation; ``block`` is the own id of the block, if it is in one."""

    id: str
    line: int
    block: BlockId | None


def not_a_paragraph(kind: TextKind, line: int) -> Defect:
    """Text of another kind outside every block (``formats.md``: only paragraphs are memory)."""
    return Defect(
        "not-a-paragraph",
        f"not a paragraph: {kind.value.replace('-', ' ')} outside a memory block",
        line,
        fix="write it as prose with a citation and a block id, or take it out",
    )


def empty_block(block: Block) -> Defect:
    """A block of citations and ids alone."""
    return Defect("empty-block", "the block has no prose", block.line, block.id, "say what the evidence shows")


def judge_paragraph(paragraph: Paragraph, line: int) -> Iterator[Defect]:
    """What keeps a paragraph that is not a legacy one from being a block."""
    own = paragraph.ids[-1] if paragraph.ids else None
    if not paragraph.citations:
        fix = "cite its evidence with [^id] before the block id, and define the footnote in this file"
        yield Defect("missing-citation", "not a memory block: the paragraph cites no evidence", line, own, fix)
        return
    if paragraph.trailing and not _is_joined_id(paragraph):
        fix = "move the text before the last citation, or cite its own evidence after it"
        yield Defect("text-after-citation", "there is text after the last citation", line, own, fix)
    malformed = list(judge_suffix(paragraph, line))
    yield from malformed
    if own is None and not malformed:
        fix = "end the paragraph with a blank and the id: ' ^a1b2c3d4'"
        yield Defect("missing-block-id", "the paragraph has citations but no block id", line, None, fix)


def judge_suffix(paragraph: Paragraph, line: int) -> Iterator[Defect]:
    """Ids that are written wrongly."""
    own = paragraph.ids[-1] if paragraph.ids else None
    for name in paragraph.bad_ids:
        fix = "use ASCII letters, digits and hyphens only"
        yield Defect("malformed-block-id", f"^{name} is not a block id", line, own, fix)
    if _is_joined_id(paragraph):
        fix = "write a blank before each caret"
        yield Defect("malformed-block-id", f"{paragraph.trailing} does not stand by itself", line, own, fix)


def _is_joined_id(paragraph: Paragraph) -> bool:
    """Whether all that follows the last citation is an id without the blank before it."""
    return paragraph.trailing.startswith("^") and len(paragraph.trailing.split()) == 1


def judge_ids(places: Iterable[Place]) -> Iterator[Defect]:
    """Ids that stand twice in the file."""
    first: dict[str, int] = {}
    for place in places:
        if place.id in first:
            what = f"^{place.id} already stands in line {first[place.id]}"
            yield Defect("duplicate-block-id", what, place.line, place.block, "give this block an id of its own")
        first.setdefault(place.id, place.line)


def judge_footnotes(definitions: Iterable[Definition], citations: Iterable[Place]) -> Iterator[Defect]:
    """Definitions that stand twice or are never cited, and citations without one."""
    cited = {place.id for place in citations}
    defined: dict[str, int] = {}
    for definition in definitions:
        line = defined.setdefault(definition.id, definition.line)
        if line != definition.line:
            what = f"footnote [^{definition.id}] is already defined in line {line}"
            yield Defect("duplicate-evidence", what, definition.line, fix="keep the first definition only")
        elif definition.id not in cited:
            what = f"footnote [^{definition.id}] is never cited"
            yield Defect("unused-evidence", what, line, fix="cite it, or take the definition out")
    for place in dict.fromkeys(citations):
        if place.id not in defined:
            what = f"citation [^{place.id}] has no definition in this file"
            fix = f"add a line [^{place.id}]: Time: `YYYY-MM-DD`; Sources: [label](target)"
            yield Defect("undefined-evidence", what, place.line, place.block, fix)
