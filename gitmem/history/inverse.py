"""What one transaction did to one topic, taken back block by block where others changed the file since."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from gitmem.edit.words import merge_words
from gitmem.format.paragraph import BLANKS
from gitmem.format.topic import claims_of, parse_topic
from gitmem.history.graft import graft, titles, without_headings, without_ids

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from gitmem.format.model import Topic
    from gitmem.ids import BlockId, EvidenceId

Said = tuple[object, ...]


class Sides(NamedTuple):
    """One topic before the transaction, after it, and now; a file that was not there is an empty topic."""

    before: Topic
    after: Topic
    present: Topic

    def touched(self) -> tuple[BlockId, ...]:
        """The blocks of this file that the transaction wrote, changed, moved or took away."""
        was, wrote = said(self.before), said(self.after)
        return tuple(block for block in {**was, **wrote} if was.get(block) != wrote.get(block))

    def changed_again(self) -> tuple[BlockId, ...]:
        """Those of them that say something else again now: they cannot be taken back."""
        was, wrote, now = map(said, self)
        return tuple(block for block in self.touched() if now.get(block) not in {wrote.get(block), was.get(block)})

    def other_text_changed(self) -> bool:
        """Whether the transaction changed text that belongs to no block, such as front matter."""
        was, wrote = ([t.text[e.start : e.end] for e in t.elements] for t in (self.before, self.after))
        return was != wrote or not self.touched()

    def is_taken_back(self, result: Topic) -> bool:
        """Whether a text has the transaction's blocks as they were, and all others as they are."""
        was, now, found = said(self.before), said(self.present), said(result)
        touched = self.touched()
        ours = all(found.get(block) == was.get(block) for block in touched)
        return ours and all(found.get(block) == now.get(block) for block in {**now, **found} if block not in touched)


def take_back(sides: Sides, leaving: Collection[BlockId] = ()) -> Topic:
    """The present topic with what the transaction did to it undone, but for the blocks that are to be left alone.

    Nothing else of it may have ``changed_again``.
    """
    was, now = said(sides.before), said(sides.present)
    todo = [block for block in sides.touched() if block not in leaving and now.get(block) != was.get(block)]
    stood = {held for block in sides.before.blocks for held in block.ids}
    brought = {held for block in sides.after.blocks if block.id in todo for held in block.ids} - stood
    topic = without_ids(sides.present, brought)
    for block in sides.before.blocks:
        if block.id in todo:
            topic = graft(topic, sides.before, block)
    brought_headings = titles(sides.after) - titles(sides.before)
    return without_headings(topic, brought_headings)


def merge_back(sides: Sides, elsewhere: Collection[BlockId]) -> tuple[Topic, tuple[BlockId, ...]]:
    """The present topic with as much of the transaction undone as can be, and the blocks that stay as they are now.

    In a block that was changed again, the transaction's own words are taken back where the later change left them
    alone. Blocks that stand ``elsewhere`` now stay.
    """
    again = sides.changed_again()
    topic = take_back(sides, {*again, *elsewhere})
    left: list[BlockId] = []
    for block in again:
        merged = None if block in elsewhere else _merged(sides, block)
        if merged is None:
            left.append(block)
        else:
            topic = graft(topic, merged, next(held for held in merged.blocks if block in held.ids))
    return topic, tuple(dict.fromkeys((*left, *(block for block in sides.touched() if block in elsewhere))))


def _merged(sides: Sides, block: BlockId) -> Topic | None:
    """A topic of the one paragraph, with the transaction's words and evidence taken back, and of every footnote."""
    after, present, before = (_Said.of(topic, block) for topic in (sides.after, sides.present, sides.before))
    if after is None or present is None or before is None:
        return None
    prose = merge_words(after.prose, present.prose, before.prose)
    if prose is None:
        return None
    added = set(after.evidence) - set(before.evidence)
    cited = [held for held in present.evidence if held not in added]
    cited += [held for held in before.evidence if held not in {*after.evidence, *cited}]
    text = prose + present.gap + "".join(f"[^{held}]" for held in cited) + present.ids
    footnotes = {
        defined.id: topic.text[defined.start : defined.end]
        for topic in (sides.before, sides.present)
        for defined in topic.definitions
    }
    topic = parse_topic(sides.present.path, "\n\n".join([text, *footnotes.values(), ""]))
    return topic if len(topic.blocks) == 1 and topic.blocks[0].citations else None


class _Said(NamedTuple):
    """A paragraph whose citations all stand at its end: its prose, what stands before them, they, and its ids."""

    prose: str
    gap: str
    evidence: tuple[EvidenceId, ...]
    ids: str

    @classmethod
    def of(cls, topic: Topic, block: BlockId) -> _Said | None:
        """How a topic tells the block; ``None`` when it does not, or when citations stand between its words."""
        held = next((held for held in topic.blocks if block in held.ids), None)
        if held is None or not held.citations:
            return None
        first, last = held.citations[0].start, held.citations[-1].end
        prose = topic.text[held.start : first]
        if any(citation.clause for citation in held.citations[1:]):
            return None
        told = prose.rstrip(BLANKS)
        evidence = tuple(citation.id for citation in held.citations)
        return cls(told, prose[len(told) :], evidence, topic.text[last : held.end])


def said(topic: Topic) -> Mapping[BlockId, Said]:
    """What each block says, and under which headings and ids."""
    return {claim.id: (claim.content, claim.evidence, claim.headings, claim.aliases) for claim in claims_of(topic)}
