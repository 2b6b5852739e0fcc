"""Putting a memory right after an interruption or damage, and saying what was done (``cli.md``, ``doctor``)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gitmem.audit.base import FindingAnswer, is_ok, tell
from gitmem.audit.check import check_working_directory
from gitmem.checks.derived import NAME as DERIVED
from gitmem.errors import Conflict, Finding, GitmemError, NotFound, Severity, Unavailable
from gitmem.format.layout import is_derived
from gitmem.memory import read_memory
from gitmem.runtime.actions import ActionAnswer
from gitmem.runtime.catalog_mending import mend_catalog
from gitmem.runtime.damage import damage
from gitmem.runtime.state_mending import mend_state
from gitmem.runtime.status import DerivedStatus, IndexStatus, derived_status
from gitmem.store.head import current_tip, read_head
from gitmem.store.lock import write_lock
from gitmem.store.mending import mend_index, mend_locks
from gitmem.store.recovery import recover
from gitmem.store.ref_locks import standing_index_lock
from gitmem.store.typed_files import write_missing
from gitmem.transaction.rederive import rederive

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from gitmem.catalog.catalog import Catalog
    from gitmem.store.recovery import Action
    from gitmem.store.ref_locks import StandingLock
    from gitmem.store.repository import Repo
    from gitmem.store.snapshot import Snapshot
    from gitmem.transaction.options import Options

LOCKS = "locks"


@dataclass(frozen=True, slots=True)
class DoctorAnswer:
    """What was done and what is still wrong; ``ok``: no finding is an error."""

    ok: bool
    actions: tuple[ActionAnswer, ...]
    findings: tuple[FindingAnswer, ...]
    derived: DerivedStatus
    index: IndexStatus


def doctor(
    repo: Repo,
    catalog: Catalog,
    options: Options,
    recovered: Iterable[Action] = (),
    findings: Iterable[Finding] = (),
) -> DoctorAnswer:
    """Finish interrupted writes and mend, one after the other, whatever can be; say what only a person can.

    Locks, the runtime's files, git's index, objects and refs, the catalogue, the views, and then the checks; where
    objects are missing, what stands on them is left alone. ``recovered`` is what opening the workspace did already, and
    ``findings`` what it found. Raises ``Conflict`` when somebody writes meanwhile.
    """
    visit = _Visit(repo, catalog, options, [_told(action) for action in recovered])
    visit.mend_files()
    told = tell(findings, None)
    visit.findings += tell((*damage(repo), *_unborn(repo)), None)
    if not is_ok(visit.findings):
        visit.findings += told
        return visit.answer(_derived(repo), IndexStatus(None, fresh=False))
    visit.findings += told
    visit.actions += mend_catalog(repo, catalog, read_head(repo).tip)
    visit.render_views()
    memory = read_memory(repo, catalog, read_head(repo).tip)
    visit.write_views(memory.whole())
    visit.findings += check_working_directory(memory).findings
    index = IndexStatus(memory.revision, fresh=catalog.commit == memory.commit)
    return visit.answer(derived_status(repo, memory.commit), index)


@dataclass
class _Visit:
    repo: Repo
    catalog: Catalog
    options: Options
    actions: list[ActionAnswer]
    findings: list[FindingAnswer] = field(default_factory=list)

    def answer(self, derived: DerivedStatus, index: IndexStatus) -> DoctorAnswer:
        """What came of it."""
        return DoctorAnswer(is_ok(self.findings), tuple(self.actions), tuple(self.findings), derived, index)

    def mend_files(self) -> None:
        """Locks, the runtime's own files, git's index, and what an interrupted write left."""
        timeout = self.options.lock_timeout
        removed, standing = mend_locks(self.repo, timeout=timeout)
        self.actions += map(_told, removed)
        self.actions += mend_state(self.repo.gitmem_dir, self.options.now())
        self._attempt("index", lambda: filter(None, [mend_index(self.repo, timeout=timeout)]))
        self._attempt("journal", lambda: recover(self.repo, timeout=timeout))
        index_lock = standing_index_lock(self.repo)
        self.findings += tell((*map(_standing, standing), *([_index_held(index_lock)] if index_lock else [])), None)

    def _attempt(self, what: str, act: Callable[[], Iterable[Action]]) -> None:
        """Mend what stands on objects, which may be missing; the damage itself is told later."""
        try:
            self.actions += map(_told, act())
        except (NotFound, Unavailable) as error:
            message = f"the {what} cannot be mended yet: {error.message}"
            self.findings += tell((Finding("objects", Severity.ERROR, "not-mended", message),), None)

    def render_views(self) -> None:
        """Commit the views that the memory has, where those that stand are others."""
        try:
            made = rederive(self.repo, self.catalog, self.options)
        except GitmemError as error:
            message = f"the views could not be rendered: {error.message}"
            severity = Severity.WARNING if isinstance(error, Conflict) else Severity.ERROR
            self.findings += tell((Finding(DERIVED, severity, "derived-failed", message, error.path),), None)
            return
        if made is not None:
            files = "1 file" if len(made.paths) == 1 else f"{len(made.paths)} files"
            self.actions.append(ActionAnswer("rendered", "views", f"{files} differed, committed as {made.commit}"))

    def write_views(self, snapshot: Snapshot) -> None:
        """Put views back that somebody deleted from the working directory."""
        with write_lock(self.repo, self.options.lock_timeout):
            written = write_missing(self.repo, snapshot, is_derived)
        if written:
            files = "1 file" if len(written) == 1 else f"{len(written)} files"
            self.actions.append(ActionAnswer("written", "views", f"{files} had been deleted"))


def _told(action: Action) -> ActionAnswer:
    return ActionAnswer(action.what, action.target, action.outcome)


def _standing(lock: StandingLock) -> Finding:
    message = f"{lock.name} stands there for {lock.age:,.0f} s: a git process is at work, or was killed"
    fix = "wait until no git process runs; `gitmem doctor` removes it when it is 10 minutes old"
    return Finding(LOCKS, Severity.WARNING, "standing-lock", message, fix=fix)


def _unborn(repo: Repo) -> tuple[Finding, ...]:
    """A branch without a commit: nothing can be read or written on it."""
    try:
        current_tip(repo)
    except NotFound as error:
        return (Finding("objects", Severity.ERROR, "no-memory", error.message),)
    except GitmemError:
        return ()  # it is damaged, which is told already
    return ()


def _index_held(lock: StandingLock) -> Finding:
    message = f"index.lock stands there for {lock.age:,.0f} s, and nothing is written meanwhile"
    fix = "end the git command that holds it, such as an open commit message; if none runs, remove it from .git"
    return Finding(LOCKS, Severity.WARNING, "standing-lock", message, fix=fix)


def _derived(repo: Repo) -> DerivedStatus:
    try:
        return derived_status(repo, read_head(repo).tip)
    except (KeyError, GitmemError):  # the damage reaches the commits that would tell
        return DerivedStatus(fresh=False, of=None)
