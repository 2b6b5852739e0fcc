"""Histories that are no straight line, worktrees, conversations with branches, and archives of before."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from gitmem.errors import Conflict, Refused
from gitmem.format.layout import anchor
from gitmem.ids import SourceId
from leaks import OTHER, SECRET, Leak, every_object, places, remember
from workspaces import make, reopened

if TYPE_CHECKING:
    from pathlib import Path

    from running import Git


def test_from_a_linked_worktree_as_from_the_main_one(told: Leak, git: Git, tmp_path: Path) -> None:
    git(told.folder, "worktree", "add", "-q", "-b", "side", str(tmp_path / "all" / "linked"))
    linked = reopened(tmp_path / "all" / "linked")
    assert linked.forget([told.handle]).ok
    assert places(told.folder, SECRET, told.handle) == []
    for folder in (told.folder, tmp_path / "all" / "linked"):
        assert git(folder, "status", "--porcelain") == ""
        assert OTHER in (folder / "topics/people/bob.md").read_text()


def test_a_worktree_without_its_folder_refuses_it(told: Leak, git: Git, tmp_path: Path) -> None:
    git(told.folder, "worktree", "add", "-q", "-b", "side", str(tmp_path / "all" / "linked"))
    shutil.rmtree(tmp_path / "all" / "linked")
    with pytest.raises(Conflict) as caught:
        told.workspace.forget([told.handle])
    assert "git worktree prune" in caught.value.message
    git(told.folder, "worktree", "prune")
    assert told.workspace.forget([told.handle]).ok


def test_a_bare_memory(tmp_path: Path, git: Git) -> None:
    workspace = make(tmp_path / "all" / "w.git", bare=True)
    handle, _ = remember(workspace, SECRET)
    remember(workspace, OTHER)
    assert workspace.forget([handle]).ok
    assert SECRET.encode() not in every_object(tmp_path / "all" / "w.git")
    assert OTHER in git(tmp_path / "all" / "w.git", "show", "HEAD:topics/people/ada.md")
    assert workspace.check(all_history=True).findings == ()


def test_merged_branches(told: Leak, git: Git) -> None:
    folder = told.folder
    git(folder, "switch", "-q", "-c", "side", "HEAD~2")
    side = reopened(folder)
    remember(side, "Bob has a boat on the lake of Thun.", "people/boat.md")
    side.close()
    git(folder, "switch", "-q", "main")
    git(folder, "merge", "-q", "--no-verify", "-X", "ours", "-m", f"merge what Bob says: {SECRET}", "side")
    workspace = reopened(folder)
    workspace.doctor()
    before = workspace.check(all_history=True).findings
    assert workspace.forget([told.handle]).ok
    assert places(folder, SECRET, told.handle) == []
    merge = git(folder, "log", "--merges", "--format=%P").split()
    assert len(merge) == 2
    after = workspace.check(all_history=True).findings
    assert [(f.check, f.code, f.path) for f in after] == [(f.check, f.code, f.path) for f in before]


def test_only_what_the_branch_says_is_forgotten_everywhere(told: Leak, git: Git) -> None:
    git(told.folder, "branch", "side")
    told.workspace.forget([told.handle])
    for branch in ("main", "side"):
        assert "handle_sha256" in git(told.folder, "show", f"{branch}:sources/forgotten.jsonl")


def test_branches_of_conversations(told: Leak, git: Git) -> None:
    workspace = told.workspace
    workspace.add_turn("chat/t", "Shall we meet at the station?", id="m1")
    workspace.add_turn("chat/t", "Yes, at noon under the clock.", id="m2")
    workspace.add_turn("chat/t", SECRET, id="leaf", parent="m1")
    workspace.choose_head("chat/t", "m2")
    workspace.add_turn("chat/t", "And bring the letter, please.", id="m3")
    assert any("leaf" in name for name in git(told.folder, "for-each-ref", "--format=%(refname)").split("\n"))
    workspace.forget([told.handle, "chat/t/leaf"])
    names = git(told.folder, "for-each-ref", "--format=%(refname)", "refs/gitmem/sessions/").split("\n")
    assert not any("leaf" in name for name in names)
    turns = {
        turn.id
        for branch in workspace.branches("chat/t").branches
        for turn in workspace.turns("chat/t", branch=branch.name).turns
    }
    assert turns == {"m1", "m2", "m3"}


def test_a_conversation_that_is_erased_whole_is_gone(told: Leak, git: Git) -> None:
    workspace = told.workspace
    workspace.add_turn("chat/t", SECRET, id="m1")
    workspace.forget([told.handle, "chat/t/m1"])
    assert git(told.folder, "for-each-ref", "refs/gitmem/sessions/") == ""
    assert workspace.turn_sessions().sessions == ()


def test_archives_of_before(tmp_path: Path) -> None:
    old = tmp_path / "old"
    (old / "topics").mkdir(parents=True)
    (old / "sources" / "chat").mkdir(parents=True)
    (old / "sources" / "D1.md").write_text(
        f'<a id="d1-1"></a>\n[2023-05-08] Ada: {OTHER} [D1:1]\n\n<a id="d1-2"></a>\n[2023-05-08] Ada: {SECRET} [D1:2]\n'
    )
    mark = anchor(SourceId("chat/t/m1"))
    (old / "sources" / "chat" / "t.md").write_text(
        f'<a id="{mark}"></a>\n[2023-05-08] user: Told about the clock again.\n'
    )
    (old / "topics" / "a.md").write_text(
        "# Ada\n\nBob lives in Bern.[^mem_1]\n\nThere is money.[^mem_2]\n\nShe told it.[^mem_3]\n\n"
        "[^mem_1]: 2023-05-08 · Sources: [D1:1](../sources/D1.md#d1-1)\n"
        "[^mem_2]: 2023-05-08 · Sources: [D1:2](../sources/D1.md#d1-2)\n"
        f"[^mem_3]: 2023-05-08 · Sources: [t](../sources/chat/t.md#{mark})\n"
    )
    workspace = make(tmp_path / "all" / "w", adopt=old)
    assert workspace.forget(["D1:2", "chat/t/m1"]).ok
    topic = (tmp_path / "all" / "w" / "topics" / "a.md").read_text()
    assert (
        topic
        == "# Ada\n\nBob lives in Bern.[^mem_1]\n\n[^mem_1]: 2023-05-08 · Sources: [D1:1](../sources/D1.md#d1-1)\n"
    )
    assert not (tmp_path / "all" / "w" / "sources" / "chat").exists()
    assert places(tmp_path / "all" / "w", SECRET, "about the clock", mark) == []
    assert workspace.check(all_history=True).ok


def test_a_history_that_is_cut_off_refuses_it(told: Leak, git: Git, tmp_path: Path) -> None:
    shallow = tmp_path / "shallow"
    git(tmp_path, "clone", "-q", "--depth", "2", f"file://{told.folder}", str(shallow))
    with pytest.raises(Refused) as caught:
        reopened(shallow).forget([told.handle], force=True)
    assert caught.value.code == "COMMIT_REJECTED"


def test_packs_that_are_kept_are_repacked_when_forced(told: Leak, git: Git) -> None:
    git(told.folder, "repack", "-q", "-a", "-d")
    pack = next((told.folder / ".git" / "objects" / "pack").glob("*.pack"))
    pack.with_suffix(".keep").touch()
    with pytest.raises(Refused):
        told.workspace.forget([told.handle])
    assert told.workspace.forget([told.handle], force=True).ok
    assert SECRET.encode() not in every_object(told.folder)
