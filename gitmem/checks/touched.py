"""What a change touched: findings elsewhere are reported and do not refuse (``behaviours.md`` 0.9, 8.7)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from gitmem.errors import Severity
from gitmem.format.layout import is_topic

if TYPE_CHECKING:
    from gitmem.checks.base import Candidate
    from gitmem.format.model import Block, Defect, Topic
    from gitmem.ids import BlockId, Target


class Touched:
    """Which blocks and defects of the child are the change's own."""

    def __init__(self, candidate: Candidate) -> None:
        """Read the parent's side of the changed topics, once."""
        self._parent_facts = candidate.parent_facts
        self._before: dict[BlockId, frozenset[str]] = {}
        self._defects: Counter[tuple[str, str | None, str]] = Counter()
        for change in candidate.changes:
            topic = candidate.parent.topic(change.path) if change.old is not None and is_topic(change.path) else None
            if topic is None:
                continue
            self._defects.update(_defect_key(topic, defect) for defect in topic.defects)
            texts = _block_texts(topic)
            for block in topic.blocks:
                self._before[block.id] = self._before.get(block.id, frozenset()) | {texts[block.id]}

    def block(self, topic: Topic, block: Block) -> Severity:
        """``ERROR`` for a block whose paragraph or footnotes the change wrote, else ``WARNING``."""
        unchanged = _block_text(topic, block) in self._before.get(block.id, frozenset())
        return Severity.WARNING if unchanged else Severity.ERROR

    def defect(self, topic: Topic, defect: Defect) -> Severity:
        """``ERROR`` for a defect that did not stand in a changed file before; each old one excuses one."""
        key = _defect_key(topic, defect)
        if self._defects[key] > 0:
            self._defects[key] -= 1
            return Severity.WARNING
        return Severity.ERROR

    def cited_before(self, block: Block) -> frozenset[Target]:
        """What the block, under any of its ids, already cited in the parent (8.6)."""
        return frozenset(
            link.resolved
            for block_id in block.ids
            for claim in self._parent_facts.claims(block_id)
            for evidence in claim.evidence
            for link in evidence.sources
            if link.resolved is not None
        )


def _defect_key(topic: Topic, defect: Defect) -> tuple[str, str | None, str]:
    lines = topic.text.split("\n")
    text = lines[defect.line - 1].strip() if 0 < defect.line <= len(lines) else ""
    return defect.code, defect.block, text


def _block_texts(topic: Topic) -> dict[BlockId, str]:
    return {block.id: _block_text(topic, block) for block in topic.blocks}


def _block_text(topic: Topic, block: Block) -> str:
    """The paragraph and the meaning of its footnotes: what a change of either makes different."""
    cited = {citation.id for citation in block.citations}
    meanings = (
        f"{d.id}:{d.when}:{[link.resolved or link.target for link in d.sources]}"
        for d in topic.definitions
        if d.id in cited
    )
    return "\n".join((topic.text[block.start : block.end], *meanings))
