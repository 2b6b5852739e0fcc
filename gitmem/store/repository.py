"""One handle on one repository: where its parts stand, and what keeps it from being written (section 2)."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

import pygit2
from pygit2.enums import ObjectType, RepositoryOpenFlag

from gitmem.errors import Code, NotFound, Unavailable
from gitmem.format import layout
from gitmem.store import durability
from gitmem.store.memo import Memo

if TYPE_CHECKING:
    from collections.abc import Iterator

CACHED_TREE_BYTES = 1 << 20
"""The largest folder, as git stores it, that is kept in memory once read; libgit2's own limit is a hundred names."""

CACHE_BYTES = 32 << 20
"""What libgit2 keeps in memory altogether, for all repositories of the process."""

PRIVATE = 0o700
OTHERS = 0o077


class Repo:
    """A repository that holds (or will hold) a workspace.

    ``git`` is libgit2's handle, for this package only. ``path`` is the folder a user names: the worktree's root, or
    the bare repository. ``gitdir`` is the worktree's own git directory (index, HEAD), ``common_dir`` what all
    worktrees share (objects, refs), ``gitmem_dir`` the runtime state in it. ``fsync`` says whether writes are
    flushed. Handles are cheap; parsed files are remembered across those made with ``fresh``.
    """

    def __init__(self, git: pygit2.Repository, *, fsync: bool, memo: Memo | None = None) -> None:
        """Take libgit2's handle, which nothing has used yet."""
        self.git = git
        self.fsync = fsync
        self.memo = memo or Memo()
        self.gitdir = Path(os.fsdecode(git.path or ""))
        self.workdir = None if git.is_bare or git.workdir is None else Path(os.fsdecode(git.workdir))
        self.common_dir = _common_dir(self.gitdir)
        self.gitmem_dir = self.common_dir / "gitmem"
        git.set_ident("gitmem", "gitmem@localhost")
        durability.settle(git, fsync=fsync)

    @property
    def path(self) -> Path:
        """The folder a user names."""
        return self.workdir or self.gitdir

    @property
    def is_bare(self) -> bool:
        """Whether there is no working directory to keep in step."""
        return self.workdir is None

    @property
    def worktree_name(self) -> str | None:
        """The name of a linked worktree; ``None`` in the main one."""
        return None if self.gitdir == self.common_dir else self.gitdir.name

    def fresh(self) -> Repo:
        """Another handle on the same repository, with nothing cached but parsed files."""
        return Repo(open_git(self.gitdir if self.is_bare else self.path), fsync=self.fsync, memo=self.memo)

    def read_also(self, objects: Path) -> None:
        """Read objects of another folder too: in ``pre-receive``, what is being pushed (section 7)."""
        self.git.odb.add_disk_alternate(str(objects))

    def make_private(self) -> None:
        """Make the runtime folder, and take from the workspace's root what others may do there (7.17, 0.24).

        Where this account may not (a backup that another one owns), the workspace can still be read.
        """
        with contextlib.suppress(PermissionError):
            self.gitmem_dir.mkdir(mode=PRIVATE, exist_ok=True)
            for folder in {self.path, self.common_dir, self.gitmem_dir}:
                mode = folder.stat().st_mode
                if mode & OTHERS:
                    folder.chmod(stat.S_IMODE(mode) & ~OTHERS)


def open_repository(path: Path, *, fsync: bool = True) -> Repo:
    """Open the workspace whose root (or bare folder, or linked worktree) is ``path``.

    Raises ``NotFound`` (``WORKSPACE_NOT_FOUND``) when there is no repository, or one without memory, and
    ``Unavailable`` when git can read it and gitmem cannot: SHA-256 object names, reftable, a folder that another
    account owns.
    """
    git = open_git(path)
    if not is_workspace(git):
        message = f"the git repository at {path} holds no memory; `gitmem init` makes a workspace"
        raise NotFound(Code.WORKSPACE_NOT_FOUND, message)
    repo = Repo(git, fsync=fsync)
    repo.make_private()
    return repo


def discover(path: Path, *, fsync: bool = True) -> Repo:
    """Open the workspace that ``path`` is inside of; repositories on the way that hold no memory are passed by.

    Raises ``NotFound`` (``WORKSPACE_NOT_FOUND``).
    """
    for folder in _upwards(path):
        if is_repository(folder):
            try:
                return open_repository(folder, fsync=fsync)
            except NotFound:
                continue
            except Unavailable:
                if (folder / layout.GITMEM).exists() or (folder / "gitmem").is_dir():
                    raise  # memory, in a format that gitmem cannot read
    message = f"{path} is not inside a gitmem workspace; `gitmem init` makes one"
    raise NotFound(Code.WORKSPACE_NOT_FOUND, message)


def is_repository(folder: Path) -> bool:
    """Whether the folder itself is a repository's root: a worktree, or a bare one."""
    bare = (folder / "HEAD").is_file() and (folder / "objects").is_dir() and (folder / "refs").is_dir()
    return (folder / ".git").exists() or (bare and folder.name != ".git")


def is_workspace(git: pygit2.Repository) -> bool:
    """Whether HEAD's commit tracks ``.gitmem``, or memory was begun here and HEAD's commit is not there (yet)."""
    try:
        return layout.GITMEM in git.head.peel(pygit2.Commit).tree
    except (pygit2.GitError, KeyError):
        return (_common_dir(Path(os.fsdecode(git.path or ""))) / "gitmem").is_dir()


def _upwards(path: Path) -> Iterator[Path]:
    absolute = path.resolve()  # `..` in a path is no folder of its own
    yield absolute
    yield from absolute.parents


def _common_dir(gitdir: Path) -> Path:
    try:
        pointer = (gitdir / "commondir").read_text("utf-8").strip()
    except FileNotFoundError:
        return gitdir
    return Path(os.path.normpath(gitdir / pointer))


def open_git(path: Path) -> pygit2.Repository:
    """Open libgit2's own handle; errors as for ``open_repository``."""
    pygit2.settings.cache_object_limit(ObjectType.TREE, CACHED_TREE_BYTES)
    pygit2.settings.cache_max_size(CACHE_BYTES)
    try:
        return pygit2.Repository(os.fsencode(path).decode("utf-8", "surrogateescape"), RepositoryOpenFlag.NO_SEARCH)
    except (pygit2.GitError, KeyError, ValueError) as error:
        raise _explained(path, error) from error


def _explained(path: Path, error: Exception) -> NotFound | Unavailable:
    """Say plainly what git can read and gitmem cannot."""
    if not is_repository(path):
        return NotFound(Code.WORKSPACE_NOT_FOUND, f"there is no git repository at {path}; `gitmem init` makes one")
    settings = _config_text(path).lower()
    if "sha256" in settings:
        reason = "it names objects by SHA-256; gitmem reads SHA-1 repositories only"
    elif "reftable" in settings:
        reason = "it keeps refs as a reftable; `git refs migrate --ref-format=files` makes it readable"
    else:
        reason = str(error)
    return Unavailable(Code.STORAGE_UNAVAILABLE, f"gitmem cannot open the git repository at {path}: {reason}")


def _config_text(path: Path) -> str:
    for config in (path / ".git" / "config", path / "config"):
        if config.is_file():
            return config.read_text("utf-8", "replace")
    return ""
