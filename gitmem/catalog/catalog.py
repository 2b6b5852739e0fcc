"""The catalogue: brought to a commit, it answers for that commit (``architecture.md`` section 4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.catalog.at import PastFacts, line_of
from gitmem.catalog.chain import ChainWriter, missing_commits, read_line
from gitmem.catalog.commits import RepositoryCommits
from gitmem.catalog.corpus import CatalogCorpus, ColumnsCache, terms_fingerprint
from gitmem.catalog.database import Damaged, Database, ReadOnly, wipe
from gitmem.catalog.facts import CatalogFacts
from gitmem.catalog.history import CatalogHistory
from gitmem.catalog.manifest import ManifestWriter, combined, differing
from gitmem.catalog.past_corpus import PastCorpus
from gitmem.catalog.statistics import Statistics, read_statistics
from gitmem.errors import Code, Unavailable
from gitmem.facts.contribution import contributions_of
from gitmem.ids import ZERO_OID, Oid

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path
    from typing import Self

    from gitmem.catalog.chain import Commit
    from gitmem.catalog.commits import Commits
    from gitmem.catalog.corpus import Corpus
    from gitmem.catalog.database import Row, Value
    from gitmem.facts.base import Facts
    from gitmem.store.repository import Repo
    from gitmem.store.tree import Tree

ATTEMPTS = 20
"""How often another process may move the catalogue between bringing it to a commit and reading it."""

FEW_COMMITS = 16
"""So many new commits are compared once, for what each did and for what all of them changed together."""

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
    missing, damaged or of another version is built anew, one that cannot be written is kept in memory. Anything else
    that keeps it from being brought up to date is ``Unavailable`` (``STORAGE_UNAVAILABLE``).
    """

    def __init__(self, commits: Commits, path: Path | None) -> None:
        """Read from a history; ``path`` ``None`` keeps the database in memory. Nothing is opened before ``refresh``."""
        self._commits = commits
        self._path = path
        self._database: Database | None = None
        self._reading: _Pinned | None = None
        self._columns = ColumnsCache()

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

    def facts(self) -> CatalogFacts:
        """The facts of the commit."""
        return CatalogFacts(self._pinned())

    def corpus(self) -> CatalogCorpus:
        """The documents of the commit, for search."""
        return CatalogCorpus(self._pinned(), self._columns)

    def history(self) -> CatalogHistory:
        """The first-parent history that ends in the commit."""
        return CatalogHistory(self._pinned())

    def at(self, commit: Oid) -> View:
        """The memory at another commit, for ``--at``: laid over this one by difference, and nothing is written.

        It answers as long as the catalogue itself does not move. Raises ``NotFound`` (``REVISION_NOT_FOUND``).
        """
        reading, facts = self._pinned(), self.facts()
        if commit == reading.commit:
            return View(commit, facts, self.corpus(), self.history())
        tree, line = self._commits.tree(commit), line_of(reading, self._commits, commit)
        changed = contributions_of(tree, differing(reading, held_tree(self._commits, reading.commit), tree))
        past = PastFacts(facts, changed, line)
        corpus = PastCorpus(self.corpus(), reading, changed, past, tree)
        return View(commit, past, corpus, CatalogHistory(reading, line.seq, line.beyond))

    def statistics(self) -> Statistics:
        """How much the memory holds."""
        return read_statistics(self._pinned())

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

    def _pinned(self) -> _Pinned:
        if self._reading is None:
            message = "the catalogue answers only after refresh()"
            raise RuntimeError(message)
        return self._reading

    # --- bringing it to a commit

    def _bring(self, commit: Oid) -> None:
        try:
            self._move(commit)
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

    def _move(self, commit: Oid) -> None:
        if self._database is None:
            self._database = Database(self._path)
        database = self._database
        for _ in range(ATTEMPTS):
            database.pin()
            if tip_of(database) == commit:
                return
            with database.writing():
                move(database, self._commits, commit)
        message = "other processes keep moving the catalogue; try again"
        raise Unavailable(Code.STORAGE_UNAVAILABLE, message)

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

    def rows(self, sql: str, values: Sequence[Value] = ()) -> list[Row]:
        return self._catalog.ask(self, sql, values)

    def row(self, sql: str, values: Sequence[Value] = ()) -> Row | None:
        found = self.rows(sql, values)
        return found[0] if found else None


def tip_of(database: Database) -> Oid:
    """The commit that a database holds; the zero id for none."""
    row = database.row("SELECT oid FROM chain ORDER BY seq DESC LIMIT 1")
    return ZERO_OID if row is None else Oid(row[0])


def held_tree(commits: Commits, held: Oid) -> Tree | None:
    """The files of the commit that a database holds; ``None`` when the repository does not have it any more."""
    return commits.tree(held) if held == ZERO_OID or commits.parents(held) is not None else None


def move(database: Database, commits: Commits, commit: Oid) -> None:
    """Bring a database in a write transaction to a commit."""
    fingerprint = terms_fingerprint()
    known = database.row("SELECT value FROM meta WHERE name = 'terms'")
    if known != (fingerprint,):
        database.clear()
        database.execute("INSERT INTO meta VALUES ('terms', ?)", (fingerprint,))
    held = tip_of(database)
    if held == commit:
        return
    tree = commits.tree(commit)
    seq, missing = missing_commits(database, commits, commit)
    row = database.row("SELECT oid FROM chain WHERE seq = ?", (seq,))
    fork = ZERO_OID if row is None else Oid(row[0])
    line: Iterable[Commit] = read_line(commits, fork, missing)
    if held == fork and len(missing) <= FEW_COMMITS:
        line = tuple(line)
        wanted = combined(step.changes for step in line)
    else:
        wanted = differing(database, held_tree(commits, held), tree)
    manifest = ManifestWriter(database, _next_generation(database), wanted, tree)
    chain = ChainWriter(database, manifest)
    chain.truncate(seq)
    chain.append(seq, line)
    manifest.finish()


def _next_generation(database: Database) -> int:
    database.execute("INSERT INTO meta VALUES ('generation', 1) ON CONFLICT DO UPDATE SET value = value + 1")
    return database.number("SELECT value FROM meta WHERE name = 'generation'")
