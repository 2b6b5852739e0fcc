"""What the memory says about paragraphs that are to be carried elsewhere: whether they may, and what time they tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.writer.dates import message_date
from gitmem.writer.organize_calendar import UNDATED, is_time
from gitmem.writer.organize_units import definitions_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitmem.facts.base import Facts
    from gitmem.format.model import Block, Claim, Definition, Topic
    from gitmem.ids import BlockId, EvidenceId, Target, TopicPath
    from gitmem.writer.organize_units import Unit


class Soundness:
    """Asks what is known of the memory.

    A block whose words a move changes, because a link is in them, is checked like a new one. So that an old defect does
    not refuse the whole pass, such blocks are only touched when nothing is wrong with them.
    """

    def __init__(self, facts: Facts, homes: Mapping[BlockId, TopicPath]) -> None:
        """Ask these facts; ``homes`` tells where blocks stand that were moved since."""
        self._facts, self._homes = facts, homes
        self._topic: Topic | None = None
        self._definitions: Mapping[EvidenceId, Definition] = {}

    def movable(self, topic: Topic, unit: Unit) -> bool:
        """Whether a move leaves nothing to refuse: in the paragraph, and in blocks that link to it."""
        linked = (claim for name in unit.ids for claim in self._facts.inbound(name))
        return all(self._links_hold(topic, block) for block in unit.blocks) and all(map(self._is_sound, linked))

    def mergeable(self, *claims: Claim) -> bool:
        """Whether a merge of these leaves nothing to refuse: in them, and in blocks that link to them."""
        linked = (linking for claim in claims for name in claim.ids for linking in self._facts.inbound(name))
        return all(map(self._is_sound, claims)) and all(map(self._is_sound, linked))

    def when(self, topic: Topic, unit: Unit) -> str | None:
        """The time a paragraph stands for: of its heading, else of its event, else of when it was said."""
        for title in reversed(unit.titles):
            if is_time(title) and title.casefold() != UNDATED:
                return title
        notes = [note for name in unit.cited if (note := self._notes(topic).get(name)) is not None]
        told = next((note.when for note in notes if note.when is not None), None)
        return told or next((said for note in notes if (said := self._said(note)) is not None), None)

    def _notes(self, topic: Topic) -> Mapping[EvidenceId, Definition]:
        if topic is not self._topic:
            self._topic, self._definitions = topic, definitions_of(topic)
        return self._definitions

    def _said(self, note: Definition) -> str | None:
        """The day on which one of the messages was said."""
        for link in note.sources:
            record = None if link.resolved is None else self._facts.record(link.resolved)
            day = None if record is None else message_date(record.timestamp)
            if day is not None:
                return day.isoformat()
        return None

    def _links_hold(self, topic: Topic, block: Block) -> bool:
        """Whether each link of a block names one that stands there, and what it cites is archived."""
        for link in block.links:
            if link.block is None or link.target_path not in self._places(link.block):
                return False
        notes = self._notes(topic) if block.links else {}
        cited = (notes.get(citation.id) for citation in block.citations) if block.links else ()
        return all(note is not None and all(self._archived(s.resolved) for s in note.sources) for note in cited)

    def _places(self, block: BlockId) -> set[TopicPath]:
        home = self._homes.get(block)
        return {claim.path for claim in self._facts.claims(block)} if home is None else {home}

    def _is_sound(self, claim: Claim) -> bool:
        """Whether a block that links has evidence, and links to blocks that are there."""
        sources = [link.resolved for evidence in claim.evidence for link in evidence.sources]
        archived = bool(sources) and all(map(self._archived, sources))
        return archived and all(self._facts.claims(link) for link in claim.links)

    def _archived(self, target: Target | None) -> bool:
        return target is not None and self._facts.record(target) is not None
