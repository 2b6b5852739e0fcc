"""What one transaction did to one topic, taken back block by block where others changed the file since."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from gitmem.format.topic import claims_of
from gitmem.history.graft import graft, titles, without_headings, without_ids

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitmem.format.model import Topic
    from gitmem.ids import BlockId

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


def take_back(sides: Sides) -> Topic:
    """The present topic with what the transaction did to it undone; nothing of it may have ``changed_again``."""
    was, now = said(sides.before), said(sides.present)
    todo = [block for block in sides.touched() if now.get(block) != was.get(block)]
    stood = {held for block in sides.before.blocks for held in block.ids}
    brought = {held for block in sides.after.blocks if block.id in todo for held in block.ids} - stood
    topic = without_ids(sides.present, brought)
    for block in sides.before.blocks:
        if block.id in todo:
            topic = graft(topic, sides.before, block)
    brought_headings = titles(sides.after) - titles(sides.before)
    return without_headings(topic, brought_headings)


def said(topic: Topic) -> Mapping[BlockId, Said]:
    """What each block says, and under which headings and ids."""
    return {claim.id: (claim.content, claim.evidence, claim.headings, claim.aliases) for claim in claims_of(topic)}
