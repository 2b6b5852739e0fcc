"""What stands beside the history: reflogs, runtime state, and the files in which git remembers what it did last."""

from __future__ import annotations

import json
import re
import shutil
from contextlib import suppress
from typing import TYPE_CHECKING

from gitmem.catalog.database import wipe
from gitmem.forgetting.tips import STASH
from gitmem.store.state_files import read_state, write_state

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from gitmem.forgetting.erased import Erased
    from gitmem.forgetting.finder import Finder
    from gitmem.store.repository import Repo
    from gitmem.store.worktrees import Worktree

_LAST = ("ORIG_HEAD", "FETCH_HEAD", "COMMIT_EDITMSG", "MERGE_MSG", "SQUASH_MSG", "TAG_EDITMSG", "gitk.cache")
_COMMON = ("rr-cache", "lost-found", "objects/info/commit-graph", "objects/info/commit-graphs")
_PACKED = ("objects/pack/multi-pack-index*", "objects/pack/*.bitmap")
_MADE_ANEW = ("proposals", "log", "tokens.json")
_KEPT = ("write.lock", "forget", "backfill.json")
_LEDGER = "backfill.json"
_SHA = re.compile(r"\b[0-9a-f]{40}\b")


def clear_git(repo: Repo, worktrees: tuple[Worktree, ...]) -> None:
    """Delete reflogs (the stash's is no log but the stash) and everything that git makes anew when it needs it."""
    for worktree in worktrees:
        for name in _LAST:
            (worktree.gitdir / name).unlink(missing_ok=True)
        _remove_logs(worktree.gitdir / "logs")
    for name in _COMMON:
        _remove(repo.common_dir / name)
    for pattern in _PACKED:
        for path in repo.common_dir.glob(pattern):
            path.unlink(missing_ok=True)


def clear_state(repo: Repo, erased: Erased, finder: Finder, mapped: Callable[[str], str]) -> None:
    """Take what is erased from the runtime folder: the catalogue and proposals go, the rest loses lines.

    Ids of commits become what they are now.
    """
    folder = repo.gitmem_dir
    for path in sorted(folder.iterdir()):
        if path.name in _MADE_ANEW or ".sqlite" in path.name:
            if path.suffix == ".sqlite":
                wipe(path)
            _remove(path)
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.relative_to(folder).parts[0] not in _KEPT:
            _clean(path, finder, mapped)
    _clear_ledger(folder / _LEDGER, erased)


def write_stash(repo: Repo, lines: tuple[str, ...] | None) -> None:
    """Put the stash's log in place."""
    log = repo.common_dir / "logs" / STASH
    if lines:
        log.parent.mkdir(parents=True, exist_ok=True)
        write_state(log, "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape"))
    else:
        log.unlink(missing_ok=True)


def _remove_logs(folder: Path) -> None:
    for path in sorted(folder.rglob("*"), reverse=True) if folder.is_dir() else ():
        if path.is_dir():
            with suppress(OSError):  # it still holds the stash's
                path.rmdir()
        elif path != folder / STASH:
            path.unlink(missing_ok=True)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _clean(path: Path, finder: Finder, mapped: Callable[[str], str]) -> None:
    before = read_state(path) or b""
    text = before.decode("utf-8", "surrogateescape")
    lines = [line for line in text.split("\n") if finder.find(line.encode("utf-8", "surrogateescape")) is None]
    after = _SHA.sub(lambda found: mapped(found.group()), "\n".join(lines)).encode("utf-8", "surrogateescape")
    if after != before:
        write_state(path, after)


def _clear_ledger(path: Path, erased: Erased) -> None:
    """Which messages were read is remembered by their anchors."""
    with suppress(ValueError, KeyError, TypeError):
        found = json.loads(read_state(path) or b"{}")
        gone = {f"source-{digest[:16]}" for digest in erased.digests}
        kept = [mark for mark in found["read"] if mark not in gone]
        if kept != found["read"]:
            write_state(path, json.dumps({**found, "read": kept}).encode())
