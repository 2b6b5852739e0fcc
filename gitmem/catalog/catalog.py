"""The catalogue: brought to a commit, it answers for that commit (``architecture.md`` section 4)."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from gitmem.catalog.commits import RepositoryCommits
from gitmem.catalog.database import Damaged, Database, ReadOnly, wipe
from gitmem.catalog.tip import last_posted, tip_of
from gitmem.errors import Code, Unavailable
from gitmem.ids import ZERO_OID, Oid

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path
    from typing import Self

    from gitmem.catalog.commits import Commits
    from gitmem.catalog.corpus import CatalogCorpus, ColumnsCache, Corpus
    from gitmem.catalog.database import Row, Value
    from gitmem.catalog.facts import CatalogFacts
    from gitmem.catalog.history import CatalogHistory
    from gitmem.catalog.statistics import Statistics
    from gitmem.facts.base import Facts
    from gitmem.format.model import Record
    from gitmem.store.repository import Repo

ATTEMPTS = 20
"""How often another process may move the catalogue between bringing it to a commit and reading it."""

PRIVATE_FOLDER = 0o700


@dataclass(frozen=True, slots=True)
class View:
    """The memory at one commit."""

    commit: Oid
    facts: Facts
    corpus: Corpus
    history: CatalogHistory

    def __enter__(self) -> Self:
        """Look at it for the length of a block."""
        return self

    def __exit__(self, *_: object) -> None:
        """There is nothing to put back."""


class Catalog:
    """One connection to a repository's catalogue; for one thread at a time.

    After ``refresh(commit)`` everything answers for that commit, unmoved by other processes, until the next
    ``refresh``, ``release`` or ``close``; what was handed out before must not be asked any more. A database that is
    missing, damaged (``was_damaged`` tells) or of another version is built anew, one that cannot be written is kept in
    memory. Anything else that keeps it from being brought up to date is ``Unavailable`` (``STORAGE_UNAVAILABLE``).
    """

    def __init__(self, commits: Commits, path: Path | None) -> None:
        """Read from a history; ``path`` ``None`` keeps the database in memory. Nothing is opened before ``refresh``."""
        self._commits = commits
        self._path = path
        self._database: Database | None = None
        self._reading: _Pinned | None = None
        self._deferring = False
        self.was_damaged = False

    @classmethod
    def open(cls, repo: Repo) -> Catalog:
        """The catalogue of a repository's worktree."""
        name = "index" if repo.worktree_name is None else f"index-{repo.worktree_name}"
        path: Path | None = repo.gitmem_dir / f"{name}.sqlite"
        try:
            repo.gitmem_dir.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)
        except OSError:
            path = None
        return cls(RepositoryCommits(repo), path)

    @property
    def stands(self) -> bool:
        """Whether there is a database on the disk, of whatever worth."""
        return self._path is not None and self._path.exists() and self._path.stat().st_size > 0

    def is_sound(self) -> bool:
        """Whether the database on the disk holds together, by its own reckoning; reads all of it."""
        return self._pinned().rows("PRAGMA quick_check") == [("ok",)]

    @property
    def commit(self) -> Oid:
        """The commit it answers for; the zero id for an unborn branch, and before the first ``refresh``."""
        return ZERO_OID if self._reading is None else self._reading.commit

    def refresh(self, commit: Oid) -> None:
        """Answer for this commit from now on; costs what differs from the commit it held before.

        Raises ``NotFound`` (``REVISION_NOT_FOUND``) for a commit that is not there, and ``Unavailable``.
        """
        if self._reading is None or self._reading.commit != commit:
            self._reading = None
            self._bring(commit)
            self._reading = _Pinned(self, commit)

    @contextmanager
    def deferring(self) -> Iterator[None]:
        """Bring many commits in one after the other: what only search needs of them is written once, at the end.

        A search meanwhile finds everything, at the price of having it written at once.
        """
        self._deferring = True
        try:
            yield
        finally:
            self._deferring = False
        if self._reading is not None:
            with suppress(Unavailable):  # whoever searches next tries again
                self.complete(self._reading)

    def rebuild(self, commit: Oid) -> None:
        """Throw the database away and answer for this commit from a new one."""
        self._reading = None
        self._discard()
        self.was_damaged = False
        self.refresh(commit)

    def facts(self) -> CatalogFacts:
        """The facts of the commit."""
        from gitmem.catalog.facts import CatalogFacts  # noqa: PLC0415 (here and below: most callers need one of them)

        return CatalogFacts(self._pinned())

    def corpus(self) -> CatalogCorpus:
        """The documents of the commit, for search; postings that another tokenizer made are made again first."""
        from gitmem.catalog.corpus import CatalogCorpus, has_own_terms  # noqa: PLC0415

        reading = self._pinned()
        if not has_own_terms(reading):
            self._rebuild(reading.commit)
        return CatalogCorpus(reading, self._columns, lambda: self.complete(reading))

    def history(self) -> CatalogHistory:
        """The first-parent history that ends in the commit."""
        from gitmem.catalog.history import CatalogHistory  # noqa: PLC0415

        return CatalogHistory(self._pinned())

    def at(self, commit: Oid) -> View:
        """The memory at another commit, for ``--at``: laid over this one by difference, and nothing is written.

        It answers as long as the catalogue itself does not move. Raises ``NotFound`` (``REVISION_NOT_FOUND``).
        """
        reading, facts = self._pinned(), self.facts()
        if commit == reading.commit:
            return View(commit, facts, self.corpus(), self.history())
        from gitmem.catalog.looking_back import look_back  # noqa: PLC0415

        return View(commit, *look_back(reading, self._commits, facts, self.corpus(), commit))

    def statistics(self) -> Statistics:
        """How much the memory holds."""
        from gitmem.catalog.statistics import read_statistics  # noqa: PLC0415

        return read_statistics(self._pinned())

    def uncited(self) -> Iterator[Record]:
        """Trusted messages that no topic cites, by archive and in its order (11.1)."""
        from gitmem.catalog.uncited import read_uncited  # noqa: PLC0415

        return read_uncited(self._pinned())

    def pending(self) -> Iterator[Record]:
        """Messages that nobody vouches for, by archive and in its order (8.18)."""
        from gitmem.catalog.pending import read_pending  # noqa: PLC0415

        return read_pending(self._pinned())

    def release(self) -> None:
        """Stop holding on to one state, so that the database's log can be folded in while this process waits."""
        self._reading = None
        if self._database is not None:
            self._database.unpin()

    def close(self) -> None:
        """Let go of the database."""
        self._reading = None
        if self._database is not None:
            self._database.close()
            self._database = None

    @cached_property
    def _columns(self) -> ColumnsCache:
        from gitmem.catalog.corpus import ColumnsCache  # noqa: PLC0415

        return ColumnsCache()

    def _pinned(self) -> _Pinned:
        if self._reading is None:
            message = "the catalogue answers only after refresh()"
            raise RuntimeError(message)
        return self._reading

    # --- bringing it to a commit

    def complete(self, reading: _Pinned) -> None:
        """Write the postings that documents of the state wait for, if any do."""
        if not reading.is_complete:
            if last_posted(reading) is not None:
                self._bring(reading.commit, complete=True)
            reading.is_complete = True

    def _bring(self, commit: Oid, *, complete: bool = False) -> None:
        try:
            self._move(commit, complete=complete)
        except Damaged:
            self._discard()
            self._move_surely(commit)
        except ReadOnly:
            self._keep_in_memory()
            self._move_surely(commit)

    def _move_surely(self, commit: Oid) -> None:
        try:
            self._move(commit)
        except (Damaged, ReadOnly):
            self._keep_in_memory()
            self._move(commit)

    def _discard(self) -> None:
        """Throw a damaged database away; while others have it open, this process does without."""
        self.was_damaged = True
        if self._database is not None:
            self._database.close()
            self._database = None
        if self._path is None or not wipe(self._path):
            self._keep_in_memory()

    def _keep_in_memory(self) -> None:
        if self._database is not None:
            self._database.close()
            self._database = None
        self._path = None

    def _move(self, commit: Oid, *, complete: bool = False) -> None:
        if self._database is None:
            self._database = Database(self._path)
        database = self._database
        for _ in range(ATTEMPTS):
            database.pin()
            if tip_of(database) == commit and not (complete and last_posted(database) is not None):
                return
            from gitmem.catalog.moving import move  # noqa: PLC0415 (parsers, which a look at what is held does not need)

            with database.writing():
                move(database, self._commits, commit, complete=complete or not self._deferring)
        message = "other processes keep moving the catalogue; try again"
        raise Unavailable(Code.STORAGE_UNAVAILABLE, message)

    def _rebuild(self, commit: Oid) -> None:
        from gitmem.catalog.moving import move  # noqa: PLC0415

        if self._database is not None:
            with self._database.writing():
                move(self._database, self._commits, commit)
        self._bring(commit)

    def ask(self, reading: _Pinned, sql: str, values: Sequence[Value]) -> list[Row]:
        """Put a question to the state that a reading stands for; a damaged database is built again first."""
        if reading is not self._reading or self._database is None:
            message = "the catalogue has moved on: ask for facts() again"
            raise RuntimeError(message)
        try:
            return self._database.rows(sql, values)
        except UnicodeEncodeError:
            return []  # a name that is no Unicode text is nobody's
        except Damaged:
            self._discard()
            self._bring(reading.commit)
            return self._database.rows(sql, values)


class _Pinned:
    """The state of the database that one ``refresh`` brought about."""

    def __init__(self, catalog: Catalog, commit: Oid) -> None:
        self._catalog = catalog
        self.commit = commit
        self.is_complete = False

    def rows(self, sql: str, values: Sequence[Value] = ()) -> list[Row]:
        return self._catalog.ask(self, sql, values)

    def row(self, sql: str, values: Sequence[Value] = ()) -> Row | None:
        found = self.rows(sql, values)
        return found[0] if found else None
