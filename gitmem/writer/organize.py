"""The embedded organizer: what can be put in order without judging what is said (``behaviours.md`` 0.19)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.facts.trust import claim_trust, claim_visibility
from gitmem.ids import TopicPath
from gitmem.request import NoEdit
from gitmem.writer.base import WriterResult
from gitmem.writer.merging import family_of, find_merges
from gitmem.writer.merging_text import apply_merges
from gitmem.writer.organize_core import order_core
from gitmem.writer.organize_links import follow_moves, repair_links
from gitmem.writer.organize_pages import Pages
from gitmem.writer.organize_soundness import Soundness
from gitmem.writer.splitting import split_large
from gitmem.writer.splitting_plan import SIZES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.facts.base import Facts
    from gitmem.format.model import Claim
    from gitmem.writer.base import Refusal
    from gitmem.writer.merging import Merge
    from gitmem.writer.organize_base import Survey
    from gitmem.writer.splitting_plan import Sizes


_ROUNDS = 8
"""How often files are looked at again because links to what moved made them longer."""


@dataclass(frozen=True, slots=True)
class EmbeddedOrganizer:
    """Repairs links, merges what was written twice, splits large files and orders the core. It removes nothing.

    The same memory has the same result everywhere, and a memory that it has put in order stays as it is.
    """

    name: str = "embedded"
    signature: str = "embedded"
    costs: bool = False

    def organize(self, survey: Survey, refusal: Refusal | None = None) -> WriterResult:
        """The tidied files; after a refusal without those in which something was found, and those that they link to."""
        spared = frozenset(_spared(survey.facts, refusal)) if refusal is not None else frozenset()
        edit = tidied(survey, spared).changes()
        return WriterResult(edit, nothing_to_record=isinstance(edit, NoEdit))


def tidied(survey: Survey, spared: frozenset[str] = frozenset(), sizes: Sizes = SIZES) -> Pages:
    """The topics in order, but for those at the ``spared`` paths; ``sizes`` say what is large."""
    facts = survey.facts
    pages = Pages(survey.tree, spared)
    soundness = Soundness(facts, pages.homes)
    repair_links(pages, facts)
    for merges in _merges(pages, facts, soundness):
        apply_merges(pages, merges)
    follow_moves(pages, facts)
    for _ in range(_ROUNDS):
        if not split_large(pages, soundness, sizes):
            break
        follow_moves(pages, facts)  # which lengthens links, and with them files
    order_core(pages, facts, survey.settings)
    return pages


def _merges(pages: Pages, facts: Facts, soundness: Soundness) -> Iterator[list[Merge]]:
    """The merges of each file with its parts."""
    paths = pages.paths()
    claims = (claim for path in paths for claim in facts.of_topic(path))

    def agree(one: Claim, other: Claim) -> bool:
        return (
            set(other.links) <= set(one.links)
            and claim_trust(facts, one) == claim_trust(facts, other)
            and claim_visibility(facts, one) == claim_visibility(facts, other)
            and soundness.mergeable(one, other)
        )

    known = frozenset(paths)
    by_family: dict[TopicPath, list[Merge]] = {}
    for merge in find_merges(claims, facts.created, agree):
        by_family.setdefault(family_of(merge.keep.path, known), []).append(merge)
    yield from by_family.values()


def _spared(facts: Facts, refusal: Refusal) -> Iterator[str]:
    for path in {finding.path for finding in refusal.findings if finding.path is not None}:
        yield path
        links = (link for claim in facts.of_topic(TopicPath(path)) for link in claim.links)
        yield from (claim.path for link in links for claim in facts.claims(link))
