"""`check`: files as they stand, what is staged, a revision, a range, all of history (`cli.md`, `architecture.md` 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gitmem.answers import to_json
from gitmem.errors import Code, InvalidRequest, NotFound
from workspaces import make, reopened

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.audit.base import CheckAnswer
    from gitmem.workspace import Workspace
    from running import Git

ADA = "topics/people/ada.md"
LOOSE = "\nNobody said this.\n"


def codes(answer: CheckAnswer) -> dict[str, str]:
    """Code to severity."""
    return {finding.code: finding.severity for finding in answer.findings}


def append(folder: Path, path: str, text: str) -> None:
    with (folder / path).open("a", encoding="utf-8") as file:
        file.write(text)


def archive(folder: Path) -> Path:
    (found,) = (folder / "sources" / "gitmem" / "_v2").iterdir()
    return found


def commit(git: Git, folder: Path, message: str = "by hand") -> str:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--no-verify", "-m", message)
    return git(folder, "rev-parse", "HEAD")


@pytest.mark.parametrize("how", [{}, {"staged": True}, {"all_history": True}, {"revision": "HEAD"}])
def test_a_memory_that_only_gitmem_wrote_is_clean(workspace: Workspace, how: dict[str, str]) -> None:
    answer = workspace.check(**how)  # type: ignore[arg-type]
    assert answer.ok
    assert answer.findings == ()


def test_an_answer_has_the_documented_keys(workspace: Workspace, folder: Path) -> None:  # cli.md, check
    append(folder, ADA, LOOSE)
    answer = to_json(workspace.check())
    assert list(answer) == ["ok", "scope", "from", "to", "commits", "files", "findings", "fixed"]  # type: ignore[call-overload]
    (finding,) = answer["findings"]  # type: ignore[index]
    assert set(finding) == {"check", "severity", "code", "path", "line", "block", "message", "fix", "commit"}


# --- the working directory


def test_the_files_are_checked_as_they_stand(workspace: Workspace, folder: Path) -> None:
    append(folder, ADA, LOOSE)
    (folder / "topics" / "new.md").write_text("# New\n\nText without anything.\n")
    answer = workspace.check()
    assert not answer.ok
    assert answer.scope == "working-directory"
    assert (answer.from_, answer.to, answer.commits) == (workspace.memory().commit, None, 0)
    assert [(f.path, f.line, f.code, f.commit) for f in answer.findings] == [
        ("topics/new.md", 3, "missing-citation", None),
        (ADA, 7, "missing-citation", None),
    ]
    assert answer.files == len([path for path in folder.rglob("*") if path.is_file() and ".git/" not in str(path)])


def test_changed_evidence_is_found_before_it_is_committed(workspace: Workspace, folder: Path) -> None:
    path = archive(folder)
    path.write_bytes(path.read_bytes().replace(b"tea", b"rum"))
    assert codes(workspace.check()) == {"source-changed": "error"}


def test_a_truncated_archive_is_found(workspace: Workspace, folder: Path) -> None:
    path = archive(folder)
    path.write_bytes(path.read_bytes()[:-3])
    found = codes(workspace.check())
    assert {"truncated-frame", "source-changed", "missing-source"} <= set(found)


def test_an_edited_view_is_a_warning(workspace: Workspace, folder: Path) -> None:
    append(folder, "timeline/2023.md", "more\n")
    answer = workspace.check()
    assert answer.ok
    assert codes(answer) == {"derived-edited": "warning"}


def test_a_deleted_block_that_others_link_to_is_found(workspace: Workspace, folder: Path) -> None:
    bob = workspace.browse("topics/people/bob").entries[0].path
    block = workspace.get(bob).blocks[0].id
    source = workspace.get(ADA).blocks[0].refs[0]
    workspace.remember(f"Ada knows [Bob](bob.md#^{block}).", ADA, time="2024", source=source)
    (folder / bob).unlink()
    answer = workspace.check()
    assert {"linked-block-removed", "broken-block-link"} == set(codes(answer))
    assert answer.findings[0].path == ADA


# --- what is staged


def test_only_what_is_staged_is_checked(workspace: Workspace, folder: Path, git: Git) -> None:
    append(folder, ADA, LOOSE)
    assert workspace.check(staged=True).ok
    git(folder, "add", ADA)
    (folder / "topics" / "new.md").write_text("not staged\n")
    answer = workspace.check(staged=True)
    assert answer.scope == "staged"
    assert [(finding.path, finding.code) for finding in answer.findings] == [(ADA, "missing-citation")]
    assert answer.files == 1


def test_a_bare_repository_has_nothing_staged(tmp_path: Path) -> None:
    workspace = make(tmp_path / "bare.git", bare=True)
    with pytest.raises(InvalidRequest):
        workspace.check(staged=True)
    workspace.remember("Ada likes tea.", "people/ada.md", time="2024")
    assert workspace.check().scope == "revision"
    assert workspace.check().ok
    assert workspace.check(all_history=True).ok


# --- revisions


def test_a_defect_that_came_by_plain_git_is_named_with_its_commit(workspace: Workspace, folder: Path, git: Git) -> None:
    append(folder, ADA, LOOSE)
    bad = commit(git, folder)
    append(folder, ADA, "\nNor this.\n")
    worse = commit(git, folder)
    (folder / ADA).write_text(git(folder, "show", f"{bad}~1:{ADA}") + "\n")
    commit(git, folder, "mended")

    answer = workspace.check(all_history=True)
    assert not answer.ok
    assert answer.scope == "history"
    found = [(f.commit, f.line, f.code) for f in answer.findings if f.severity == "error"]
    assert found == [(bad, 7, "missing-citation"), (worse, 9, "missing-citation")]
    assert answer.commits == int(git(folder, "rev-list", "--count", "HEAD"))

    assert workspace.check("HEAD").ok
    assert codes(workspace.check("HEAD~1"))["missing-citation"] == "error"
    assert workspace.check(f"{worse}..HEAD").ok
    assert [f.commit for f in workspace.check(f"{bad}..HEAD").findings] == [worse]


def test_a_range_counts_its_commits_and_files(workspace: Workspace, folder: Path, git: Git) -> None:
    start = git(folder, "rev-parse", "HEAD~2")
    answer = workspace.check(f"{start}..")
    assert (answer.scope, answer.from_, answer.to) == ("range", start, git(folder, "rev-parse", "HEAD"))
    changed = set(git(folder, "diff", "--name-only", start, "HEAD").split("\n"))
    assert (answer.commits, answer.files) == (2, len(changed))
    assert workspace.check("HEAD..HEAD").commits == 0


def test_changing_evidence_is_found_in_the_commit_that_did_it(workspace: Workspace, folder: Path, git: Git) -> None:
    path = archive(folder)
    path.write_bytes(path.read_bytes().replace(b"tea", b"rum"))
    changed = commit(git, folder)
    workspace.remember("Ada also likes coffee.", ADA, time="2024")
    errors = [finding for finding in workspace.check(all_history=True).findings if finding.severity == "error"]
    assert [(finding.code, finding.commit) for finding in errors] == [("source-changed", changed)]


def test_a_merge_that_drops_evidence_is_found(workspace: Workspace, folder: Path, git: Git) -> None:
    git(folder, "switch", "-q", "-c", "side")
    workspace.remember("Carol sings.", "people/carol.md", time="2024")
    git(folder, "switch", "-q", "main")
    workspace.remember("Dan cooks.", "people/dan.md", time="2024")
    git(folder, "merge", "-q", "-s", "ours", "-m", "ours only", "side")
    answer = workspace.check("HEAD")
    assert codes(answer)["source-lost-in-merge"] == "error"
    assert workspace.check(all_history=True).commits == int(git(folder, "rev-list", "--count", "HEAD"))


@pytest.mark.parametrize("revision", ["nowhere", "nowhere..HEAD", "HEAD..nowhere"])
def test_a_revision_that_is_not_there_is_said(workspace: Workspace, revision: str) -> None:
    with pytest.raises(NotFound) as caught:
        workspace.check(revision)
    assert caught.value.code is Code.REVISION_NOT_FOUND


def test_one_thing_is_checked_at_a_time(workspace: Workspace) -> None:
    with pytest.raises(InvalidRequest):
        workspace.check("HEAD", staged=True)
    with pytest.raises(InvalidRequest):
        workspace.check(staged=True, all_history=True)


# --- views


def test_views_that_lag_behind_plain_git_are_a_warning(workspace: Workspace, folder: Path, git: Git) -> None:
    (folder / ADA).unlink()
    commit(git, folder)
    answer = workspace.check("HEAD")
    assert answer.ok
    stale = [finding.path for finding in answer.findings if finding.code == "derived-stale"]
    assert "timeline/2024/03/15.md" in stale


def test_views_that_claim_to_be_fresh_and_are_not_are_an_error(workspace: Workspace, folder: Path, git: Git) -> None:
    append(folder, "recent_events.jsonl", "{}\n")
    commit(git, folder)  # changes only what is derived: a derive commit
    answer = workspace.check("HEAD")
    assert [(f.code, f.severity, f.path) for f in answer.findings] == [
        ("derived-stale", "error", "recent_events.jsonl")
    ]


def test_a_view_that_nothing_supports_is_stale(workspace: Workspace, folder: Path, git: Git) -> None:
    (folder / "timeline" / "1999.md").write_text("# 1999\n")
    commit(git, folder)
    (finding,) = workspace.check("HEAD").findings
    assert (finding.code, finding.path) == ("derived-stale", "timeline/1999.md")


def test_a_shallow_history_cannot_be_verified(folder: Path, git: Git, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--depth", "1", folder.as_uri(), "shallow")
    clone = reopened(tmp_path / "shallow")
    for answer in (clone.check(), clone.check("HEAD"), clone.check(all_history=True)):
        assert answer.ok
        assert codes(answer) == {"derived-not-verifiable": "warning"}


def test_views_of_another_format_cannot_be_verified(workspace: Workspace, folder: Path, git: Git) -> None:
    settings = folder / ".gitmem"
    settings.write_text(settings.read_text().replace("formatVersion = 1", "formatVersion = 99"))
    commit(git, folder)
    assert codes(workspace.check("HEAD"))["derived-not-verifiable"] == "warning"


# --- at the edges


def test_a_memory_without_a_commit_is_none_to_check(tmp_path: Path, git: Git) -> None:
    folder = tmp_path / "unborn"
    folder.mkdir()
    git(folder, "init", "-q")
    (folder / ".git" / "gitmem").mkdir()
    workspace = reopened(folder)
    for how in ({}, {"all_history": True}):
        with pytest.raises(NotFound) as caught:
            workspace.check(**how)  # type: ignore[arg-type]
        assert caught.value.code is Code.REVISION_NOT_FOUND


def test_an_adopted_memory_is_checked_with_its_old_archives(tmp_path: Path) -> None:
    given = tmp_path / "given" / "sources"
    given.mkdir(parents=True)
    (given / "D1.md").write_text('<a id="d1-1"></a>\n[2023-05-08] Caroline: Tomatoes. [D1:1]\n')
    workspace = make(tmp_path / "workspace", adopt=tmp_path / "given")
    assert workspace.check(all_history=True).ok
    assert workspace.check().ok
