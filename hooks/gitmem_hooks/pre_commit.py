"""``pre-commit``: the rules over exactly what is being committed, before the commit exists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.checks import gate
from gitmem.checks.base import Candidate
from gitmem.facts.contribution import contributions_of
from gitmem.facts.overlay import OverlayFacts
from gitmem.facts.scan import scan_facts
from gitmem.ids import ZERO_OID, Oid
from gitmem.store.head import read_head
from gitmem.store.indexed import IndexTree
from gitmem.store.snapshot import Snapshot

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.errors import Finding
    from gitmem.store.repository import Repo


def check(repo: Repo, index: Path | None) -> tuple[Finding, ...]:
    """What is wrong with the commit that git is about to make (``architecture.md`` section 5).

    ``index`` is git's ``$GIT_INDEX_FILE``: in ``git commit -- PATH`` it is not the worktree's own. The facts of the old
    tip are read by a plain scan, since a hook must work without a catalogue. Raises ``Unavailable`` for an index that
    cannot be read.
    """
    tip = read_head(repo).tip
    before = Snapshot.at(repo, tip)
    after = IndexTree(repo, before, index)
    changes = after.changes(before)
    if not changes:
        return ()
    known = scan_facts(before)
    facts = OverlayFacts(known, contributions_of(after, [change.path for change in changes]))
    merged = tuple(Snapshot.at(repo, parent) for parent in _merged(repo))
    return gate.check(Candidate(before, after, changes, known, facts, merged=merged, is_root=tip == ZERO_OID))


def _merged(repo: Repo) -> tuple[Oid, ...]:
    """The other parents of the merge that this commit concludes."""
    try:
        return tuple(Oid(line) for line in (repo.gitdir / "MERGE_HEAD").read_text("ascii").split())
    except FileNotFoundError:
        return ()
