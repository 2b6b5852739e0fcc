"""Files that were being edited while memory moved under them: what was typed is kept, and where it started from.

The text goes to ``refs/gitmem/rescue/``; the blob that the edit departed from to ``refs/worktree/gitmem/bases``
(``architecture.md`` section 3, step 8), as files of an ordinary commit that plain git can show.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from gitmem.format import layout
from gitmem.store import durability
from gitmem.store.commits import GITMEM, Stamp, create_commit, read_commit
from gitmem.store.refs import RefMove, create_numbered, move_ref, numbered, read_ref
from gitmem.store.snapshot import Snapshot
from gitmem.store.staging import Staging

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitmem.ids import Oid
    from gitmem.store.repository import Repo


def save_rescue(repo: Repo, files: Mapping[str, bytes], subject: str) -> str | None:
    """Keep texts under a new rescue ref, each at its path; the ref's name, ``None`` when there are none.

    When the newest rescue holds exactly these files, it is named again.
    """
    if not files:
        return None
    tree = _tree(repo, files)
    newest = next(iter(numbered(repo, layout.RESCUE_PREFIX)), None)
    known = None if newest is None else read_commit(repo, newest.oid)
    if newest is not None and known is not None and known.tree == tree:
        return newest.name
    commit = create_commit(repo, tree=tree, parents=(), message=f"{subject}\n", author=_now())
    _flush(repo)
    return create_numbered(repo, layout.RESCUE_PREFIX, commit)


def read_bases(repo: Repo) -> dict[str, Oid]:
    """For each file that was left alone in this worktree: the blob its edit is based on (empty: the file was new)."""
    commit = read_ref(repo, layout.BASES_REF)
    return {} if commit is None else {entry.path: entry.oid for entry in Snapshot.at(repo, commit).entries()}


def change_bases(repo: Repo, changes: Mapping[str, bytes | None]) -> None:
    """Record what edits are based on, by content, or (``None``) that the path is no longer left alone."""
    old = read_ref(repo, layout.BASES_REF)
    before = Snapshot(repo) if old is None else Snapshot.at(repo, old)
    staging = Staging(repo, before)
    for path, data in changes.items():
        if data is None:
            staging.delete(path)
        else:
            staging.write(path, data)
    tree = staging.build()
    if tree == before.tree:
        return
    new = None
    if next(Snapshot(repo, tree).entries(), None) is not None:
        new = create_commit(repo, tree=tree, parents=(), message="what edits are based on\n", author=_now())
        _flush(repo)
    move_ref(repo, RefMove(layout.BASES_REF, old, new))


def _tree(repo: Repo, files: Mapping[str, bytes]) -> Oid:
    staging = Staging(repo, Snapshot(repo))
    for path, data in files.items():
        staging.write(path, data)
    return staging.build()


def _now() -> Stamp:
    return Stamp(GITMEM, int(time.time()))


def _flush(repo: Repo) -> None:
    if repo.fsync:
        durability.flush_filesystem(repo.common_dir / "objects")
