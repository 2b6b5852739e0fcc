"""One request on a real repository: what it answers, what it commits, and what refuses it."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from gitmem.authority import Authority
from gitmem.errors import Code, Conflict, GitmemError, InvalidRequest, NotAllowed, NotFound, Refused
from gitmem.format.model import Tier
from gitmem.format.trailers import parse_trailers
from gitmem.ids import Revision, TopicPath
from gitmem.request import (
    CreateRecord,
    Destination,
    ExactEdit,
    FilesEdit,
    FileWrite,
    NewSource,
    NoEdit,
    Position,
    RecordsEdit,
    SourceRef,
)
from gitmem.store.left_alone import read_bases
from gitmem.store.lock import write_lock
from gitmem.transaction.commit import commit
from gitmem.transaction.options import Options
from gitmem.transaction.rehearsal import Rehearsal
from workspaces import make, reopened, state

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.answers import Result
    from gitmem.workspace import Workspace
    from running import Git

ADA = TopicPath("topics/people/ada.md")


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return make(tmp_path / "w")


def create(text: str, *, cites: str = "new-source-a") -> RecordsEdit:
    place = Destination(ADA, ("Ada",), Position.END)
    return RecordsEdit((CreateRecord(text, "2024-03-15", (SourceRef(cites, "said so"),), place),))


def said(text: str) -> NewSource:
    return NewSource(text, "user", label="new-source-a", timestamp="2024-03-15T10:00:00+00:00")


def test_a_transaction_is_two_commits_that_say_what_they_did(workspace: Workspace, git: Git) -> None:
    folder, before = workspace.repo.path, workspace.memory().revision
    result = workspace.commit(workspace.request(create("Ada likes tea."), [said("I like tea.")], base=before))
    assert git(folder, "rev-parse", "HEAD", "HEAD^", "HEAD~2^").split() == [
        result.derived_commit,
        result.revision,
        before,
    ]
    block = result.block_ids[f"{ADA}#1"]
    handle = result.source_ids["new-source-a"]
    assert result.changed_files == (f"sources/gitmem/_v2/{handle.split('/')[1]}.md", ADA)
    message = git(folder, "log", "-1", "--format=%B", "HEAD^")
    assert message.startswith("memory: Ada likes tea.\n\n+ ^")
    assert parse_trailers(message) == {
        "Gitmem-Writer": ("cli",),
        "Gitmem-Authority": ("owner",),
        "Block-Added": (f"{block} {ADA}",),
        "Source-Added": (handle,),
    }
    assert git(folder, "log", "-1", "--format=%an <%ae> %cn", "HEAD^") == "Test <test@example.invalid> gitmem"
    assert f"Derived-From: {result.revision}" in git(folder, "log", "-1", "--format=%B")
    assert git(folder, "status", "--porcelain") == ""


def test_memory_and_views_become_visible_in_one_ref_move(workspace: Workspace, git: Git) -> None:  # behaviours.md 3.12
    workspace.remember("Ada likes tea.", ADA, time="2024")
    moves = git(workspace.repo.path, "reflog", "--format=%gs", "refs/heads/main").split("\n")
    assert len(moves) == 2  # the workspace's creation, and this


def test_a_request_that_changes_nothing_commits_nothing(workspace: Workspace) -> None:
    first = workspace.commit(workspace.request(NoEdit(), [said("I like tea.")]))
    assert first.memory_committed
    held = state(workspace.repo.path)
    again = workspace.commit(workspace.request(NoEdit(), [said("I like tea.")]))
    assert (again.ok, again.memory_committed, again.revision, again.changed_files) == (True, False, first.revision, ())
    assert again.source_ids == first.source_ids  # behaviours.md 7.16
    assert state(workspace.repo.path) == held


def test_a_stale_base_is_refused_with_both_revisions(workspace: Workspace) -> None:  # behaviours.md 3.2
    old = workspace.memory().revision
    new = workspace.remember("Ada likes tea.", ADA, time="2024").revision
    held = state(workspace.repo.path)
    with pytest.raises(Conflict) as caught:
        workspace.commit(workspace.request(create("Ada likes coffee."), [said("x")], base=old))
    assert caught.value.code is Code.CONCURRENT_UPDATE
    assert caught.value.details == {"base_revision": old, "revision": new}
    assert state(workspace.repo.path) == held


def test_an_older_base_with_the_same_memory_is_current(workspace: Workspace, git: Git) -> None:
    old = workspace.memory().revision
    (workspace.repo.path / "notes.txt").write_text("beside the memory\n")
    git(workspace.repo.path, "add", "notes.txt")
    git(workspace.repo.path, "commit", "-q", "-m", "notes")
    assert workspace.memory().revision != old
    assert workspace.commit(workspace.request(create("Ada."), [said("x")], base=old)).memory_committed


def test_a_base_that_never_was_is_not_found(workspace: Workspace) -> None:
    with pytest.raises(NotFound) as caught:
        workspace.commit(workspace.request(create("Ada."), [said("x")], base=Revision("1" * 40)))
    assert caught.value.code is Code.REVISION_NOT_FOUND


@pytest.mark.parametrize(
    ("edit", "sources", "kind", "code"),
    [
        (create("Ada.", cites="chat/t/none"), [], GitmemError, Code.MISSING_SOURCE),
        (create("Ada.", cites="new-source-zzz"), [said("x")], GitmemError, Code.MISSING_SOURCE),
        (create("# Heading"), [said("x")], Refused, Code.INVALID_TOPIC_FORMAT),
        (create("```\ncode\n```"), [said("x")], Refused, Code.INVALID_TOPIC_FORMAT),  # behaviours.md 17.7
        (FilesEdit((FileWrite(ADA, "# A\n\nloose words\n"),)), [said("x")], Refused, Code.INVALID_TOPIC_FORMAT),
        (FilesEdit((FileWrite(TopicPath("core.md"), "x"),)), [said("x")], Refused, Code.READ_ONLY_PATH),
        (FilesEdit((FileWrite(TopicPath("../x.md"), "x"),)), [], Refused, Code.PATH_OUTSIDE_WORKSPACE),
        (ExactEdit({ADA: b"# A\n\n- list\n"}), [], Refused, Code.INVALID_TOPIC_FORMAT),
        (create("x" * 513_000), [said("x")], InvalidRequest, Code.INVALID_ARGUMENT),
    ],
)
def test_a_refused_request_leaves_every_byte(  # behaviours.md 3.4
    workspace: Workspace, edit: object, sources: list[NewSource], kind: type[GitmemError], code: Code
) -> None:
    workspace.remember("Ada was born in Lagos.", ADA, time="1815")
    held = state(workspace.repo.path)
    with pytest.raises(kind) as caught:
        workspace.commit(workspace.request(edit, sources))  # type: ignore[arg-type]
    assert caught.value.code is code
    assert state(workspace.repo.path) == held
    assert workspace.remember("Ada likes tea.", ADA, time="2024").memory_committed


@pytest.mark.parametrize("nobody", [Authority(None, "7391"), Authority(Tier.PAIRED, ""), Authority(Tier.OWNER, "")])
def test_nobody_writes_unknown(workspace: Workspace, nobody: Authority) -> None:  # behaviours.md 8.10, 8.12
    held = state(workspace.repo.path)
    request = replace(workspace.request(create("Ada."), [said("x")]), authority=nobody)
    with pytest.raises(NotAllowed):
        workspace.commit(request)
    assert state(workspace.repo.path) == held


def test_a_held_lock_is_a_conflict_and_then_passes(workspace: Workspace) -> None:  # behaviours.md 3.13
    held, release = threading.Event(), threading.Event()

    def hold() -> None:
        with write_lock(workspace.repo, 1.0):
            held.set()
            release.wait()

    holder = threading.Thread(target=hold)
    holder.start()
    held.wait()
    workspace.options = Options(lock_timeout=0.05)
    try:
        with pytest.raises(Conflict) as caught:
            workspace.remember("Ada likes tea.", ADA, time="2024")
    finally:
        release.set()
        holder.join()
    assert caught.value.code is Code.CONCURRENT_UPDATE
    assert caught.value.retryable
    assert workspace.remember("Ada likes tea.", ADA, time="2024").memory_committed


def test_views_catch_up_with_commits_made_by_plain_git(workspace: Workspace, git: Git) -> None:
    workspace.remember("Ada likes tea.", ADA, time="2024-03-15")
    folder = workspace.repo.path
    path = folder / ADA
    path.write_text(path.read_text().replace("tea", "green tea"))
    git(folder, "commit", "-q", "-a", "-m", "by hand")
    assert "green" not in (folder / "timeline/2024/03/15.md").read_text()
    workspace.remember("Bob likes tea.", "topics/people/bob.md", time="2024-03-16")
    assert "green tea" in (folder / "timeline/2024/03/15.md").read_text()


def test_views_that_a_merge_mixed_are_rendered_anew(workspace: Workspace, git: Git) -> None:
    folder = workspace.repo.path
    workspace.remember("Ada likes tea.", ADA, time="2024-03-15")
    git(folder, "switch", "-q", "-c", "side")
    workspace.remember("Bob likes tea.", "topics/people/bob.md", time="2024-03-16")
    git(folder, "switch", "-q", "main")
    git(folder, "merge", "-q", "--no-ff", "--no-commit", "side")
    (folder / "timeline/2024/03/16.md").write_text("mixed up\n")
    git(folder, "commit", "-q", "-a", "-m", "merge")
    workspace.remember("Cy likes tea.", "topics/people/cy.md", time="2024-03-17")
    assert (folder / "timeline/2024/03/16.md").read_text().startswith("# 2024-03-16\n\nBob likes tea.")


@pytest.mark.parametrize("doing", ["detached", "merging", "elsewhere"])
def test_a_busy_repository_is_a_conflict(workspace: Workspace, git: Git, tmp_path: Path, doing: str) -> None:
    folder = workspace.repo.path
    if doing == "detached":
        git(folder, "switch", "-q", "--detach")
    elif doing == "merging":
        git(folder, "switch", "-q", "-c", "side")
        workspace.remember("Ada likes tea.", ADA, time="2024")
        git(folder, "switch", "-q", "main")
        git(folder, "merge", "-q", "--no-ff", "--no-commit", "side")
    else:
        git(folder, "worktree", "add", "-q", "--force", str(tmp_path / "other"), "main")
    with pytest.raises(Conflict) as caught:
        workspace.remember("Ada likes coffee.", ADA, time="2024")
    assert caught.value.code is Code.REPOSITORY_BUSY


def typed_over(workspace: Workspace, old: str, new: str) -> str:
    """What somebody types into Ada's file without committing it; the whole text."""
    path = workspace.repo.path / ADA
    path.write_text(path.read_text().replace(old, new))
    return path.read_text()


def written_over(workspace: Workspace, old: str, new: str) -> Result:
    """Change the memory's text of Ada as another process does, which knows nothing of the working directory."""
    memory = workspace.memory()
    text = (memory.snapshot.read(ADA) or b"").decode().replace(old, new)
    changes = [{"path": ADA, "action": "write", "content": text}]
    return workspace.update({"base_revision": memory.revision, "changes": changes})


def test_an_edit_under_way_is_merged_with_what_comes_block_by_block(workspace: Workspace, git: Git) -> None:
    workspace.remember("Ada likes tea.", ADA, time="2024")
    folder = workspace.repo.path
    typed = typed_over(workspace, "likes tea", "loves tea")
    result = workspace.remember("Ada likes coffee.", ADA, time="2024")
    assert any(ADA in warning and "combined" in warning for warning in result.warnings)
    committed = git(folder, "show", f"HEAD:{ADA}") + "\n"
    assert (folder / ADA).read_text() == committed.replace("likes tea", "loves tea")
    assert "coffee" in committed
    assert git(folder, "status", "--porcelain") == f" M {ADA}"
    kept = git(folder, "for-each-ref", "--format=%(refname)", "refs/gitmem/autosave")
    assert git(folder, "show", f"{kept}:{ADA}") + "\n" == typed
    assert read_bases(workspace.repo.fresh()) == {}


def test_a_file_whose_block_both_change_is_left_alone_and_kept(workspace: Workspace, git: Git) -> None:
    workspace.remember("Ada likes tea.", ADA, time="2024")
    folder = workspace.repo.path
    departed = git(folder, "rev-parse", f"HEAD:{ADA}")
    typed = typed_over(workspace, "likes tea", "loves tea")
    result = written_over(workspace, "likes tea", "likes black tea")
    assert result.memory_committed
    assert any(ADA in warning and "left as it is" in warning for warning in result.warnings)
    assert (folder / ADA).read_text() == typed
    assert "black tea" in git(folder, "show", f"HEAD:{ADA}")
    rescue = git(folder, "for-each-ref", "--format=%(refname)", "refs/gitmem/rescue")
    assert git(folder, "show", f"{rescue}:{ADA}") + "\n" == typed
    assert read_bases(workspace.repo.fresh()) == {ADA: departed}


def test_a_file_that_was_left_alone_is_merged_when_the_edit_has_given_way(workspace: Workspace) -> None:
    workspace.remember("Ada likes tea.", ADA, time="2024")
    typed_over(workspace, "likes tea", "loves tea")
    written_over(workspace, "likes tea", "likes black tea")
    typed_over(workspace, "loves tea", "likes black tea")
    workspace.remember("Ada likes coffee.", ADA, time="2024")
    assert (workspace.repo.path / ADA).read_bytes() == workspace.memory().snapshot.read(ADA)
    assert read_bases(workspace.repo.fresh()) == {}


def test_a_patch_of_text_that_is_older_than_the_memory_is_refused(workspace: Workspace, git: Git) -> None:
    workspace.remember("Ada likes tea.", ADA, time="2024")
    folder = workspace.repo.path
    typed_over(workspace, "tea", "green tea")
    written_over(workspace, "tea", "black tea")
    workspace.remember("Ada likes coffee.", ADA, time="2024")
    patch = {"base_revision": workspace.memory().revision, "patch": git(folder, "diff", "--", "topics") + "\n"}
    with pytest.raises(Conflict) as caught:
        workspace.update(patch)
    assert caught.value.code is Code.CONCURRENT_UPDATE
    command = caught.value.message.split("`")[1].split()
    assert "+Ada likes green tea." in git(folder, *command[1:])
    assert "coffee" in git(folder, "show", f"HEAD:{ADA}")
    git(folder, "checkout", "HEAD", "--", ADA)
    typed_over(workspace, "tea", "tea with milk")
    again = {"base_revision": workspace.memory().revision, "patch": git(folder, "diff", "--", "topics") + "\n"}
    workspace.update(again)
    assert "black tea with milk" in (folder / ADA).read_text()


def test_global_settings_do_not_reach_a_transaction(
    workspace: Workspace, git: Git, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for name in ("pre-commit", "commit-msg", "reference-transaction"):
        (hooks / name).write_text("#!/bin/sh\nexit 1\n")
        (hooks / name).chmod(0o755)
    settings = tmp_path / "gitconfig"
    settings.write_text(f"[commit]\n\tgpgsign = true\n[core]\n\tautocrlf = true\n\thooksPath = {hooks}\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(settings))
    assert workspace.remember("Ada likes tea.", ADA, time="2024").memory_committed
    assert b"\r" not in (workspace.repo.path / ADA).read_bytes()
    assert git(workspace.repo.path, "status", "--porcelain") == ""


def test_a_destructive_request_leaves_an_autosave_of_what_was(workspace: Workspace, git: Git) -> None:
    workspace.remember("Ada likes tea.", ADA, time="2024")
    tip = git(workspace.repo.path, "rev-parse", "HEAD")
    result = workspace.remove([ADA])
    assert result.autosave is not None
    assert git(workspace.repo.path, "rev-parse", result.autosave) == tip
    assert not (workspace.repo.path / ADA).exists()


def test_an_update_that_removes_a_claim_leaves_one_too(workspace: Workspace, git: Git) -> None:
    revision = workspace.remember("Ada likes tea.", ADA, time="2024").revision
    tip = git(workspace.repo.path, "rev-parse", "HEAD")
    result = workspace.update({"base_revision": revision, "changes": [{"path": ADA, "action": "delete"}]})
    assert result.autosave is not None
    assert git(workspace.repo.path, "rev-parse", result.autosave) == tip


def test_a_refused_destructive_request_leaves_none(workspace: Workspace, git: Git) -> None:
    bob = workspace.remember("Bob likes tea.", "topics/people/bob.md", time="2024").block_ids["topics/people/bob.md#1"]
    workspace.remember(f"Ada knows [Bob](bob.md#^{bob}).", ADA, time="2024")
    with pytest.raises(Refused) as caught:
        workspace.remove([bob])
    assert caught.value.code is Code.INVALID_TOPIC_FORMAT  # behaviours.md 2.11
    assert git(workspace.repo.path, "for-each-ref", "refs/gitmem/autosave") == ""


def test_a_rehearsal_says_what_would_change_and_writes_nothing(workspace: Workspace) -> None:
    workspace.remember("Ada was born in Lagos.", ADA, time="1815")
    held = state(workspace.repo.path)
    with Rehearsal(workspace.repo, workspace.catalog) as rehearsal:
        rehearsal.carry_out(workspace.request(create("Ada likes tea."), [said("x")]))
        rehearsal.carry_out(workspace.request(create("Ada likes coffee."), [said("y")]))
        with pytest.raises(Refused):
            rehearsal.carry_out(workspace.request(create("# no"), [said("z")]))
        assert [claim.content for claim in rehearsal.difference().added] == ["Ada likes tea.", "Ada likes coffee."]
        assert rehearsal.facts.created_count() == 3
    assert state(workspace.repo.path) == held


def test_a_failing_view_publishes_the_memory_and_the_next_write_repairs_it(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("gitmem.transaction.commit.derive", fail)
        result = workspace.remember("Ada likes tea.", ADA, time="2024-03-15")
    assert (result.memory_committed, result.derived_commit) == (True, None)
    assert any("views" in warning for warning in result.warnings)
    assert not workspace.memory().fresh
    workspace.remember("Bob likes tea.", "topics/people/bob.md", time="2024-03-16")
    assert workspace.memory().fresh
    assert (workspace.repo.path / "timeline/2024/03/15.md").exists()


def test_the_same_claim_gets_the_same_id_in_any_workspace(workspace: Workspace, tmp_path: Path) -> None:
    one = commit(workspace.repo, workspace.catalog, workspace.request(create("Ada."), [said("x")]), workspace.options)
    other = make(tmp_path / "other")
    two = other.commit(other.request(create("Ada."), [said("x")]))
    assert one.block_ids == two.block_ids
    assert one.evidence_ids == two.evidence_ids


def test_many_writers_lose_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "w"
    make(folder)
    spaces = [reopened(folder) for _ in range(4)]

    def write(number: int) -> None:
        for turn in range(3):
            spaces[number].remember(f"Writer {number} says {turn}.", f"topics/w{number}.md", time="2024")

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    memory = reopened(folder).memory()
    found = [
        claim.content for entry in memory.snapshot.entries("topics") for claim in memory.facts.of_topic(entry.path)
    ]  # type: ignore[arg-type]
    assert sorted(found) == sorted(f"Writer {n} says {turn}." for n in range(4) for turn in range(3))
