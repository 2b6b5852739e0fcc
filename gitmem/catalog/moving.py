"""Bringing the database to another commit; what only looks at the commit it holds does not load this."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.catalog.backlog import post
from gitmem.catalog.chain import ChainWriter, missing_commits, read_line
from gitmem.catalog.corpus import has_own_terms, terms_fingerprint
from gitmem.catalog.manifest import ManifestWriter, combined, differing
from gitmem.catalog.tip import tip_of
from gitmem.ids import ZERO_OID, Oid

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gitmem.catalog.chain import Commit
    from gitmem.catalog.commits import Commits
    from gitmem.catalog.database import Database
    from gitmem.store.tree import Tree

FEW_COMMITS = 16
"""So many new commits are compared once, for what each did and for what all of them changed together."""


def held_tree(commits: Commits, held: Oid) -> Tree | None:
    """The files of the commit that a database holds; ``None`` when the repository does not have it any more."""
    return commits.tree(held) if held == ZERO_OID or commits.parents(held) is not None else None


def move(database: Database, commits: Commits, commit: Oid, *, complete: bool = True) -> None:
    """Bring a database in a write transaction to a commit; unless ``complete``, new documents wait for postings."""
    if not has_own_terms(database):
        database.clear()
    database.execute("INSERT OR IGNORE INTO meta VALUES ('terms', ?)", (terms_fingerprint(),))
    held = tip_of(database)
    if held == commit:
        if complete:
            post(database)
        return
    tree = commits.tree(commit)
    seq, missing = missing_commits(database, commits, commit)
    row = database.row("SELECT oid FROM chain WHERE seq = ?", (seq,))
    fork = ZERO_OID if row is None else Oid(row[0])
    line: Iterable[Commit] = read_line(commits, fork, missing)
    few = len(missing) <= FEW_COMMITS
    if held == fork and few:
        line = tuple(line)
        wanted = combined(step.changes for step in line)
    else:
        wanted = differing(database, held_tree(commits, held), tree)
    manifest = ManifestWriter(database, _next_generation(database), wanted, tree, complete=complete)
    chain = ChainWriter(database, manifest)
    chain.truncate(seq)
    chain.append(seq, line, few=few)
    manifest.finish()


def _next_generation(database: Database) -> int:
    database.execute("INSERT INTO meta VALUES ('generation', 1) ON CONFLICT DO UPDATE SET value = value + 1")
    return database.number("SELECT value FROM meta WHERE name = 'generation'")
