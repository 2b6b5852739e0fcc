"""Every worktree of a repository, with what each keeps for itself: HEAD, index, refs, files."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pygit2

from gitmem.ids import Oid
from gitmem.store.refs import Ref, loose_names
from gitmem.store.repository import open_git

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.store.repository import Repo

_SYMBOLIC = "ref: "


@dataclass(frozen=True, slots=True)
class Worktree:
    """One worktree: its own git directory, and its files (``None``: bare, or the folder is gone)."""

    gitdir: Path
    workdir: Path | None
    is_main: bool


def worktrees(repo: Repo) -> Iterator[Worktree]:
    """The main worktree, or the bare repository, and every linked one."""
    main = open_git(repo.common_dir)
    folder = None if main.is_bare or main.workdir is None else Path(main.workdir)
    yield Worktree(repo.common_dir, folder, is_main=True)
    linked = repo.common_dir / "worktrees"
    for gitdir in sorted(linked.iterdir()) if linked.is_dir() else ():
        with contextlib.suppress(FileNotFoundError):
            root = Path((gitdir / "gitdir").read_text("utf-8").strip()).parent
            yield Worktree(gitdir, root if root.is_dir() else None, is_main=False)


def detached_head(worktree: Worktree) -> Oid | None:
    """The commit that HEAD names itself; ``None`` when it names a branch."""
    with contextlib.suppress(FileNotFoundError):
        text = (worktree.gitdir / "HEAD").read_text("utf-8", "surrogateescape").strip()
        if not text.startswith(_SYMBOLIC):
            return Oid(text)
    return None


def own_refs(worktree: Worktree) -> tuple[Ref, ...]:
    """The refs that a linked worktree has for itself, from ``refs/`` on; the main one's are among all refs."""
    if worktree.is_main:
        return ()
    found = ((name, worktree.gitdir / name) for name in loose_names(worktree.gitdir, "refs/"))
    return tuple(Ref(name, Oid(path.read_text("ascii").strip())) for name, path in found)


def is_busy(worktree: Worktree) -> str | None:
    """What git has begun there and not finished; ``None`` for nothing."""
    if worktree.workdir is None and not worktree.is_main:
        return "its folder is gone; `git worktree prune` lets go of it"
    place = worktree.workdir or worktree.gitdir
    state = open_git(place).state()
    return None if state.value == 0 else state.name.lower().replace("_", " ")


def indexed_blobs(worktree: Worktree) -> tuple[tuple[str, int, Oid], ...]:
    """What the index holds: path, mode, blob; empty without an index. Raises ``OSError`` for one that cannot be read.

    Entries of an unfinished merge are not told: ``is_busy`` tells of it.
    """
    path = worktree.gitdir / "index"
    if not path.is_file():
        return ()
    index = pygit2.Index(str(path))
    return tuple((entry.path, int(entry.mode), Oid(str(entry.id))) for entry in index)
