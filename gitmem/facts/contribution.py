"""What one file contributes to the facts: a topic's claims, an archive's records, a ledger's handles."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gitmem.format.layout import FORGOTTEN, PROMOTIONS, is_legacy_archive, is_topic, is_v2_archive
from gitmem.format.promotions import parse_forgotten, parse_promotions
from gitmem.format.topic import claims_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from gitmem.facts.base import Meaning
    from gitmem.format.model import Block, CitedEvidence, Claim, Record, Tier, Topic
    from gitmem.ids import SourceId
    from gitmem.store.tree import Tree

_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Contribution:
    """The facts of one file.

    ``claims`` are in file order; ``reaches`` stands beside them: the topic paths that each claim's links go to.
    ``records`` are in file order. ``promoted`` gives the tier with which each handle was first vouched for;
    ``forgotten`` holds SHA-256 hex digests of handles.
    """

    claims: tuple[Claim, ...] = ()
    reaches: tuple[tuple[str, ...], ...] = ()
    records: tuple[Record, ...] = ()
    promoted: Mapping[SourceId, Tier] = field(default_factory=dict)
    forgotten: frozenset[str] = field(default=frozenset())


def contributes(path: str) -> bool:
    """Whether a file at this path contributes facts at all; a name that is not UTF-8 never does."""
    known = is_topic(path) or is_v2_archive(path) or is_legacy_archive(path) or path in {PROMOTIONS, FORGOTTEN}
    return known and _SURROGATE.search(path) is None


def contributions_of(tree: Tree, paths: Iterable[str]) -> dict[str, Contribution | None]:
    """What each of the paths contributes in a tree; ``None`` where the file is absent, and other paths are left out."""
    return {path: contribution_of(tree, path) for path in paths if contributes(path)}


def contribution_of(tree: Tree, path: str) -> Contribution | None:
    """What the file at a path contributes; ``None`` when there is no such file."""
    if is_topic(path):
        topic = tree.topic(path)
        return None if topic is None else of_topic(topic)
    if path in {PROMOTIONS, FORGOTTEN}:
        data = tree.read(path)
        return None if data is None else of_ledger(path, data)
    archive = tree.archive(path)
    return None if archive is None else Contribution(records=archive.records)


def of_topic(topic: Topic) -> Contribution:
    """A parsed topic's contribution."""
    return Contribution(claims=claims_of(topic), reaches=tuple(_reaches(block) for block in topic.blocks))


def of_ledger(path: str, data: bytes) -> Contribution:
    """The contribution of the bytes of ``promotions.jsonl`` or ``forgotten.jsonl``."""
    if path == PROMOTIONS:
        promotions, _ = parse_promotions(data)
        return Contribution(promoted={promotion.source_id: promotion.tier for promotion in reversed(promotions)})
    forgotten, _ = parse_forgotten(data)
    return Contribution(forgotten=frozenset(entry.handle_sha256 for entry in forgotten))


def _reaches(block: Block) -> tuple[str, ...]:
    return tuple(dict.fromkeys(link.target_path for link in block.links))


def meaning_of(evidence: CitedEvidence) -> Meaning | None:
    """What a cited footnote stands for; ``None`` when it names no source (its definition is missing or broken)."""
    if not evidence.sources:
        return None
    return evidence.when, tuple(link.resolved or link.target for link in evidence.sources)
