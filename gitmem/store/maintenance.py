"""Keeping the repository small, by the git program's own housekeeping (``architecture.md`` section 7)."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.errors import Code, Conflict, Unavailable
from gitmem.store.git_program import QUIET, run_git

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gitmem.store.repository import Repo

MANY_OBJECTS = 6_700
"""Loose objects from which on packing is worth it: git's own ``gc.auto``."""

MANY_BYTES = 128 << 20
"""Loose bytes from which on it is: a long thread that grows by many commits has few objects, and large ones."""

SAMPLE = ("17", "5e", "a4", "eb")
"""The folders that are counted; names are hashes, so each of the 256 holds as much as any other."""

_SAFELY = (
    *("gc.pruneExpire=2.weeks.ago", "gc.autoDetach=false", "gc.writeCommitGraph=false", "maintenance.auto=false"),
    *("gc.cruftPacks=false", "repack.writeBitmaps=false"),
)
"""Settings that no other holds against: what another process writes just now is named by no ref yet."""


@dataclass(frozen=True, slots=True)
class LooseObjects:
    """Objects that are files of their own, and how many bytes they take."""

    objects: int
    bytes: int

    @property
    def are_many(self) -> bool:
        """Whether they are worth packing."""
        return self.objects >= MANY_OBJECTS or self.bytes >= MANY_BYTES


def estimate_loose(repo: Repo) -> LooseObjects:
    """How many there are, from four folders of 256."""
    return _scaled(_count(repo, SAMPLE), 256 // len(SAMPLE))


def count_loose(repo: Repo) -> LooseObjects:
    """How many there are, counted."""
    return _count(repo, [f"{number:02x}" for number in range(256)])


def count_packs(repo: Repo) -> int:
    """How many packs hold the others."""
    return sum(1 for _ in (repo.common_dir / "objects" / "pack").glob("*.pack"))


def pack_objects(repo: Repo, environment: Mapping[str, str]) -> None:
    """Pack objects and refs, prune what nothing named for two weeks, and write the commit graph.

    Others may write meanwhile. The graph knows which paths each commit changed. Raises ``Unavailable``
    (``GIT_UNAVAILABLE``) without git or when it fails, ``Conflict`` when it is at it already.
    """
    settings = [word for setting in _SAFELY for word in ("-c", setting)]
    around = {**environment, "LC_ALL": "C"}
    try:
        run_git(repo.path, [*QUIET, *settings, "gc", "--quiet"], around)
    except Unavailable as error:
        if "already running" in error.message:
            message = "git is packing this repository already; try again when it has finished"
            raise Conflict(Code.CONCURRENT_UPDATE, message) from error
        raise
    run_git(repo.path, [*QUIET, "commit-graph", "write", "--reachable", "--changed-paths"], around)


def _count(repo: Repo, folders: Sequence[str]) -> LooseObjects:
    objects = size = 0
    for folder in folders:
        with contextlib.suppress(FileNotFoundError), os.scandir(repo.common_dir / "objects" / folder) as entries:
            for entry in entries:
                with contextlib.suppress(FileNotFoundError):
                    objects, size = objects + 1, size + entry.stat(follow_symlinks=False).st_size
    return LooseObjects(objects, size)


def _scaled(found: LooseObjects, factor: int) -> LooseObjects:
    return LooseObjects(found.objects * factor, found.bytes * factor)
