"""What decides the bytes of the views of a commit (behaviours.md 0.14, 13.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from workspaces import make, reopened

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.workspace import Workspace
    from running import Git


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    made = make(tmp_path / "w")
    for name in ("Ada", "Bob", "Cy"):
        made.remember(f"{name} likes tea.", "topics/core.md", time="2024")
    return made


def core(workspace: Workspace) -> str:
    return (workspace.repo.path / "core.md").read_text() if (workspace.repo.path / "core.md").exists() else ""


@pytest.mark.parametrize(("spelling", "shown"), [('[gitmem "core"]\nmaxTokens = 1\n', ""), ("", "Cy likes tea.")])
def test_the_tracked_file_decides_what_a_view_holds(  # behaviours.md 0.14
    workspace: Workspace, git: Git, spelling: str, shown: str
) -> None:
    folder = workspace.repo.path
    tracked = folder / ".gitmem"
    tracked.write_text(tracked.read_text() + spelling)
    git(folder, "commit", "-q", "--allow-empty", "-am", "another budget")
    reopened(folder).remember("Dee lives in Rome.", "topics/people/dee.md", time="2024")
    assert shown in core(workspace)
    assert bool(core(workspace)) is bool(shown)
    assert git(folder, "status", "--porcelain") == ""


def test_local_settings_change_no_byte_of_a_view(workspace: Workspace, git: Git) -> None:  # behaviours.md 0.14
    folder, before = workspace.repo.path, core(workspace)
    for key in ("core.maxTokens", "recent.limit"):
        git(folder, "config", f"gitmem.{key}", "1")
    reopened(folder).remember("Dee lives in Rome.", "topics/people/dee.md", time="2024")
    assert core(workspace) == before
    assert len((folder / "recent_events.jsonl").read_text().splitlines()) == 4


def test_a_core_beyond_its_budget_refuses_no_transaction(workspace: Workspace, git: Git) -> None:  # behaviours.md 13.3
    huge = "tea " * 3000 + "for two."
    result = workspace.remember(huge, "topics/core.md", time="2024")
    assert (result.ok, result.memory_committed) == (True, True)
    master = git(workspace.repo.path, "show", "HEAD:topics/core.md")
    assert huge in master  # the master keeps everything
    assert "Ada likes tea." in core(workspace)
    assert huge not in core(workspace)
    after = workspace.remember("Eve likes rum.", "topics/core.md", time="2024")
    assert after.memory_committed
    assert workspace.check(all_history=True).ok
