"""Histories that anybody may have written: `check --all` and `check A..B` find what plain git let pass (cli.md)."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from gitmem.errors import Code, InvalidRequest, NotFound
from gitmem.ids import ZERO_OID
from workspaces import reopened

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.audit.base import CheckAnswer
    from gitmem.workspace import Workspace
    from running import Git

ADA = "topics/people/ada.md"
TOKEN = "ghp" + "_" + "A1b2C3d4E5f6" * 3


def commit(git: Git, folder: Path) -> str:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--no-verify", "-m", "by hand")
    return git(folder, "rev-parse", "HEAD")


def told(answer: CheckAnswer) -> set[tuple[str, str | None, str | None]]:
    return {(finding.code, finding.path, finding.commit) for finding in answer.findings}


def archive(folder: Path) -> Path:
    (found,) = (folder / "sources" / "gitmem" / "_v2").iterdir()
    return found


def test_evidence_that_was_changed_and_put_back_is_found(workspace: Workspace, folder: Path, git: Git) -> None:
    start, path = git(folder, "rev-parse", "HEAD"), archive(folder)
    name, before = path.relative_to(folder).as_posix(), path.read_bytes()
    path.write_bytes(before.replace(b"tea", b"gin"))
    changed = commit(git, folder)
    path.write_bytes(before)
    commit(git, folder)
    for how in ({"all_history": True}, {"revision": f"{start}..HEAD"}, {"revision": f"{start}.."}):
        assert told(workspace.check(**how)) == {("source-changed", name, changed)}  # type: ignore[arg-type]


def test_each_parent_of_an_octopus_is_looked_at(workspace: Workspace, folder: Path, git: Git) -> None:
    start = git(folder, "rev-parse", "HEAD")
    wrong = set()
    for branch in ("x", "y", "z"):
        git(folder, "switch", "-q", "-c", branch, start)
        (folder / "topics" / f"{branch}.md").write_text(f"# {branch}\n\nUncited.\n")
        wrong.add(("missing-citation", f"topics/{branch}.md", commit(git, folder)))
    git(folder, "switch", "-q", "main")
    git(folder, "merge", "-q", "--no-ff", "--no-verify", "-m", "all", "x", "y", "z")
    answer = workspace.check("HEAD^..HEAD")
    assert (told(answer), answer.commits) == (wrong, 4)
    assert told(workspace.check(all_history=True)) >= wrong


def test_an_octopus_that_loses_what_one_side_archived_is_found(workspace: Workspace, folder: Path, git: Git) -> None:
    start, name = git(folder, "rev-parse", "HEAD"), archive(folder).relative_to(folder).as_posix()
    git(folder, "switch", "-q", "-c", "side")
    workspace.remember("Cleo sings.", "people/cleo.md", time="2024")
    side = git(folder, "rev-parse", "HEAD")
    git(folder, "switch", "-q", "-c", "other", start)
    (folder / ".gitignore").write_text("x\n")
    other = commit(git, folder)
    merged = git(folder, "commit-tree", f"{start}^{{tree}}", "-p", start, "-p", side, "-p", other, stdin="merge")
    git(folder, "switch", "-q", "main")
    git(folder, "reset", "-q", "--hard", merged)
    assert ("source-lost-in-merge", name, merged) in told(workspace.check(all_history=True))


def test_a_history_of_its_own_that_was_merged_is_looked_at(workspace: Workspace, folder: Path, git: Git) -> None:
    git(folder, "switch", "-q", "--orphan", "other")
    (folder / "topics").mkdir(exist_ok=True)
    (folder / "topics" / "o.md").write_text("Uncited.\n")
    orphan = commit(git, folder)
    git(folder, "switch", "-q", "main")
    git(folder, "merge", "-q", "--no-verify", "--allow-unrelated-histories", "-m", "both", "other")
    assert ("missing-citation", "topics/o.md", orphan) in told(workspace.check(all_history=True))


def test_a_root_that_took_the_place_of_another_is_looked_at_in_full(
    workspace: Workspace, folder: Path, git: Git
) -> None:
    git(folder, "switch", "-q", "--orphan", "fresh")
    git(folder, "checkout", "-q", "main", "--", ".")
    (folder / ADA).write_text("# Ada\n\nUncited.\n")
    root = commit(git, folder)
    for how in ({"all_history": True}, {"revision": "main..HEAD"}, {"revision": f"{ZERO_OID}..HEAD"}):
        answer = workspace.check(**how)  # type: ignore[arg-type]
        assert ("missing-citation", ADA, root) in told(answer)
        assert answer.commits == 1
    assert workspace.check("HEAD..main").ok


def test_a_shallow_history_is_checked_from_where_it_begins(
    workspace: Workspace, folder: Path, git: Git, tmp_path: Path
) -> None:
    start = git(folder, "rev-parse", "HEAD")
    (folder / "topics" / "x.md").write_text("Uncited.\n")
    wrong = commit(git, folder)
    (folder / "topics" / "y.md").write_text("Uncited.\n")
    wrong_too = commit(git, folder)
    git(tmp_path, "clone", "-q", "--depth", "2", folder.as_uri(), "shallow")
    with reopened(tmp_path / "shallow") as shallow:
        both = {("missing-citation", "topics/x.md", wrong), ("missing-citation", "topics/y.md", wrong_too)}
        assert told(shallow.check(all_history=True)) >= both
        assert told(shallow.check("HEAD~1..HEAD")) == {("missing-citation", "topics/y.md", wrong_too)}
        with pytest.raises(NotFound) as raised:
            shallow.check(f"{start}..HEAD")
    assert raised.value.code is Code.REVISION_NOT_FOUND
    assert workspace.check(f"{start}..HEAD").commits == 2


def test_names_that_are_no_text_are_findings_and_stop_nothing(workspace: Workspace, folder: Path, git: Git) -> None:
    for name in (b"topics/\xff.md", b"sources/x/_v2/\xfe.md", b"odd\xfd", b"timeline/\xfc/a.md"):
        path = os.fsencode(folder) + b"/" + name
        os.makedirs(os.path.dirname(path), exist_ok=True)  # noqa: PTH103, PTH120  (a path of bytes)
        with open(path, "wb") as file:  # noqa: PTH123  (as above)
            file.write(b"x\n")
    oid = commit(git, folder)
    unsafe = {("unsafe-name", name, oid) for name in ("topics/\udcff.md", "sources/x/_v2/\udcfe.md", "odd\udcfd")}
    assert told(workspace.check(all_history=True)) >= unsafe
    assert told(workspace.check("HEAD~1..HEAD")) >= unsafe
    assert told(workspace.check()) >= {(code, path, None) for code, path, _ in unsafe}
    assert workspace.status().topics.blocks == 2
    assert [hit.path for hit in workspace.search("tea", topics_only=True).results] == [ADA]
    assert len(workspace.log().transactions) == 4
    assert workspace.log("topics/\udcff.md").transactions == ()
    assert workspace.remember("Ada likes coffee.", "people/ada.md", time="2024").memory_committed
    with reopened(folder) as again:
        assert again.doctor().findings


def test_a_secret_is_told_with_the_commit_that_brought_it(workspace: Workspace, folder: Path, git: Git) -> None:
    start = git(folder, "rev-parse", "HEAD")
    before = (folder / ADA).read_text()
    (folder / ADA).write_text(before.replace("likes tea", f"likes {TOKEN}"))
    wrong = commit(git, folder)
    (folder / ADA).write_text(before)
    commit(git, folder)
    for how in ({"all_history": True}, {"revision": f"{start}..HEAD"}):
        answer = workspace.check(**how)  # type: ignore[arg-type]
        assert (told(answer), answer.ok) == ({("secret-found", ADA, wrong)}, True)
    assert workspace.check().findings == ()


@pytest.mark.parametrize("revision", ["HEAD~1...HEAD", "...", "HEAD..."])
def test_three_dots_are_no_range(workspace: Workspace, revision: str) -> None:
    with pytest.raises(InvalidRequest) as raised:
        workspace.check(revision)
    assert raised.value.code is Code.INVALID_ARGUMENT
