"""Erasing messages for good, from the question to the proof (``gitmem.forgetting``; ``cli.md``, ``forget``)."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC
from typing import TYPE_CHECKING

from gitmem.errors import Code, InvalidRequest, Refused
from gitmem.forgetting.answers import ForgetAnswer
from gitmem.forgetting.carrying_out import Carrying, write_map
from gitmem.forgetting.erased import Erased, Shared, digest
from gitmem.forgetting.journal import Order, read_journal
from gitmem.forgetting.planning import Planning, cut_claims, needles_of, workspace_id
from gitmem.forgetting.preflight import require_possible
from gitmem.forgetting.sources import meant
from gitmem.forgetting.tips import read_tips
from gitmem.ids import ZERO_OID, SourceId
from gitmem.store import durability
from gitmem.store.head import read_head
from gitmem.store.lock import write_lock
from gitmem.store.recovery import Action, needs_recovery, recover
from gitmem.store.revision import revision_of
from gitmem.store.steps import step

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from gitmem.forgetting.answers import ClaimCutAnswer
    from gitmem.forgetting.carrying_out import Done, Tools
    from gitmem.forgetting.map_file import ForgetMap
    from gitmem.forgetting.planning import Plan
    from gitmem.forgetting.proof import Trace
    from gitmem.request import Person
    from gitmem.store.repository import Repo


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody wants erased: sources or a speaker.

    ``shared`` says what becomes of prose that rests on other messages too; ``None``: nobody has decided yet.
    """

    sources: Sequence[str] = ()
    speaker: str | None = None
    shared: Shared | None = None
    force: bool = False
    dry_run: bool = False


def forget(repo: Repo, wish: Wish, author: Person, tools: Tools) -> ForgetAnswer:
    """Erase; or, of a dry run, say what would be.

    Raises ``InvalidRequest`` for what is no handle, and for shared claims of which nobody said what becomes of them;
    ``NotFound`` (``SOURCE_NOT_FOUND``), ``Conflict``, ``Refused`` (``COMMIT_REJECTED``) and ``Unavailable``: then
    nothing has changed.
    """
    with _held(repo, tools) as fresh:
        handles = meant(fresh, read_tips(fresh), wish.sources, wish.speaker)
        at = tools.options.now().astimezone(UTC).replace(microsecond=0)
        order = Order(Erased(frozenset(map(digest, handles)), wish.shared or Shared.KEEP), at, author)
        run = _Run(fresh, order, tools, handles)
        run.survey(force=wish.force or wish.dry_run)
        if wish.dry_run:
            return run.told()
        if wish.shared is None:
            run.require_decision()
        return run.carry_out()


def apply_map(repo: Repo, found: ForgetMap, tools: Tools, *, force: bool = False) -> ForgetAnswer:
    """Erase here what was erased in another clone: the same order gives the same ids.

    Raises as ``forget`` does, and ``Refused`` (``COMMIT_REJECTED``) for the map of another workspace.
    """
    with _held(repo, tools) as fresh:
        own = workspace_id(fresh)
        if found.workspace != own:
            message = f"the map is of the workspace {found.workspace or 'without id'}, this is {own}"
            raise Refused(Code.COMMIT_REJECTED, message)
        run = _Run(fresh, found.order, tools, frozenset())
        run.survey(force=force)
        return run.carry_out(found)


@dataclass(frozen=True, slots=True)
class Finished:
    """What was finished of an interrupted erasing (nothing where there was none), and where it still stands."""

    actions: tuple[Action, ...] = ()
    traces: tuple[Trace, ...] = ()


def finish_forgetting(repo: Repo, tools: Tools) -> Finished:
    """Finish what was interrupted. Raises ``Conflict`` when somebody writes now."""
    with write_lock(repo, tools.options.lock_timeout):
        journal = read_journal(repo)
        if journal is None:
            return Finished()
        traces = Carrying(repo.fresh(), journal, tools).run().proof.traces
        places = "1 place" if len(traces) == 1 else f"{len(traces)} places"
        proved = f"something still stands in {places}" if traces else "nothing of it was found any more"
        erased = len(journal.order.erased.digests)
        sources = "1 source" if erased == 1 else f"{erased} sources"
        return Finished((Action("finished", "forget", f"{sources} erased; {proved}"),), traces)


@contextmanager
def _held(repo: Repo, tools: Tools) -> Iterator[Repo]:
    """The lock, and a handle on a repository in which nothing is left to be finished."""
    with write_lock(repo, tools.options.lock_timeout):
        fresh = repo.fresh()
        if needs_recovery(fresh):
            recover(fresh)
        finish_forgetting(fresh, tools)
        yield repo.fresh()


class _Run:
    def __init__(self, repo: Repo, order: Order, tools: Tools, handles: frozenset[SourceId]) -> None:
        self._repo, self._order, self._tools, self._handles = repo, order, tools, handles
        self._planning = Planning(repo, order)
        self._survey = self._planning.survey
        self._warnings: tuple[str, ...] = ()
        self._claims: tuple[ClaimCutAnswer, ...] = ()
        self._shared: tuple[ClaimCutAnswer, ...] = ()

    def survey(self, *, force: bool) -> None:
        self._warnings = require_possible(self._repo, self._planning.tips, self._tools.git, force=force)
        with step(self._tools.options.on_step, "forget-survey"):
            self._survey.run(lambda done: self._tools.progress("reading", done))
        self._claims = cut_claims(self._repo, self._survey, shared=False)
        self._shared = cut_claims(self._repo, self._survey, shared=True)

    def require_decision(self) -> None:
        if self._shared:
            count = "1 claim rests" if len(self._shared) == 1 else f"{len(self._shared)} claims rest"
            message = (
                f"{count} on other messages too, and may quote what is erased: --keep-shared keeps their words, "
                "--remove-shared removes them; --dry-run lists them"
            )
            blocks = list(dict.fromkeys(claim.id for claim in self._shared))
            raise InvalidRequest(Code.INVALID_ARGUMENT, message, details={"block_ids": blocks})

    def carry_out(self, other: ForgetMap | None = None) -> ForgetAnswer:
        plan = self._planned()
        done = Carrying(self._repo, plan.journal, self._tools).run()
        return self.told(plan, done, other)

    def _planned(self) -> Plan:
        options = self._tools.options
        with step(options.on_step, "forget-objects"):
            name = f"{_file_time(self._order.at)}.map"
            plan = self._planning.plan(needles_of(self._survey, self._handles), name, self._tools.progress)
            if self._repo.fsync:
                durability.flush_filesystem(self._repo.common_dir / "objects")
        with step(options.on_step, "forget-journal"):
            (self._repo.gitmem_dir / "forget").mkdir(mode=0o700, exist_ok=True)
            write_map(self._repo, plan)
            plan.journal.write(self._repo)
        return plan

    def told(self, plan: Plan | None = None, done: Done | None = None, other: ForgetMap | None = None) -> ForgetAnswer:
        files, repo = self._survey.files, self._repo.fresh()
        tip = read_head(repo).tip
        ids = {} if plan is None else plan.map.ids
        theirs = {} if other is None else other.ids
        turns = {SourceId(f"{turn.provider}/{turn.thread}/{turn.id}") for turn in self._survey.turns.values()}
        read = frozenset(map(digest, {*files.records, *turns}))
        return ForgetAnswer(
            ok=done is None or not done.proof.traces,
            dry_run=done is None,
            at=self._order.at.isoformat(),
            sources=tuple(sorted({*self._handles, *files.records, *turns})),
            archived=len(files.records),
            turns=len(turns),
            claims=self._claims,
            shared=self._shared,
            versions=len(files.marked),
            commits=len(ids),
            refs=() if plan is None else tuple(move.name for move in plan.journal.moves),
            revision=None if tip == ZERO_OID else revision_of(repo, tip),
            map=None if plan is None else plan.journal.map,
            differing=sum(1 for old, new in theirs.items() if old in ids and ids[old] != new),
            proof=None if done is None else done.proof,
            words_unknown=len(self._order.erased.digests - read),
            warnings=(*self._warnings, *(() if done is None else done.warnings)),
        )


def _file_time(at: datetime) -> str:
    return at.strftime("%Y%m%dT%H%M%SZ")
