"""``timeline/YYYY[/MM[/DD]].md``: what the memory says happened then (``formats.md``, "Derived views")."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from gitmem.format.layout import timeline_path
from gitmem.format.rebase import rebase

if TYPE_CHECKING:
    from gitmem.facts.base import Facts
    from gitmem.format.model import CitedEvidence, Claim


def render(facts: Facts, when: str) -> bytes | None:
    """The timeline file of one event time; ``None`` when no evidence has it.

    One paragraph for each dated evidence, ordered by the claim's creation, then by the citation's place.
    """
    claims = sorted(facts.dated(when), key=lambda claim: (facts.created(claim.id) or 0, claim.path, claim.ordinal))
    shown = timeline_path(when)
    paragraphs = [
        _paragraph(claim, evidence, shown) for claim in claims for evidence in claim.evidence if evidence.when == when
    ]
    if not paragraphs:
        return None
    return "\n\n".join([f"# {when}", *paragraphs, ""])[:-1].encode()


def _paragraph(claim: Claim, evidence: CitedEvidence, shown: str) -> str:
    folder = posixpath.dirname(shown)
    clause = rebase(evidence.clause, claim.path, shown)
    topic = f"[Topic]({posixpath.relpath(claim.path, folder)}#^{claim.id})"
    sources = [
        f"[{link.label}]({posixpath.relpath(link.resolved, folder) if link.resolved else link.target})"
        for link in evidence.sources
    ]
    return " ".join(part for part in (clause, topic, *sources) if part)
