"""Making the git repository that a workspace lives in; its first commit is a transaction like any other."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pygit2
from pygit2.enums import RepositoryInitFlag

from gitmem.errors import Code, InvalidRequest, NotFound, Refused
from gitmem.store.index_file import EMPTY_INDEX
from gitmem.store.local_config import HEADINGS, put_sections
from gitmem.store.repository import PRIVATE, Repo, is_repository, open_git, open_repository

if TYPE_CHECKING:
    from collections.abc import Iterator


def init_repository(path: Path, *, bare: bool = False, branch: str = "main", fsync: bool = True) -> tuple[Repo, bool]:
    """Make an empty repository for a workspace at ``path``; the handle, and whether it was made now.

    A workspace that stands there is opened, as is a repository whose making was interrupted before its first commit.
    Folders are 0700, no template of the user's is copied. Raises ``Refused`` (``NESTED_REPOSITORY``) inside another
    repository, and on one that holds something else, ``InvalidRequest`` for the root of the file system.
    """
    if path.is_dir():
        with held(path):
            if is_repository(path):
                return _existing(path, fsync=fsync), False
    around = next((folder for folder in path.resolve().parents if is_repository(folder) or _is_gitdir(folder)), None)
    if around is not None:
        message = f"{path} is inside the git repository {around}; memory needs a repository of its own, elsewhere"
        raise Refused(Code.NESTED_REPOSITORY, message)
    if path.resolve() == Path(path.resolve().anchor):
        message = f"{path} is the root of the file system, which cannot be closed to others; name a folder"
        raise InvalidRequest(Code.INVALID_ARGUMENT, message)
    path.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
    with held(path):
        if is_repository(path):
            return _existing(path, fsync=fsync), False
        return _made(path, bare=bare, branch=branch, fsync=fsync), True


def _made(path: Path, *, bare: bool, branch: str, fsync: bool) -> Repo:
    flags = RepositoryInitFlag.MKPATH | (RepositoryInitFlag.BARE if bare else RepositoryInitFlag(0))
    pygit2.init_repository(os.fspath(path), flags=flags, initial_head=branch)
    repo = Repo(open_git(path), fsync=fsync)
    repo.make_private()
    put_sections(repo.common_dir / "config", HEADINGS)
    if not bare:
        (repo.gitdir / "index").write_bytes(EMPTY_INDEX)
    _close_to_others(repo)
    return repo


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Keep other processes from making a repository in a folder, or from looking at one that is half made (9.1).

    The folder itself is locked, so nothing is left behind; where that cannot be done, nobody is kept.
    """
    try:
        import fcntl  # noqa: PLC0415 - there are systems without
    except ImportError:  # pragma: no cover
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _existing(path: Path, *, fsync: bool) -> Repo:
    try:
        return open_repository(path, fsync=fsync)
    except NotFound as error:
        message = f"{path} is a git repository that holds something else; memory needs a repository of its own"
        raise Refused(Code.NESTED_REPOSITORY, message) from error


def _is_gitdir(folder: Path) -> bool:
    return folder.name == ".git" and (folder / "HEAD").is_file()


def _close_to_others(repo: Repo) -> None:
    for folder, _names, files in os.walk(repo.gitdir):
        os.chmod(folder, PRIVATE)  # noqa: PTH101 - os.walk gives text
        for name in files:
            os.chmod(os.path.join(folder, name), 0o600)  # noqa: PTH101, PTH118 - os.walk gives text
