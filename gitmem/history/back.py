"""What restore and undo answer: a write's result, what it changes, and how to go back from it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from gitmem.answers import ClaimsAnswer, Result, claims_answer
from gitmem.facts.difference import claims_between
from gitmem.store.overlay import Overlay

if TYPE_CHECKING:
    from gitmem.ids import Oid
    from gitmem.memory import Memory
    from gitmem.request import ExactEdit, Surface


@dataclass(frozen=True, slots=True)
class BackAnswer(Result):
    """``of`` is the revision restored or undone; ``claims`` what changes, or in a dry run would.

    ``go_back`` is the command line that takes it back; ``None`` when nothing was changed.
    """

    of: str = ""
    dry_run: bool = False
    claims: ClaimsAnswer = ClaimsAnswer()  # noqa: RUF009  (a frozen value)
    go_back: str | None = None


@dataclass(frozen=True, slots=True)
class Going:
    """A way back that has been found: what becomes of the topics, and how the transaction is told.

    ``of`` is the revision restored or undone. The edit is for the memory that it was found in.
    """

    memory: Memory
    of: Oid
    edit: ExactEdit
    surface: Surface
    subject: str
    warnings: tuple[str, ...] = ()

    def claims(self) -> ClaimsAnswer:
        """What it changes."""
        after = Overlay(self.memory.repo, self.memory.snapshot)
        for path, data in self.edit.files.items():
            after.lay(path, data)
        changes = after.changes(self.memory.snapshot)
        return claims_answer(self.memory.facts, claims_between(self.memory.snapshot, after, changes))


def done(going: Going, claims: ClaimsAnswer, result: Result) -> BackAnswer:
    """The answer after the transaction."""
    known = {field.name: getattr(result, field.name) for field in fields(result)}
    known["warnings"] = (*going.warnings, *result.warnings)
    go_back = f"gitmem undo {result.revision}" if result.memory_committed else None
    return BackAnswer(**known, of=going.of, claims=claims, go_back=go_back)


def rehearsed(going: Going, claims: ClaimsAnswer) -> BackAnswer:
    """The answer of a dry run: nothing changed."""
    return BackAnswer(
        ok=True,
        revision=going.memory.revision,
        derived_commit=None,
        memory_committed=False,
        source_ids={},
        block_ids={},
        evidence_ids={},
        changed_files=(),
        warnings=going.warnings,
        of=going.of,
        dry_run=True,
        claims=claims,
    )
