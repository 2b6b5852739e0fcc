"""What commands and tools answer, with the keys of ``cli.md`` ("Shapes") as field names.

``to_json`` turns any of these values into JSON values.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.facts.trust import Remembered, claim_refs, claim_trust, claim_visibility
from gitmem.json_form import to_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitmem.facts.trust import Sources
    from gitmem.format.claim import Changed, ClaimsDiff, Moved
    from gitmem.format.model import Claim

__all__ = [
    "BlockAnswer",
    "ChangedAnswer",
    "ClaimsAnswer",
    "MergedAnswer",
    "MovedAnswer",
    "Result",
    "block_answer",
    "claims_answer",
    "to_json",
]


@dataclass(frozen=True, slots=True)
class BlockAnswer:
    """``B``: one block as it is shown; ``when`` is its first event time, ``None`` when it has none."""

    id: str
    aliases: tuple[str, ...]
    path: str
    line: int
    headings: tuple[str, ...]
    when: str | None
    content: str
    refs: tuple[str, ...]
    trust_state: str
    visibility: str


@dataclass(frozen=True, slots=True)
class ChangedAnswer:
    """A block whose prose or evidence differs; ``evidence_added`` are the handles it newly cites."""

    id: str
    path: str
    before: str
    after: str
    evidence_added: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MovedAnswer:
    """A block that stands elsewhere: paths, with the headings where only those differ."""

    id: str
    from_: str
    to: str


@dataclass(frozen=True, slots=True)
class MergedAnswer:
    """An id that became an alias of another block."""

    id: str
    into: str


@dataclass(frozen=True, slots=True)
class ClaimsAnswer:
    """``C``: the claim-level difference of two states."""

    added: tuple[BlockAnswer, ...] = ()
    changed: tuple[ChangedAnswer, ...] = ()
    moved: tuple[MovedAnswer, ...] = ()
    merged: tuple[MergedAnswer, ...] = ()
    removed: tuple[BlockAnswer, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """``R``: what a write did. ``block_ids`` has keys ``path#n``, ``evidence_ids`` ``path#e1`` or the caller's labels.

    ``revision`` is the workspace's after the call; unchanged, with ``memory_committed`` false, when there was nothing
    to do. ``autosave`` names the snapshot that was left before a destructive change.
    """

    ok: bool
    revision: str | None
    derived_commit: str | None
    memory_committed: bool
    source_ids: Mapping[str, str]
    block_ids: Mapping[str, str]
    evidence_ids: Mapping[str, str]
    changed_files: tuple[str, ...]
    autosave: str | None = None
    warnings: tuple[str, ...] = ()


def block_answer(facts: Sources, claim: Claim) -> BlockAnswer:
    """Show a claim with the trust and visibility that these facts give it."""
    return BlockAnswer(
        id=claim.id,
        aliases=claim.aliases,
        path=claim.path,
        line=claim.line,
        headings=claim.headings,
        when=claim.whens[0] if claim.whens else None,
        content=claim.content,
        refs=claim_refs(facts, claim),
        trust_state=claim_trust(facts, claim).value,
        visibility=claim_visibility(facts, claim).value,
    )


def claims_answer(facts: Sources, diff: ClaimsDiff) -> ClaimsAnswer:
    """Show a difference; sources only grow, so the later state's facts resolve both sides' evidence."""
    known = Remembered(facts)
    return ClaimsAnswer(
        added=tuple(block_answer(known, claim) for claim in diff.added),
        changed=tuple(_changed(known, changed) for changed in diff.changed),
        moved=tuple(_moved(moved) for moved in diff.moved),
        merged=tuple(MergedAnswer(merged.id, merged.into) for merged in diff.merged),
        removed=tuple(block_answer(known, claim) for claim in diff.removed),
    )


def _changed(facts: Sources, changed: Changed) -> ChangedAnswer:
    known = set(claim_refs(facts, changed.before))
    added = tuple(ref for ref in claim_refs(facts, changed.after) if ref not in known)
    return ChangedAnswer(changed.after.id, changed.after.path, changed.before.content, changed.after.content, added)


def _moved(moved: Moved) -> MovedAnswer:
    if moved.before.path != moved.after.path:
        return MovedAnswer(moved.after.id, moved.before.path, moved.after.path)
    return MovedAnswer(moved.after.id, _place(moved.before), _place(moved.after))


def _place(claim: Claim) -> str:
    return " > ".join((claim.path, *claim.headings))
