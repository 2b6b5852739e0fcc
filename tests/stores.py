"""Repositories under the store's tests: files in, one published commit out, and a process that dies on the way."""

from __future__ import annotations

import contextlib
import os
import signal
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from gitmem.errors import Conflict
from gitmem.ids import ZERO_OID, Oid
from gitmem.request import Person
from gitmem.store.commits import Stamp, create_commit
from gitmem.store.head import writable_branch
from gitmem.store.initialize import init_repository
from gitmem.store.lock import write_lock
from gitmem.store.publish import Publication, Published, publish
from gitmem.store.quarantine import Quarantine
from gitmem.store.recovery import recover
from gitmem.store.refs import RefMove, move_ref, read_ref
from gitmem.store.repository import Repo, open_repository
from gitmem.store.snapshot import EMPTY_TREE, Snapshot
from gitmem.store.staging import Staging
from gitmem.store.steps import OnStep, no_step

if TYPE_CHECKING:
    from collections.abc import Mapping
    from multiprocessing.connection import Connection
    from multiprocessing.queues import Queue
    from multiprocessing.synchronize import Barrier

    from gitmem.store.projection import MergeFile

Files = "Mapping[str, bytes | None]"

AUTHOR = Stamp(Person("Test", "test@example.invalid"), 1_700_000_000)
ROOT: Mapping[str, bytes | None] = {
    ".gitattributes": b"* -text -ident -filter !working-tree-encoding\n",
    ".gitmem": b"[core]\n",
    "core.md": b"# Core\n",
    "topics/a.md": b"# A\n\none\n",
    "topics/deep/er/b.md": b"# B\n\ntwo\n",
    "topics/other.md": b"# Other\n",
}
CHANGE: Mapping[str, bytes | None] = {
    "core.md": b"# Core\n\nnew\n",
    "topics/a.md": b"# A\n\none, changed\n",
    "topics/deep/er/b.md": None,
    "topics/new/c.md": b"# C\n",
}


@dataclass(frozen=True)
class Made:
    """What one call of ``Store.commit`` ended with."""

    tip: Oid
    published: Published


class Store:
    """One repository, written as a transaction writes it."""

    def __init__(self, repo: Repo) -> None:
        self.repo = repo

    @property
    def path(self) -> Path:
        return self.repo.path

    @property
    def tip(self) -> Oid:
        return writable_branch(self.repo.fresh(), beginning=True).tip

    @property
    def tree(self) -> Snapshot:
        return Snapshot.at(self.repo, self.tip)

    def commit(  # noqa: PLR0913 - what publishing takes
        self,
        files: Mapping[str, bytes | None],
        *,
        on_step: OnStep = no_step,
        merge: MergeFile | None = None,
        absorbed: Mapping[str, tuple[Oid | None, ...]] | None = None,
        autosave: Oid | None = None,
        timeout: float = 5.0,
    ) -> Made:
        """One commit with these files written or (``None``) deleted, published."""
        with write_lock(self.repo, timeout):
            repo = self.repo.fresh()
            branch = writable_branch(repo, beginning=True)
            with Quarantine(repo) as quarantine:
                tip = commit_object(quarantine.repo, branch.tip, files)
                publication = Publication(branch.name, branch.tip, tip, "test", autosave, absorbed or {})
                done = publish(repo, quarantine, publication, lock_timeout=timeout, merge=merge, on_step=on_step)
        return Made(tip, done)

    def read(self, path: str) -> bytes | None:
        """The file on disk."""
        place = self.path / path
        return place.read_bytes() if place.exists() else None

    def write(self, path: str, data: bytes) -> None:
        """Type into the file on disk, as an editor would."""
        place = self.path / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)


def commit_object(repo: Repo, parent: Oid, files: Mapping[str, bytes | None]) -> Oid:
    """A commit that no ref names yet."""
    staging = Staging(repo, Snapshot.at(repo, parent))
    for path, data in files.items():
        if data is None:
            staging.delete(path)
        else:
            staging.write(path, data)
    parents = () if parent == ZERO_OID else (parent,)
    return create_commit(repo, tree=staging.build(), parents=parents, message="test\n", author=AUTHOR)


def make_store(path: Path, files: Mapping[str, bytes | None] = ROOT, *, bare: bool = False) -> Store:
    """A new repository with one commit."""
    repo, _created = init_repository(path, bare=bare, fsync=False)
    store = Store(repo)
    store.commit(files)
    return store


def reopened(path: Path) -> Store:
    """The repository as another process would open it."""
    return Store(open_repository(path, fsync=False))


# --- in another process -----------------------------------------------------------------------------------------


def die(how: str) -> None:
    """End this process at once: ``exit`` or ``kill``."""
    if how == "exit":
        os._exit(17)
    os.kill(os.getpid(), signal.SIGKILL)


def commit_and_die(path: str, fatal: str, how: str) -> None:
    """Publish the change, dying at a step."""
    reopened(Path(path)).commit(CHANGE, on_step=_dying(fatal, how), autosave=reopened(Path(path)).tip)


def recover_and_die(path: str, fatal: str, how: str) -> None:
    """Recover, dying at a step."""
    recover(open_repository(Path(path), fsync=False), on_step=_dying(fatal, how))


def _dying(fatal: str, how: str) -> OnStep:
    def on_step(name: str) -> None:
        if name == fatal:
            die(how)

    return on_step


def append_commits(path: str, ref: str, count: int) -> None:
    """Add commits to a ref without any lock but the ref's own, again whenever somebody else was faster."""
    repo = open_repository(Path(path), fsync=False)
    for _ in range(count):
        while True:
            fresh = repo.fresh()
            old = read_ref(fresh, ref)
            parents = () if old is None else (old,)
            stamp = Stamp(AUTHOR.person, os.getpid())
            new = create_commit(fresh, tree=EMPTY_TREE, parents=parents, message=f"{count}\n", author=stamp)
            try:
                move_ref(fresh, RefMove(ref, old, new))
            except Conflict:
                continue
            break


def create_refs(path: str, count: int, start: Barrier, won: Queue[int]) -> None:
    """Make one ref after another, each at the same moment as the rivals; how often this process was the one."""
    repo, wins = open_repository(Path(path), fsync=False), 0
    for number in range(count):
        stamp = Stamp(AUTHOR.person, os.getpid())
        mine = create_commit(repo, tree=EMPTY_TREE, parents=(), message=f"{number}\n", author=stamp)
        start.wait()
        with contextlib.suppress(Conflict):
            move_ref(repo, RefMove(f"refs/gitmem/race/{number}", None, mine))
            wins += 1
    won.put(wins)


def publish_many(path: str, name: str, count: int) -> None:
    """Publish one file after another."""
    store = reopened(Path(path))
    for number in range(count):
        store.commit(
            {f"topics/{name}-{number}.md": b"%d\n" % number, "core.md": f"{name} {number}\n".encode()}, timeout=30
        )


def publish_until_killed(path: str, acknowledged: Connection) -> None:
    """Publish one file after another, saying so after each."""
    store = reopened(Path(path))
    for number in count():
        store.commit({f"topics/n/{number}.md": b"%d\n" % number, "core.md": b"%d\n" % number})
        acknowledged.send(number)
