"""Locks on refs: waited for, named, and removed when nobody can need them (architecture.md section 7, `kill -9`)."""

from __future__ import annotations

import os
import threading
import time
from typing import TYPE_CHECKING

import pytest

from gitmem.errors import Code, Conflict
from gitmem.store import ref_locks
from gitmem.store.ref_locks import remove_stale_locks, standing_locks, wait_until_unlocked
from gitmem.store.refs import RefMove, move_ref
from untouched import byte_identical
from workspaces import make

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.workspace import Workspace

MAIN = "refs/heads/main"


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return make(tmp_path / "w")


def lock(workspace: Workspace, name: str, age: float = 0.0) -> Path:
    path = workspace.repo.common_dir / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    os.utime(path, (time.time() - age, time.time() - age))
    return path


def test_a_lock_that_goes_is_waited_for(workspace: Workspace) -> None:
    path = lock(workspace, f"{MAIN}.lock")
    other = threading.Timer(0.05, path.unlink)
    other.start()
    result = workspace.remember("Ada likes tea.", "people/ada.md", time="2024")
    other.join()
    assert result.memory_committed


def test_a_move_waits_too(workspace: Workspace) -> None:
    tip = workspace.resolve("HEAD")
    path = lock(workspace, "refs/heads/other.lock")
    other = threading.Timer(0.05, path.unlink)
    other.start()
    move_ref(workspace.repo, RefMove("refs/heads/other", None, tip))
    other.join()
    assert workspace.resolve("other") == tip


def test_a_lock_that_stays_is_named_and_nothing_changes(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    lock(workspace, f"{MAIN}.lock")
    monkeypatch.setattr(ref_locks, "WAIT_SECONDS", 0.01)
    monkeypatch.setattr("gitmem.store.refs.WAIT_SECONDS", 0.01)
    with byte_identical(workspace.repo.path):
        with pytest.raises(Conflict) as caught:
            wait_until_unlocked(workspace.repo, MAIN, 0.01)
        with pytest.raises(Conflict) as moved:
            move_ref(workspace.repo, RefMove(MAIN, workspace.resolve("HEAD"), workspace.resolve("HEAD~1")))
    for error in (caught.value, moved.value):
        assert (error.code, error.details["lock"]) == (Code.CONCURRENT_UPDATE, f"{MAIN}.lock")
        assert "gitmem doctor" in error.message


def test_only_old_locks_go(workspace: Workspace) -> None:
    names = (f"{MAIN}.lock", "refs/gitmem/autosave/x.lock", "packed-refs.lock", "HEAD.lock")
    for number, name in enumerate(names):
        lock(workspace, name, age=1000.0 if number % 2 else 3.0)
    lock(workspace, "index.lock", age=10_000)  # `git commit -a` holds it while an editor is open
    assert {found.name for found in standing_locks(workspace.repo)} == set(names)
    assert {found.name for found in remove_stale_locks(workspace.repo)} == {names[1], names[3]}
    assert {found.name for found in standing_locks(workspace.repo)} == {names[0], names[2]}
    assert (workspace.repo.common_dir / "index.lock").exists()
