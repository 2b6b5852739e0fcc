"""Whether files say after a rearrangement what they said before: what does not is not proposed."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from gitmem.edit.evidence import meaning_of
from gitmem.format.claim import without_files
from gitmem.format.model import SUBSTANTIVE
from gitmem.writer.organize_units import definitions_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from gitmem.format.model import Block, Definition, Topic
    from gitmem.ids import BlockId, EvidenceId, TopicPath


def faithful(before: Mapping[TopicPath, Topic | None], after: Mapping[TopicPath, Topic | None]) -> bool:
    """Whether the same blocks stand in the same files' stead, and nothing else came, went, or became defective.

    Ids, prose, citations with what they mean and the clauses they close, links and headings are compared; a block that
    absorbed others has their ids and their evidence besides its own.
    """
    if _texts(before) != _texts(after) or _defects(after) - _defects(before):
        return False
    old, new = list(_blocks(before)), list(_blocks(after))
    if Counter(name for said in old for name in said.ids) != Counter(name for said in new for name in said.ids):
        return False
    by_id = {said.block.id: said for said in old}
    return all(_stands_for(said, by_id) for said in new)


class _Said:
    """A block with what its footnotes mean."""

    def __init__(self, block: Block, definitions: Mapping[EvidenceId, Definition]) -> None:
        self.block = block
        self.ids = block.ids
        meant = [definitions.get(citation.id) for citation in block.citations]
        self.evidence = [
            (citation.id, None if note is None else meaning_of(note))
            for citation, note in zip(block.citations, meant, strict=True)
        ]
        self.clauses = [without_files(citation.clause) for citation in block.citations]
        self.says = (
            without_files(block.content),
            block.headings,
            block.legacy,
            tuple((link.text, link.target_path, link.block) for link in block.links),
        )


def _stands_for(said: _Said, old: Mapping[BlockId, _Said]) -> bool:
    own = old.get(said.block.id)
    if own is None or own.says != said.says:
        return False
    if said.clauses[: len(own.clauses)] != own.clauses:
        return False
    absorbed = [old[name] for name in said.block.aliases if name in old]
    expected = dict.fromkeys(evidence for one in (own, *absorbed) for evidence in one.evidence)
    extra = said.evidence[len(own.evidence) :]
    return said.evidence[: len(own.evidence)] == own.evidence and {*own.evidence, *extra} == set(expected)


def _blocks(topics: Mapping[TopicPath, Topic | None]) -> Iterator[_Said]:
    for topic in topics.values():
        if topic is not None:
            definitions = definitions_of(topic)
            yield from (_Said(block, definitions) for block in topic.blocks)


def _texts(topics: Mapping[TopicPath, Topic | None]) -> dict[TopicPath, list[str]]:
    """What stands outside blocks and is text, by file."""
    texts = {path: list(_loose(topic)) for path, topic in topics.items() if topic is not None}
    return {path: found for path, found in texts.items() if found}


def _loose(topic: Topic) -> Iterable[str]:
    return (topic.text[e.start : e.end] for e in topic.elements if e.kind in SUBSTANTIVE)


def _defects(topics: Mapping[TopicPath, Topic | None]) -> Counter[str]:
    return Counter(defect.code for topic in topics.values() if topic is not None for defect in topic.defects)
