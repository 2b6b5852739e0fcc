"""The pass that puts the memory in order: one transaction, which one undo takes back (``behaviours.md`` 0.19)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from gitmem.answers import ClaimsAnswer, claims_answer
from gitmem.errors import GitmemError
from gitmem.format.layout import is_topic
from gitmem.request import Request, Surface
from gitmem.transaction.deriving import view_settings
from gitmem.writer.folding import Removals, Work, carry_out
from gitmem.writer.organize_base import Survey
from gitmem.writer.organize_reasons import must_be_explained
from gitmem.writer.organize_seen import SeenStates, fingerprint
from gitmem.writer.proposals import proposal_key
from gitmem.writer.write import WriteFailure, writer_author

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from gitmem.ids import BlockId
    from gitmem.writer.base import Memory, Refusal, WriterResult
    from gitmem.writer.folding import Desk, Installed
    from gitmem.writer.organize_base import Organizer

SUBJECT = "memory: reorganize"
"""The first line of its commits."""


@dataclass(frozen=True, slots=True)
class RemovalAnswer:
    """A block that was removed, and why (0.19)."""

    id: str
    reason: str


@dataclass(frozen=True, slots=True)
class ReorganizeAnswer:
    """What a pass did. ``status`` is ``ok`` or ``failed``; ``topics`` is how many topic files there are after it.

    ``changed_files`` are topics; ``autosave`` is what was kept before something was merged or removed.
    """

    ok: bool
    status: str
    writer: str
    dry_run: bool
    topics: int
    changed_files: tuple[str, ...]
    claims: ClaimsAnswer
    removed: tuple[RemovalAnswer, ...]
    revision: str | None
    derived_commit: str | None
    autosave: str | None
    failure: WriteFailure | None


def reorganize(desk: Desk, organizer: Organizer, folder: Path, max_removed_share: float) -> ReorganizeAnswer:
    """Have the memory put in order; what goes wrong is in the answer.

    ``folder`` is the runtime folder, where it is kept which state an organizer has seen already that costs something.
    """
    seen, state = SeenStates(folder), fingerprint(desk.tree)
    installed: Installed | None = None
    reasons: Mapping[BlockId, str] = {}
    failure: WriteFailure | None = None
    if not (organizer.costs and seen.holds(organizer.signature, state)):
        work = _work(desk, organizer, state)
        try:
            result, installed = carry_out(desk, work, Removals.of(desk.blocks, max_removed_share))
            reasons = result.reasons
        except GitmemError as error:
            failure = WriteFailure(error.code, error.message, error.retryable)
        if failure is None and organizer.costs and not desk.dry_run:
            seen.keep(organizer.signature, fingerprint(desk.tree))
    return _answer(desk, organizer, installed, reasons, failure)


def _work(desk: Desk, organizer: Organizer, state: str) -> Work:
    return Work(
        key=proposal_key(f"{organizer.signature} organize", [state]),
        propose=partial(_propose, desk, organizer),
        request=partial(_request, desk, organizer.signature),
        repairs=True,
        keeps=organizer.costs,
    )


def _propose(desk: Desk, organizer: Organizer, _memory: Memory, refusal: Refusal | None) -> WriterResult:
    return organizer.organize(Survey(desk.tree, desk.facts, view_settings(desk.tree)), refusal)


def _request(desk: Desk, signature: str, result: WriterResult) -> Request:
    must_be_explained(result, desk.facts)
    return Request(
        edit=result.edit,
        authority=desk.authority,
        surface=Surface.REORGANIZE,
        author=writer_author(signature),
        subject=SUBJECT,
        limited=False,
        evidence=frozenset(),
    )


def _answer(
    desk: Desk,
    organizer: Organizer,
    installed: Installed | None,
    reasons: Mapping[BlockId, str],
    failure: WriteFailure | None,
) -> ReorganizeAnswer:
    removed = installed.removed if installed is not None else ()
    return ReorganizeAnswer(
        ok=failure is None,
        status="ok" if failure is None else "failed",
        writer=organizer.name,
        dry_run=desk.dry_run,
        topics=sum(is_topic(entry.path) for entry in desk.tree.entries("topics")),
        changed_files=installed.changed_files if installed is not None else (),
        claims=claims_answer(desk.facts, desk.difference()),
        removed=tuple(RemovalAnswer(block, reasons.get(block, "")) for block in removed),
        revision=desk.revision,
        derived_commit=installed.derived_commit if installed is not None else None,
        autosave=installed.autosave if installed is not None else None,
        failure=failure,
    )
