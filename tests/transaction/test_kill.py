"""A process that dies at any step of a transaction: nothing partial, nothing lost, nothing left behind.

architecture.md section 3, step 7; behaviours.md 17.1.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from gitmem.transaction.options import STEPS
from workspaces import Undertaker, make, reopened

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from running import Git

HOWS = ("kill", "exit")
PUBLISHED = STEPS.index("after-ref-move")
NEVER_REACHED = {"autosave-ref"}
"""Remembering is not destructive, so it leaves no autosave."""

WORKING_DIRECTORY = ("index-new", "index-lock", "first-file", "last-file", "index-rename")
"""Steps that a bare repository does not have."""


@pytest.fixture(scope="module")
def undertaker() -> Iterator[Undertaker]:
    made = Undertaker()
    yield made
    made.close()


def reachable(step: str, *, bare: bool) -> bool:
    point = step.partition("-")[2]
    return point not in NEVER_REACHED and not (bare and point in WORKING_DIRECTORY)


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace in which something was remembered, for every test to copy."""
    folder = tmp_path_factory.mktemp("told") / "w"
    make(folder).remember("Ada was born in Lagos.", "people/ada.md", time="1815")
    return folder


STRAY = re.compile(r"\.lock$|\.new$|\.tmp|tmp_obj|quarantine|gitmem-projection")


def commit_everything(folder: Path) -> None:
    """What somebody else does at that very moment; git may refuse, as when a lock is held."""
    command = ["git", "-c", "user.name=X", "-c", "user.email=x@example.invalid", "commit", "-q", "-a", "-m", "theirs"]
    subprocess.run(command, cwd=folder, capture_output=True, check=False)


def stray_files(folder: Path) -> list[str]:
    """Locks, temporary files, quarantines and journals; the write lock's file stays by design."""
    files = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file() and path.name != "write.lock")
    return [str(path) for path in files if STRAY.search(str(path))]


@pytest.mark.parametrize("death", [f"{step} {how}" for step in STEPS if reachable(step, bare=False) for how in HOWS])
def test_a_dead_writer_leaves_all_or_nothing(
    tmp_path: Path, git: Git, undertaker: Undertaker, told: Path, death: str
) -> None:
    step, how = death.split()
    folder = shutil.copytree(told, tmp_path / "w")
    before = reopened(folder).memory().revision
    assert undertaker.remember_and_die(folder, step, how, "Ada likes tea.") == "reached"

    if how == "kill":
        commit_everything(folder)
    happened = "Ada likes tea." in git(folder, "show", "HEAD:topics/people/ada.md")
    assert happened == (STEPS.index(step) >= PUBLISHED)

    after = reopened(folder)
    memory = after.memory()
    contents = {claim.content for claim in memory.facts.of_topic("topics/people/ada.md")}  # type: ignore[arg-type]
    assert contents == {"Ada was born in Lagos.", *(["Ada likes tea."] if happened else [])}
    assert happened or memory.revision == before
    assert after.remember("Ada likes coffee.", "people/ada.md", time="2024").memory_committed

    assert "Ada likes coffee." in (folder / "topics/people/ada.md").read_text()
    assert ("Ada likes tea." in (folder / "topics/people/ada.md").read_text()) == happened
    assert git(folder, "status", "--porcelain") == ""
    git(folder, "fsck", "--strict", "--no-dangling")
    assert stray_files(folder) == []


@pytest.mark.parametrize("step", [step for step in STEPS if reachable(step, bare=True)])
def test_a_dead_writer_to_a_bare_repository_leaves_all_or_nothing(
    tmp_path: Path, git: Git, undertaker: Undertaker, step: str
) -> None:
    folder = tmp_path / "w.git"
    workspace = make(folder, bare=True)
    workspace.remember("Ada was born in Lagos.", "people/ada.md", time="1815")
    assert undertaker.remember_and_die(folder, step, "kill", "Ada likes tea.") == "reached"
    happened = "Ada likes tea." in git(folder, "show", "HEAD:topics/people/ada.md")
    assert happened == (STEPS.index(step) >= PUBLISHED)
    reopened(folder).remember("Ada likes coffee.", "people/ada.md", time="2024")
    assert "Ada likes coffee." in git(folder, "show", "HEAD:topics/people/ada.md")
    assert ("Ada likes tea." in git(folder, "show", "HEAD:topics/people/ada.md")) == happened
    git(folder, "fsck", "--strict", "--no-dangling")
    assert stray_files(folder) == []


def test_every_step_is_named_once_and_in_order(tmp_path: Path) -> None:
    workspace = make(tmp_path / "w")
    seen: list[str] = []
    workspace.options = type(workspace.options)(on_step=seen.append)
    workspace.remember("Ada likes tea.", "people/ada.md", time="2024-03-15")
    workspace.remove(["topics/people/ada.md"])
    destructive = seen[seen.index("before-compare", 1) :]
    assert tuple(destructive) == STEPS
    assert seen[: len(seen) - len(destructive)] == [s for s in STEPS if reachable(s, bare=False)]
