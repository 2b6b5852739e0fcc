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
        self._read: _Texts | None = None
        for change in candidate.changes:
            topic = candidate.parent.topic(change.path) if change.old is not None and is_topic(change.path) else None
            if topic is None:
                continue
            texts = _Texts(topic)
            self._defects.update(map(texts.defect, topic.defects))
            for block in topic.blocks:
                self._before[block.id] = self._before.get(block.id, frozenset()) | {texts.block(block)}

    def block(self, topic: Topic, block: Block) -> Severity:
        """``ERROR`` for a block whose paragraph or footnotes the change wrote, else ``WARNING``."""
        unchanged = self._texts(topic).block(block) in self._before.get(block.id, frozenset())
        return Severity.WARNING if unchanged else Severity.ERROR

    def defect(self, topic: Topic, defect: Defect) -> Severity:
        """``ERROR`` for a defect that did not stand in a changed file before; each old one excuses one."""
        key = self._texts(topic).defect(defect)
        if self._defects[key] > 0:
            self._defects[key] -= 1
            return Severity.WARNING
        return Severity.ERROR

    def _texts(self, topic: Topic) -> _Texts:
        """The texts of a topic; rules ask about one file after the other."""
        if self._read is None or self._read.topic is not topic:
            self._read = _Texts(topic)
        return self._read

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


class _Texts:
    """What makes blocks and defects of one topic the same as before: their own text, wherever they stand now."""

    def __init__(self, topic: Topic) -> None:
        self.topic = topic
        self._lines = topic.text.split("\n") if topic.defects else []
        self._meanings: dict[str, list[tuple[int, str]]] = {}
        for d in topic.definitions:
            meaning = f"{d.id}:{d.when}:{[link.resolved or link.target for link in d.sources]}"
            self._meanings.setdefault(d.id, []).append((d.start, meaning))

    def block(self, block: Block) -> str:
        """The paragraph and the meaning of its footnotes: what a change of either makes different."""
        cited = {citation.id for citation in block.citations}
        meanings = sorted(meaning for name in cited for meaning in self._meanings.get(name, ()))
        return "\n".join((self.topic.text[block.start : block.end], *(meaning for _, meaning in meanings)))

    def defect(self, defect: Defect) -> tuple[str, str | None, str]:
        """A defect by its kind, its block and the line that it is in."""
        text = self._lines[defect.line - 1].strip() if 0 < defect.line <= len(self._lines) else ""
        return defect.code, defect.block, text
