"""`pre-receive`: what a server takes over, with the pushed objects still in quarantine."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from gitmem.store.hook_files import begin_server, install_hooks
from gitmem.store.repository import open_repository
from workspaces import reopened

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Hooked

ADA, BO = "topics/people/ada.md", "topics/people/bo.md"


@pytest.fixture
def server(tmp_path: Path, hooked: Hooked) -> Path:
    """A bare repository that was empty, and has taken the memory over."""
    folder = tmp_path / "memory.git"
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(folder)], check=True)
    begin_server(folder)
    install_hooks(open_repository(folder, fsync=False), folder / "hooks", sys.executable, server=True)
    hooked.git("remote", "add", "origin", str(folder))
    hooked.git("push", "-q", "origin", "main")
    return folder


def at_server(server: Path, *arguments: str) -> str:
    return subprocess.run(
        ["git", *arguments], cwd=server, capture_output=True, encoding="utf-8", check=True
    ).stdout.strip()


def refused(hooked: Hooked, *arguments: str) -> str:
    """What the server says to a push that it refuses; it holds then what it held, objects included."""
    done = hooked.run("push", "-q", *arguments)
    assert done.returncode == 1
    assert "pre-receive hook declined" in done.stderr
    return done.stderr


def test_good_commits_and_their_merges_are_taken_over(hooked: Hooked, server: Path) -> None:
    assert at_server(server, "rev-parse", "main") == hooked.git("rev-parse", "main")
    hooked.git("branch", "other")
    with reopened(hooked.root) as workspace:
        workspace.remember("Ada skis.", ADA, time="2026-03")
    hooked.git("push", "-q", "origin", "main")
    hooked.git("switch", "-q", "other")
    with reopened(hooked.root) as workspace:
        workspace.remember("Bo skis.", BO, time="2026-03")
    hooked.git("merge", "-q", "--no-edit", "main")  # what the server has is the second parent
    hooked.git("push", "-q", "origin", "other:main", "other")
    assert at_server(server, "rev-parse", "main") == hooked.git("rev-parse", "other")
    hooked.git("push", "-q", "origin", ":other")  # main has all of it


def test_a_commit_that_breaks_a_rule_is_refused_wherever_it_stands(hooked: Hooked, server: Path) -> None:
    before, objects = at_server(server, "rev-parse", "main"), at_server(server, "count-objects", "-v")
    hooked.append(ADA, "\nAda is tall.\n")
    hooked.git("commit", "-q", "-n", "-a", "-m", "tall")
    bad = hooked.git("rev-parse", "HEAD~1")
    hooked.git("revert", "--no-edit", "HEAD~1")
    said = refused(hooked, "origin", "main")
    assert f"refs/heads/main, commit {bad[:12]}:" in said
    assert "[missing-citation]" in said
    refused(hooked, "origin", "HEAD:refs/tags/v1")
    assert at_server(server, "rev-parse", "main") == before
    assert at_server(server, "count-objects", "-v") == objects


def test_archived_messages_are_not_taken_back(hooked: Hooked, server: Path) -> None:
    refused_tip = hooked.git("rev-parse", "main")
    (archive,) = (hooked.root / "sources" / "gitmem" / "_v2").iterdir()
    path = str(archive.relative_to(hooked.root))
    hooked.replace(path, "Ada lives in Basel.", "Ada lives in Paris.")
    hooked.git("commit", "-q", "-n", "-a", "-m", "paris")
    assert "[source-changed]" in refused(hooked, "origin", "main")
    hooked.git("reset", "-q", "--hard", f"{refused_tip}~2")
    assert "[source-lost-in-merge]" in refused(hooked, "--force", "origin", "main")
    assert at_server(server, "rev-parse", "main") == refused_tip


def test_a_history_that_takes_another_place_and_keeps_the_evidence_is_taken(hooked: Hooked, server: Path) -> None:
    hooked.git("reset", "-q", "--soft", "HEAD~1")
    hooked.git("commit", "-q", "-n", "--allow-empty", "-m", "the views, in other words")
    hooked.git("push", "-q", "--force", "origin", "main")
    assert at_server(server, "rev-parse", "main") == hooked.git("rev-parse", "main")


def test_branches_with_commits_of_their_own_are_not_deleted(hooked: Hooked, server: Path) -> None:
    hooked.git("switch", "-q", "-c", "other")
    hooked.append(BO, "\n<!-- a note -->\n")
    hooked.git("commit", "-q", "-a", "-m", "note")
    hooked.git("push", "-q", "origin", "other")
    assert "[history-lost]" in refused(hooked, "origin", ":other")
    hooked.git("push", "-q", "origin", "other:main", ":other")  # in one push
    assert at_server(server, "branch", "--format=%(refname)") == "refs/heads/main"


def test_conversations_and_marks_may_only_grow(hooked: Hooked, server: Path) -> None:
    tree = hooked.git("mktree")
    first = hooked.git("commit-tree", "-m", "one", tree)
    second = hooked.git("commit-tree", "-m", "two", "-p", first, tree)
    ref = "refs/gitmem/sessions/chat/t/main"
    for oid in (first, second):
        hooked.git("push", "-q", "origin", f"{oid}:{ref}")
    assert "[history-lost]" in refused(hooked, "--force", "origin", f"{first}:{ref}")
    assert "[history-lost]" in refused(hooked, "origin", f":{ref}")
    hooked.git("push", "-q", "origin", f"{first}:refs/gitmem/autosave/20260301T000000Z-1")
    hooked.git("push", "-q", "origin", ":refs/gitmem/autosave/20260301T000000Z-1")
    assert at_server(server, "rev-parse", ref) == second


def test_a_branch_of_something_else_is_refused(hooked: Hooked, server: Path) -> None:
    blob = hooked.git("rev-parse", f"HEAD:{ADA}")
    assert "[not-a-commit]" in refused(hooked, "origin", f"{blob}:refs/tags/words")
    assert at_server(server, "tag") == ""
