"""Making a commit the memory: objects, then one ref, then the working directory (``architecture.md`` section 3, 7)."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pygit2

from gitmem.errors import Code, Conflict, GitmemError
from gitmem.ids import ZERO_OID
from gitmem.store.head import read_head
from gitmem.store.index_update import IndexUpdate, take_index
from gitmem.store.journal import Journal, delete_journal, read_journal
from gitmem.store.kept_text import keep_text
from gitmem.store.projected import Projected
from gitmem.store.projection import Projection
from gitmem.store.recovery import recover, take_back
from gitmem.store.ref_locks import wait_until_unlocked
from gitmem.store.refs import Ref, RefMove, autosaves, create_autosave, move_ref, read_ref
from gitmem.store.snapshot import Snapshot
from gitmem.store.steps import no_step, step

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitmem.ids import Oid
    from gitmem.store.projection import MergeFile
    from gitmem.store.quarantine import Quarantine
    from gitmem.store.repository import Repo
    from gitmem.store.steps import OnStep


@dataclass(frozen=True, slots=True)
class Publication:
    """What is to become memory: ``branch`` (a full ref name) moves from ``base`` (zero: unborn) to ``tip``.

    ``message`` goes to the reflog, ``autosave`` is a commit to keep first; text in the working directory that the move
    would meet is always kept first. ``absorbed`` are files whose text on disk went into the change, with the blob each
    then had (``None``: absent) and, where that was another, the index: they are written over if still so.
    """

    branch: str
    base: Oid
    tip: Oid
    message: str
    autosave: Oid | None = None
    absorbed: Mapping[str, tuple[Oid | None, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Published:
    """What became of it. ``autosave`` is the ref that was made, ``typed`` that of uncommitted text in the way.

    ``unfinished`` says why the working directory does not follow yet (memory did move; recovery goes on from the
    journal), ``head_moved`` that somebody switched branches meanwhile and the files were taken back.
    """

    projected: Projected = field(default_factory=Projected)
    autosave: str | None = None
    typed: str | None = None
    unfinished: str | None = None
    head_moved: bool = False


def publish(  # noqa: PLR0913 - the three are what it does, the rest are ways to do it
    repo: Repo,
    quarantine: Quarantine,
    publication: Publication,
    *,
    lock_timeout: float = 5.0,
    merge: MergeFile | None = None,
    on_step: OnStep = no_step,
) -> Published:
    """Publish; to be called with the write lock held, on a handle that is not the quarantine's.

    Raises ``Conflict``: ``REPOSITORY_BUSY`` when HEAD is on another branch, ``CONCURRENT_UPDATE`` when the branch
    moved or somebody keeps its lock or ``index.lock`` for ``lock_timeout`` seconds. Then no ref, file or index changed.
    Objects did only where the branch moved, or a lock was taken, in the last moment. Raises ``OSError`` when the disk
    fails before the ref moved, and ``Unavailable`` when text that somebody is typing cannot be kept.
    """
    if read_journal(repo) is not None:
        recover(repo)
    _require_branch(repo, publication)
    move = _Move(repo, quarantine.repo, publication, merge)
    move.wait_until_free(lock_timeout)
    quarantine.promote(on_step, flush_names=publication.autosave is not None)  # else the journal's flush is theirs
    autosave = move.keep_memory(on_step)
    move.commit(lock_timeout, on_step)
    return move.project(autosave, lock_timeout, on_step)


def _require_branch(repo: Repo, publication: Publication) -> None:
    head = read_head(repo)
    if head.branch != publication.branch:
        message = f"HEAD is on {head.branch or 'no branch'} now, not on {publication.branch}; try again"
        raise Conflict(Code.REPOSITORY_BUSY, message)
    if head.tip != publication.base:
        message = f"{publication.branch} moved from {publication.base} to {head.tip}; read it again and try again"
        raise Conflict(Code.CONCURRENT_UPDATE, message, details={"base": publication.base, "tip": head.tip})


class _Move:
    """One publication under way: steps b to d."""

    def __init__(self, repo: Repo, source: Repo, publication: Publication, merge: MergeFile | None) -> None:
        self._repo, self._source, self._publication, self._merge = repo, source, publication, merge
        self._index: IndexUpdate | None = None
        self._projection: Projection | None = None
        self._typed: str | None = None
        self._made: list[Ref] = []

    def wait_until_free(self, timeout: float) -> None:
        wait_until_unlocked(self._repo, self._publication.branch, timeout)
        if not self._repo.is_bare:
            IndexUpdate.wait_until_free(self._repo, timeout)

    def keep_memory(self, on_step: OnStep) -> str | None:
        """Keep the state before, where that is asked for; the ref's name."""
        if self._publication.autosave is None:
            return None
        with step(on_step, "autosave-ref"):
            self._made.append(Ref(create_autosave(self._repo, self._publication.autosave), self._publication.autosave))
        return self._made[-1].name

    def commit(self, timeout: float, on_step: OnStep) -> None:
        """Take the index and move the ref, or leave everything as it was."""
        publication = self._publication
        try:
            self._take_index(timeout, on_step)
            self._keep_typed()
            with step(on_step, "head-read"):
                _require_branch(self._repo, publication)
            with step(on_step, "ref-move"):
                old = None if publication.base == ZERO_OID else publication.base
                move_ref(self._repo, RefMove(publication.branch, old, publication.tip), publication.message)
        except BaseException:
            if read_ref(self._repo, publication.branch) != publication.tip:
                self._withdraw()  # else the journal stays, and recovery finishes what was published
            raise

    def _take_index(self, timeout: float, on_step: OnStep) -> None:
        publication = self._publication
        journal = Journal(publication.branch, publication.base, publication.tip, None, absorbed=publication.absorbed)
        if self._repo.is_bare:
            with step(on_step, "journal"):
                journal.write(self._repo)
            return
        old, new = (Snapshot.at(self._source, oid) for oid in (publication.base, publication.tip))
        self._index = IndexUpdate(self._repo, new.changes(old), publication.absorbed, (old, new))
        self._projection = Projection(self._repo, self._index, self._merge, source=self._source)
        take_index(self._repo, self._index, journal, timeout, on_step)

    def _keep_typed(self) -> None:
        """Keep what somebody is typing in files that are about to change; without that, nothing moves."""
        if self._projection is None:
            return
        typed = self._projection.typed()
        if not typed:
            return
        known = set(autosaves(self._repo))
        try:
            self._typed = keep_text(self._repo, Snapshot.at(self._repo, self._publication.base), typed)
        except pygit2.GitError as error:
            raise OSError(str(error)) from error
        self._made += set(autosaves(self._repo)) - known

    def _withdraw(self) -> None:
        """Nothing moved: the autosaves of this move are of no use."""
        for ref in self._made:
            with suppress(GitmemError):
                move_ref(self._repo, RefMove(ref.name, ref.oid, None))
        if self._index is not None:
            self._index.release()
        delete_journal(self._repo)

    def project(self, autosave: str | None, timeout: float, on_step: OnStep) -> Published:
        """Write files and index; a failing disk leaves the journal, and recovery goes on from there."""
        projected, head_moved = Projected(), False
        try:
            if self._index is not None and self._projection is not None:
                projected = self._projection.run(on_step)
                with step(on_step, "index-rename"):
                    self._index.put_in_place()
                head_moved = take_back(self._repo, self._publication.branch, timeout=timeout)
            with step(on_step, "journal-delete"):
                delete_journal(self._repo)
            if self._index is not None:
                self._index.forget()
        except (OSError, GitmemError, pygit2.GitError) as error:
            return Published(projected, autosave, self._typed, unfinished=str(error))
        return Published(projected, autosave, self._typed, head_moved=head_moved)
