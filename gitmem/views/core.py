"""``core.md`` and ``core.shared.md``: the head of ``topics/core.md`` that fits the token budget (part 13)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.facts.trust import claim_trust, claim_visibility
from gitmem.format.layout import CORE
from gitmem.format.model import Tier, TrustState
from gitmem.format.rebase import rebase
from gitmem.format.topic import claims_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.facts.base import Facts
    from gitmem.format.model import Block, Claim, Definition, Heading, Topic
    from gitmem.ids import BlockId
    from gitmem.views.base import ViewSettings


@dataclass(frozen=True, slots=True)
class CoreView:
    """One rendered core file: its text (``""`` when nothing may be shown), and why blocks are missing from it.

    ``left_out`` did not fit the budget, ``withheld`` cite something that is not trusted; ids in file order.
    """

    text: str
    left_out: tuple[BlockId, ...]
    withheld: tuple[BlockId, ...]


def render(topic: Topic | None, facts: Facts, settings: ViewSettings, tier: Tier) -> CoreView:
    """Render the core for an owner or for a paired reader (13.1, 8.17).

    Blocks come in file order until the next one does not fit; headings and definitions count against the budget.
    """
    if topic is None:
        return CoreView("", (), ())
    shown, withheld = _sift(topic, facts, tier)
    text = ""
    for place, piece in enumerate(_pieces(topic, shown)):
        longer = f"{text}\n{piece}" if text else piece
        if not settings.fits(longer, settings.core_max_tokens):
            return CoreView(text, tuple(claim.id for _, claim in shown[place:]), withheld)
        text = longer
    return CoreView(text, (), withheld)


def _sift(topic: Topic, facts: Facts, tier: Tier) -> tuple[list[tuple[Block, Claim]], tuple[BlockId, ...]]:
    shown: list[tuple[Block, Claim]] = []
    withheld: list[BlockId] = []
    for block, claim in zip(topic.blocks, claims_of(topic), strict=True):
        if claim_trust(facts, claim) is not TrustState.TRUSTED:
            withheld.append(block.id)
        elif tier is Tier.OWNER or claim_visibility(facts, claim) is tier:
            shown.append((block, claim))
    return shown, tuple(withheld)


def _pieces(topic: Topic, shown: list[tuple[Block, Claim]]) -> Iterator[str]:
    """Each block with the headings it opens and the definitions it is the first to need, paragraph by paragraph."""
    definitions: dict[str, Definition] = {}
    for definition in topic.definitions:
        definitions.setdefault(definition.id, definition)
    opened = 0
    for block, _ in shown:
        paragraphs = [topic.text[h.start : h.end] for h in _headings_for(topic, block, opened)]
        opened = block.start
        paragraphs.append(rebase(topic.text[block.start : block.end].strip(), topic.path, CORE))
        needed = [d for c in block.citations if (d := definitions.pop(c.id, None)) is not None]
        paragraphs.extend(rebase(topic.text[d.start : d.end], topic.path, CORE) for d in needed)
        yield "\n\n".join(paragraphs) + "\n"


def _headings_for(topic: Topic, block: Block, opened: int) -> Iterator[Heading]:
    """The headings on the block's path that no earlier shown block stands under (those after offset ``opened``)."""
    path: list[Heading] = []
    for heading in topic.headings:
        if heading.start > block.start:
            break
        path = [h for h in path if h.level < heading.level]
        path.append(heading)
    yield from (h for h in path if h.start >= opened)
