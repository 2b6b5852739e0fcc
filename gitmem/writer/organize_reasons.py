"""Why a block may go while the memory is put in order (``behaviours.md`` 0.19)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gitmem.errors import Code, Finding, Refused, Severity
from gitmem.request import DeleteRecord, FileMove, FilesEdit, FileWrite
from gitmem.writer.organizer_prompt import REASONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.facts.base import Facts
    from gitmem.format.model import Claim
    from gitmem.ids import BlockId
    from gitmem.writer.base import WriterResult

_MENTIONED = re.compile(r"\^([\w-]+)", re.ASCII)
_NOT_LETTERS = re.compile(r"[^a-z]+")


def kind_of(reason: str) -> str | None:
    """Which of ``REASONS`` a reason begins with, however it is written; ``None`` for none."""
    words = _NOT_LETTERS.sub("-", reason.casefold()).strip("-")
    return next((kind for kind in REASONS if f"{words}-".startswith(f"{kind}-")), None)


def must_be_explained(result: WriterResult, facts: Facts) -> None:
    """Refuse removals without one of the reasons there are; the organizer is told once, as of any refusal.

    Raises ``Refused`` (``WRITER_PRECONDITION_FAILED``) with a finding for each block.
    """
    fix = f"begin the reason with one of: {', '.join(REASONS)}; or keep the block"
    findings = tuple(
        _finding(claim, name, result.reasons.get(name, ""), fix)
        for claim, name in _gone(result, facts)
        if kind_of(result.reasons.get(name, "")) is None
    )
    if findings:
        what = "a removal names" if len(findings) == 1 else f"{len(findings)} removals name"
        message = f"{what} no reason that putting in order knows; {fix}"
        raise Refused(Code.WRITER_PRECONDITION_FAILED, message, findings=findings)


def _finding(claim: Claim, name: BlockId, reason: str, fix: str) -> Finding:
    why = f"because {reason!r}" if reason else "without a reason"
    message = f"^{name} would be removed {why}"
    return Finding("removals", Severity.ERROR, "removal-without-reason", message, claim.path, claim.line, claim.id, fix)


def _gone(result: WriterResult, facts: Facts) -> Iterator[tuple[Claim, BlockId]]:
    """Each id that the edit leaves nowhere, with the block that has it."""
    for operation in result.operations:
        if isinstance(operation, DeleteRecord):
            yield from ((claim, operation.memory_id) for claim in facts.claims(operation.memory_id)[:1])
    changes = result.edit.changes if isinstance(result.edit, FilesEdit) else ()
    texts = (change.content for change in changes if isinstance(change, FileWrite))
    left = {name for text in texts for name in _MENTIONED.findall(text)}
    for change in changes:
        if isinstance(change, FileMove):
            continue
        for claim in facts.of_topic(change.path):
            yield from ((claim, name) for name in claim.ids if name not in left)
