"""Reading every object that a history needs: libgit2 compares the bytes of each with its name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pygit2

from gitmem.ids import Oid
from gitmem.store.raw import peeled_commit
from gitmem.store.snapshot import FOLDER
from gitmem.store.walk import history

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gitmem.store.repository import Repo

_SUBMODULE = 0o160000


@dataclass(frozen=True, slots=True)
class BadObject:
    """An object that cannot be read; ``path`` is where in the tree of which ``commit`` it stands."""

    oid: Oid
    commit: Oid
    path: str
    missing: bool


def unreadable(repo: Repo, tips: Iterable[Oid]) -> Iterator[BadObject]:
    """Objects that the histories of these commits need, and that are missing or damaged; each once."""
    reader = _Reader(repo)
    for tip in tips:
        yield from reader.read_history(tip)


class _Reader:
    def __init__(self, repo: Repo) -> None:
        self._repo = repo
        self._seen: set[Oid] = set()

    def read_history(self, tip: Oid) -> Iterator[BadObject]:
        commit = peeled_commit(self._repo, tip)
        if commit is None:
            bad = self._read(tip, tip, "")
            yield from () if bad is None else (bad,)  # a tag may name something that is no commit
            return
        tip = commit
        try:
            for passed in history(self._repo, tip):
                if passed.oid not in self._seen:
                    self._seen.add(passed.oid)
                    yield from self._read_tree(passed.tree, passed.oid, "")
        except (pygit2.GitError, KeyError):  # the walk meets a commit that cannot be read
            yield from self._read_commits(tip)

    def _read_commits(self, tip: Oid) -> Iterator[BadObject]:
        """As far as commits can be read, and those that cannot; each is told with the commit that names it."""
        waiting, met = [(tip, tip)], set[Oid]()
        while waiting:
            oid, named_by = waiting.pop()
            if oid in met:
                continue
            met.add(oid)
            bad = self._read(oid, named_by, "")
            commit: object = None if bad else self._repo.git[oid]
            if isinstance(commit, pygit2.Commit):
                yield from self._read_tree(Oid(str(commit.tree_id)), oid, "")
                waiting += ((Oid(str(parent)), oid) for parent in commit.parent_ids)
            elif bad is not None:
                yield bad

    def _read_tree(self, oid: Oid, commit: Oid, path: str) -> Iterator[BadObject]:
        if oid in self._seen:
            return
        self._seen.add(oid)
        bad = self._read(oid, commit, path)
        if bad is not None:
            yield bad
            return
        tree = self._repo.git[oid]
        if not isinstance(tree, pygit2.Tree):
            return
        for item in tree:
            below = f"{path}/{item.name}" if path else str(item.name)
            child, mode = Oid(str(item.id)), int(item.filemode)
            if mode == FOLDER:
                yield from self._read_tree(child, commit, below)
            elif mode != _SUBMODULE and child not in self._seen:
                self._seen.add(child)
                found = self._read(child, commit, below)
                if found is not None:
                    yield found

    def _read(self, oid: Oid, commit: Oid, path: str) -> BadObject | None:
        try:
            self._repo.git.read(oid)
        except KeyError:
            return BadObject(oid, commit, path, missing=True)
        except pygit2.GitError:
            return BadObject(oid, commit, path, missing=False)
        return None
