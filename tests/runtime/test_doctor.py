"""Putting a memory right (`cli.md`, doctor; `architecture.md` section 3, steps 6 and 8)."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

from gitmem.answers import to_json
from gitmem.ids import Oid
from gitmem.store import verify
from workspaces import Undertaker, make, reopened

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.runtime.doctor import DoctorAnswer
    from gitmem.workspace import Workspace
    from running import Git

ADA = "topics/people/ada.md"


def done(answer: DoctorAnswer) -> list[tuple[str, str]]:
    return [(action.what, action.target) for action in answer.actions]


def loose(folder: Path, git: Git, name: str) -> Path:
    oid = git(folder, "rev-parse", name)
    return folder / ".git" / "objects" / oid[:2] / oid[2:]


def test_a_healthy_memory_needs_nothing(workspace: Workspace) -> None:
    workspace.remember("Ada likes tea.", "people/ada.md", time="2024")
    answer = workspace.doctor()
    assert answer.ok
    assert (answer.actions, answer.findings) == ((), ())
    assert list(to_json(answer)) == ["ok", "actions", "findings", "derived", "index"]  # type: ignore[call-overload]


def test_an_interrupted_write_is_finished_and_told(folder: Path) -> None:
    undertaker = Undertaker()
    try:
        assert undertaker.remember_and_die(folder, "after-ref-move", "exit", "Ada likes tea.") == "reached"
    finally:
        undertaker.close()
    answer = reopened(folder).doctor()
    assert answer.ok
    assert "finished" in {what for what, _ in done(answer)}
    assert (folder / ADA).exists()


def test_stale_views_are_rendered_in_a_commit_of_their_own(workspace: Workspace, folder: Path, git: Git) -> None:
    workspace.remember("Ada likes tea.", "people/ada.md", time="2024-03-15")
    git(folder, "rm", "-q", ADA)
    git(folder, "commit", "-q", "--no-verify", "-m", "by hand")
    hand = git(folder, "rev-parse", "HEAD")
    answer = workspace.doctor()
    assert done(answer) == [("rendered", "views")]
    assert answer.derived == (True, hand)
    assert answer.index == (hand, True)
    assert not (folder / "timeline").exists()
    assert git(folder, "status", "--porcelain") == ""
    assert f"Derived-From: {hand}" in git(folder, "log", "-1", "--format=%B")
    assert workspace.check(all_history=True).ok
    assert workspace.doctor().actions == ()


def test_views_that_lie_are_rendered(workspace: Workspace, folder: Path, git: Git) -> None:
    workspace.remember("Ada likes tea.", "people/ada.md", time="2024-03-15")
    (folder / "timeline/2024/03/15.md").write_text("lies\n")
    git(folder, "commit", "-q", "--no-verify", "-a", "-m", "a derive commit by its paths")
    assert done(workspace.doctor()) == [("rendered", "views")]
    assert "tea" in (folder / "timeline/2024/03/15.md").read_text()
    assert workspace.doctor().ok


def test_a_memory_with_fresh_bytes_and_no_derive_commit_gets_one(workspace: Workspace, folder: Path, git: Git) -> None:
    git(folder, "commit", "-q", "--allow-empty", "-m", "empty")  # which is a derive commit by its paths
    assert done(workspace.doctor()) == [("built", "index.sqlite")]
    assert workspace.doctor().actions == ()
    (folder / "README").write_text("about this memory\n")
    git(folder, "add", "README")
    git(folder, "commit", "-q", "--no-verify", "-m", "a file of no view")
    assert done(workspace.doctor()) == [("rendered", "views")]
    assert workspace.memory().fresh


def test_a_wrong_catalogue_is_built_anew(workspace: Workspace) -> None:
    workspace.remember("Ada likes tea.", "people/ada.md", time="2024")
    workspace.memory()
    database = workspace.catalog._database
    assert database is not None
    with database.writing():
        database.execute("UPDATE total SET value = 7 WHERE name = 'blocks'")
    workspace.catalog.release()
    assert done(workspace.doctor()) == [("rebuilt", "index.sqlite")]
    assert workspace.status().topics == (1, 1)


def test_a_missing_object_is_found(workspace: Workspace, folder: Path, git: Git) -> None:
    workspace.remember("Ada likes tea.", "people/ada.md", time="2024")
    loose(folder, git, f"HEAD:{ADA}").unlink()
    answer = reopened(folder).doctor()
    assert not answer.ok
    assert {(finding.code, finding.path) for finding in answer.findings} == {("missing-object", ADA)}
    assert answer.index == (None, False)


def test_a_damaged_object_is_found(workspace: Workspace, folder: Path, git: Git) -> None:
    workspace.remember("Ada likes tea.", "people/ada.md", time="2024")
    path = loose(folder, git, f"HEAD:{ADA}")
    path.chmod(0o600)
    path.write_bytes(zlib.compress(zlib.decompress(path.read_bytes()).replace(b"tea", b"rum")))
    (finding,) = reopened(folder).doctor().findings
    assert (finding.code, finding.path) == ("damaged-object", ADA)


def test_a_missing_tree_and_a_missing_commit_are_found(workspace: Workspace, folder: Path, git: Git) -> None:
    workspace.remember("Ada likes tea.", "people/ada.md", time="2024")
    git(folder, "update-ref", "refs/heads/old", "HEAD~1")
    loose(folder, git, "HEAD:topics").unlink()
    found = reopened(folder).doctor().findings
    assert {(finding.code, finding.path) for finding in found} == {("missing-object", "topics")}
    lost, topics = (git(folder, "rev-parse", name) for name in ("HEAD~1", "HEAD:topics"))
    loose(folder, git, "HEAD~1").unlink()
    repo = reopened(folder).repo
    head = Oid(git(folder, "rev-parse", "HEAD"))
    assert {(bad.oid, bad.missing) for bad in verify.unreadable(repo, [head])} == {(lost, True), (topics, True)}
    assert [bad.missing for bad in verify.unreadable(repo, [Oid("1" * 40)])] == [True]


def test_what_only_a_person_can_mend_is_reported(workspace: Workspace, folder: Path) -> None:
    (folder / "topics").mkdir(exist_ok=True)
    (folder / "topics" / "loose.md").write_text("Nobody said this.\n")
    answer = workspace.doctor()
    assert not answer.ok
    assert [finding.code for finding in answer.findings] == ["missing-citation"]


def test_a_merge_in_progress_keeps_the_views_as_they_are(workspace: Workspace, folder: Path, git: Git) -> None:
    git(folder, "switch", "-q", "--detach")
    (folder / "topics").mkdir(exist_ok=True)
    (folder / "README").write_text("about this memory\n")
    git(folder, "add", "README")
    git(folder, "commit", "-q", "--no-verify", "-m", "a file of no view")
    answer = workspace.doctor()
    assert answer.ok
    assert [(finding.code, finding.severity) for finding in answer.findings] == [("derived-failed", "warning")]


def test_a_bare_memory_and_a_new_one_are_looked_at(tmp_path: Path) -> None:
    workspace = make(tmp_path / "bare.git", bare=True)
    assert workspace.doctor().ok
    workspace.remember("Ada likes tea.", "people/ada.md", time="2024")
    assert workspace.doctor() == workspace.doctor()
