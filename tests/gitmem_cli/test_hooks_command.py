"""``gitmem hooks`` (`cli.md`): installing, looking, taking away, and the views of what plain git committed."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from gitmem.store.repository import is_workspace, open_git
from workspaces import make

if TYPE_CHECKING:
    from pathlib import Path

    from running import Git, Gitmem

ADA = "topics/people/ada.md"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    make(tmp_path / "w").close()
    return tmp_path / "w"


def test_install_status_and_uninstall_tell_the_same_keys(gitmem: Gitmem, folder: Path) -> None:
    installed = gitmem("hooks", "install", "--json", cwd=folder)
    assert (installed.status, installed.err) == (0, "")
    assert list(installed.json) == ["ok", "installed", "server", "folder", "interpreter", "drivers", "hooks"]
    assert list(installed.json["hooks"][0]) == ["name", "state", "own"]
    assert installed.json["interpreter"] == sys.executable
    assert installed.json["folder"] == str(folder / ".git" / "hooks")
    assert gitmem("hooks", "status", "--json", cwd=folder).json == installed.json
    (folder / ".git" / "hooks" / "commit-msg").unlink()
    missing = gitmem("hooks", "status", cwd=folder)
    assert missing.status == 1
    assert "commit-msg          absent" in missing.out
    assert gitmem("hooks", "uninstall", "--json", cwd=folder).json["installed"] is False
    none = gitmem("hooks", "status", cwd=folder)
    assert (none.status, "`gitmem hooks install`" in none.out) == (0, True)


def test_the_hooks_stand_where_git_looks_for_them(gitmem: Gitmem, git: Git, folder: Path, tmp_path: Path) -> None:
    git(folder, "config", "core.hooksPath", ".githooks")
    assert gitmem("hooks", "install", "--json", cwd=folder).json["folder"] == str(folder / ".githooks")
    assert (folder / ".githooks" / "pre-commit").exists()
    assert not (folder / ".git" / "hooks" / "pre-commit").exists()
    git(folder, "config", "--unset", "core.hooksPath")
    git(folder, "worktree", "add", "-q", str(tmp_path / "linked"))
    linked = gitmem("hooks", "install", "--json", cwd=tmp_path / "linked").json
    assert (linked["ok"], linked["folder"]) == (True, str(folder / ".git" / "hooks"))
    assert gitmem("hooks", "status", cwd=folder).out.count("installed") == 7


def test_a_server_may_be_empty(gitmem: Gitmem, git: Git, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "--bare", "memory.git")
    git(tmp_path, "init", "-q", "other")
    bare = tmp_path / "memory.git"
    assert gitmem("hooks", "install", "--json", cwd=bare).code == "WORKSPACE_NOT_FOUND"
    answer = gitmem("hooks", "install", "--server", "--json", cwd=bare)
    assert (answer.json["ok"], [hook["name"] for hook in answer.json["hooks"]]) == (True, ["pre-receive"])
    assert is_workspace(open_git(bare))
    assert gitmem("hooks", "install", "--server", "--json", cwd=tmp_path / "other").code == "WORKSPACE_NOT_FOUND"
    assert gitmem("hooks", "install", "--json", cwd=bare).code == "INVALID_ARGUMENT"


def test_derive_renders_what_plain_git_committed(gitmem: Gitmem, git: Git, folder: Path) -> None:
    gitmem("remember", "Ada lives in Basel.", "--topic", "people/ada", "--time", "2026-03", cwd=folder)
    (folder / ADA).write_text((folder / ADA).read_text().replace("in Basel", "in Bern"))
    git(folder, "commit", "-q", "-a", "-m", "Bern")
    answer = gitmem("hooks", "derive", "--json", cwd=folder).json
    assert (answer["ok"], answer["changed_files"]) == (True, ["recent_events.jsonl", "timeline/2026/03.md"])
    assert answer["derived_commit"] == git(folder, "rev-parse", "HEAD")
    assert gitmem("hooks", "derive", "--json", cwd=folder).json["derived_commit"] is None
    assert "already" in gitmem("hooks", "derive", cwd=folder).out
    (folder / ADA).write_text((folder / ADA).read_text().replace("in Bern", "in Genf"))
    git(folder, "commit", "-q", "-a", "-m", "Genf")
    assert gitmem("hooks", "derive", cwd=folder).out.startswith("rendered 2 views")
