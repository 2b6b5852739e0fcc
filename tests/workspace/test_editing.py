"""Hand edits through the transaction: `gitmem commit` and `gitmem edit` (behaviours.md 0.8, 2.9, 14.6, 14.7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gitmem.errors import Code, Conflict, GitmemError, InvalidRequest, NotFound, Refused
from gitmem.format.trailers import parse_trailers
from gitmem.ids import SourceId, TopicPath
from gitmem.store.left_alone import read_bases
from workspaces import make, reopened, state

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from gitmem.answers import Result
    from gitmem.workspace import Workspace
    from running import Git

ADA = TopicPath("topics/people/ada.md")
BOB = TopicPath("topics/people/bob.md")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "w"


@pytest.fixture
def workspace(folder: Path) -> Workspace:
    workspace = make(folder)
    workspace.remember("Ada likes tea.", ADA, time="2024")
    workspace.remember("Ada lives in Basel.", ADA, time="2024")
    return workspace


def typed(folder: Path, old: str, new: str, path: str = ADA) -> str:
    """Type into a file; its whole text."""
    file = folder / path
    file.write_text(file.read_text().replace(old, new))
    return file.read_text()


def written(workspace: Workspace, old: str, new: str, path: str = ADA) -> Result:
    """Change the memory as another process does, from the memory's own text."""
    memory = workspace.memory()
    text = (memory.snapshot.read(path) or b"").decode().replace(old, new)
    changes = [{"path": path, "action": "write", "content": text}]
    return workspace.update({"base_revision": memory.revision, "changes": changes})


def committed(workspace: Workspace, path: str = ADA) -> str:
    return (workspace.memory().snapshot.read(path) or b"").decode()


def refused(call: Callable[[], object]) -> GitmemError:
    with pytest.raises(GitmemError) as caught:
        call()
    return caught.value


def block(workspace: Workspace, words: str) -> str:
    return next(claim.id for claim in workspace.memory().facts.of_topic(ADA) if words in claim.content)


def handle(workspace: Workspace) -> str:
    return next(iter(workspace.memory().facts.of_topic(ADA)[0].evidence)).sources[0].target


# --- commit


def test_an_edit_is_taken_under_the_name_of_its_file(workspace: Workspace, folder: Path, git: Git) -> None:  # 14.6
    typed(folder, "likes tea", "loves tea")
    result = workspace.commit_edits()
    assert result.memory_committed
    assert result.changed_files == (ADA,)
    assert "loves tea" in committed(workspace)
    assert git(folder, "log", "-1", "--format=%s", result.revision or "") == f"memory: edit {ADA}"
    trailers = parse_trailers(git(folder, "log", "-1", "--format=%B", result.revision or ""))
    assert trailers["Gitmem-Writer"] == ("hand",)
    assert trailers["Block-Changed"] == (f"{block(workspace, 'loves')} {ADA}",)
    assert git(folder, "status", "--porcelain") == ""
    assert workspace.memory().fresh


def test_nothing_typed_commits_nothing(workspace: Workspace, folder: Path) -> None:
    before = state(folder)
    assert not workspace.commit_edits().memory_committed
    assert state(folder) == before


def test_a_new_paragraph_gets_its_id_in_the_file_too_and_what_was_typed_is_kept(
    workspace: Workspace, folder: Path, git: Git
) -> None:
    target = handle(workspace)
    text = (folder / ADA).read_text()
    (folder / ADA).write_text(f"{text}\nAda plays chess.[^e1]\n\n[^e1]: Time: `2024`; Sources: [said]({target})\n")
    raw = (folder / ADA).read_text()
    result = workspace.commit_edits()
    assert len(result.block_ids) == 1
    assert (folder / ADA).read_text() == committed(workspace)
    assert "[^e1]" not in committed(workspace)
    kept = git(folder, "for-each-ref", "--format=%(refname)", "refs/gitmem/autosave")
    assert git(folder, "show", f"{kept}:{ADA}") + "\n" == raw


def test_a_dropped_id_is_refused_by_name_and_the_file_stays(
    workspace: Workspace, folder: Path, git: Git
) -> None:  # 2.9
    dropped = block(workspace, "tea")
    text = typed(folder, f" ^{dropped}", "").replace("tea", "coffee")
    (folder / ADA).write_text(text)
    before = state(folder)
    error = refused(workspace.commit_edits)
    assert error.code is Code.INVALID_TOPIC_FORMAT
    assert dropped in error.message
    assert (folder / ADA).read_text() == text
    after = state(folder)
    new = {path for path in after if before.get(path) != after[path]}
    assert all(path.startswith((".git/refs/gitmem/rescue", ".git/logs", ".git/objects")) for path in new), new
    assert git(folder, "show", f"{error.details['rescue']}:{ADA}") + "\n" == text


def test_a_staged_edit_is_an_edit(workspace: Workspace, folder: Path, git: Git) -> None:
    typed(folder, "likes tea", "loves tea")
    git(folder, "add", "-A")
    workspace.commit_edits()
    assert "loves tea" in committed(workspace)
    assert git(folder, "status", "--porcelain") == ""


def test_the_disk_is_taken_where_the_index_has_another_text_and_that_one_is_kept(
    workspace: Workspace, folder: Path, git: Git
) -> None:
    typed(folder, "likes tea", "loves tea")
    git(folder, "add", "-A")
    typed(folder, "loves tea", "adores tea")
    workspace.commit_edits()
    assert "adores tea" in committed(workspace)
    assert git(folder, "status", "--porcelain") == ""
    rescue = git(folder, "for-each-ref", "--format=%(refname)", "refs/gitmem/rescue")
    assert "loves tea" in git(folder, "show", f"{rescue}:{ADA}.staged")


@pytest.mark.parametrize("staged", [False, True])
def test_a_file_deleted_by_hand_is_deleted_and_can_be_had_back(
    workspace: Workspace, folder: Path, git: Git, staged: bool
) -> None:
    if staged:
        git(folder, "rm", "-q", ADA)
    else:
        (folder / ADA).unlink()
    result = workspace.commit_edits()
    assert committed(workspace) == ""
    assert result.autosave is not None
    assert git(folder, "status", "--porcelain") == ""
    workspace.undo()
    assert "tea" in (folder / ADA).read_text()


@pytest.mark.parametrize("staged", [False, True])
def test_a_file_renamed_by_hand_keeps_its_ids_and_its_links_follow(
    workspace: Workspace, folder: Path, git: Git, staged: bool
) -> None:  # 2.4
    before = {claim.id for claim in workspace.memory().facts.of_topic(ADA)}
    to = TopicPath("topics/ada.md")
    if staged:
        git(folder, "mv", ADA, to)
    else:
        (folder / ADA).rename(folder / to)
    workspace.commit_edits()
    claims = workspace.memory().facts.of_topic(to)
    assert {claim.id for claim in claims} == before
    assert all(link.resolved for claim in claims for evidence in claim.evidence for link in evidence.sources)
    assert git(folder, "status", "--porcelain") == ""


def test_a_rename_that_drops_a_block_is_refused(workspace: Workspace, folder: Path) -> None:
    dropped = block(workspace, "tea")
    lines = [part for part in (folder / ADA).read_text().split("\n\n") if f"^{dropped}" not in part]
    (folder / ADA).unlink()
    (folder / BOB).write_text("\n\n".join(lines))
    error = refused(workspace.commit_edits)
    assert [finding.block for finding in error.findings if finding.code == "dropped-block-id"] == [dropped]


def test_only_what_is_named_is_taken(workspace: Workspace, folder: Path, git: Git) -> None:
    workspace.remember("Bob likes tea.", BOB, time="2024")
    typed(folder, "likes tea", "loves tea")
    typed(folder, "likes tea", "hates tea", BOB)
    workspace.commit_edits(["people/ada"], message="memory: a word")
    assert git(folder, "status", "--porcelain") == f" M {BOB}"
    workspace.commit_edits(["topics/people"])
    assert git(folder, "status", "--porcelain") == ""


def test_what_is_not_for_hands_is_refused_by_name_and_reported_otherwise(workspace: Workspace, folder: Path) -> None:
    view = "timeline/2024.md"
    (folder / view).write_text("mine")
    typed(folder, "likes tea", "loves tea")
    assert refused(lambda: workspace.commit_edits([view])).code is Code.READ_ONLY_PATH
    assert refused(lambda: workspace.commit_edits(["sources/gitmem"])).code is Code.READ_ONLY_PATH
    assert refused(lambda: workspace.commit_edits(["topics/nobody.md"])).code is Code.PATH_NOT_FOUND
    result = workspace.commit_edits()
    assert any("git restore timeline/2024.md" in warning for warning in result.warnings)


def test_a_view_edited_by_hand_alone_changes_nothing_and_is_told(workspace: Workspace, folder: Path) -> None:
    (folder / "timeline/2024.md").write_text("mine")
    before = state(folder)
    result = workspace.commit_edits()
    assert not result.memory_committed
    assert len(result.warnings) == 1
    assert state(folder) == before


def test_a_link_in_the_place_of_a_topic_is_refused(workspace: Workspace, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere.md").write_text("x")
    (folder / ADA).unlink()
    (folder / ADA).symlink_to(tmp_path / "elsewhere.md")
    assert refused(workspace.commit_edits).code is Code.PATH_OUTSIDE_WORKSPACE


def test_a_file_that_was_left_alone_is_merged_on_commit(workspace: Workspace, folder: Path, git: Git) -> None:
    typed(folder, "likes tea", "loves tea")
    written(workspace, "likes tea", "likes black tea")
    written(workspace, "in Basel", "in Bern")
    typed(folder, "loves tea", "likes tea")
    typed(folder, "# Ada", "# Ada L.")
    assert workspace.commit_edits().memory_committed
    text = committed(workspace)
    assert all(words in text for words in ("# Ada L.", "black tea", "Bern"))
    assert (folder / ADA).read_text() == text
    assert read_bases(workspace.repo.fresh()) == {}
    assert git(folder, "status", "--porcelain") == ""


def test_a_block_that_both_changed_is_a_conflict_that_edit_settles(
    workspace: Workspace, folder: Path, git: Git
) -> None:
    text = typed(folder, "likes tea", "loves tea")
    written(workspace, "likes tea", "likes black tea")
    error = refused(workspace.commit_edits)
    assert error.code is Code.PATCH_CONFLICT
    assert [finding.block for finding in error.findings] == [block(workspace, "black tea")]
    assert (folder / ADA).read_text() == text
    copy = workspace.staged_copy("people/ada.md")
    assert copy.text.count("<<<<<<< yours") == 1
    assert refused(lambda: workspace.commit_copy(copy, copy.text + "\n")).code is Code.INVALID_TOPIC_FORMAT
    start, rest = copy.text.split("<<<<<<< yours\n")
    ours, rest = rest.split("=======\n")
    workspace.commit_copy(copy, start + ours + rest.split(">>>>>>> memory\n")[1])
    assert "loves tea" in committed(workspace)
    assert (folder / ADA).read_text() == committed(workspace)
    assert git(folder, "status", "--porcelain") == ""
    assert read_bases(workspace.repo.fresh()) == {}


def test_an_edit_that_came_to_what_the_memory_says_is_settled_without_a_commit(
    workspace: Workspace, folder: Path, git: Git
) -> None:
    typed(folder, "likes tea", "loves tea")
    written(workspace, "likes tea", "likes black tea")
    typed(folder, "loves tea", "likes tea")
    before = workspace.memory().revision
    result = workspace.commit_edits()
    assert not result.memory_committed
    assert workspace.memory().revision == before
    assert (folder / ADA).read_text() == committed(workspace)
    assert read_bases(workspace.repo.fresh()) == {}
    assert git(folder, "status", "--porcelain") == ""


def test_line_ends_are_no_edit(workspace: Workspace, folder: Path, git: Git) -> None:
    text = (folder / ADA).read_text()
    (folder / ADA).write_bytes(text.replace("\n", "\r\n").encode())
    assert not workspace.commit_edits().memory_committed
    assert (folder / ADA).read_text() == text
    assert git(folder, "status", "--porcelain") == ""


def test_a_bare_workspace_has_nothing_to_commit(tmp_path: Path) -> None:
    error = refused(make(tmp_path / "w.git", bare=True).commit_edits)
    assert isinstance(error, InvalidRequest)


# --- commit --amend


def test_amend_makes_the_last_commit_anew_with_its_views(workspace: Workspace, folder: Path, git: Git) -> None:
    first = git(folder, "rev-parse", "HEAD")
    typed(folder, "likes tea", "loves tea")
    workspace.commit_edits(message="memory: tea")
    replaced = git(folder, "rev-parse", "HEAD")
    typed(folder, "in Basel", "in Bern")
    result = workspace.commit_edits(amend=True)
    assert git(folder, "rev-parse", "HEAD~2") == first
    assert git(folder, "log", "-1", "--format=%s", "HEAD~1") == "memory: tea"
    trailers = parse_trailers(git(folder, "log", "-1", "--format=%B", "HEAD~1"))
    assert len(trailers["Block-Changed"]) == 2
    assert workspace.memory().fresh
    assert "Bern" in (folder / "timeline/2024.md").read_text()
    assert git(folder, "rev-parse", result.autosave or "") == replaced
    assert git(folder, "status", "--porcelain") == ""
    git(folder, "fsck", "--strict", "--no-dangling")


def test_amend_changes_the_subject_alone(workspace: Workspace, folder: Path, git: Git) -> None:
    tree = git(folder, "rev-parse", "HEAD^{tree}")
    workspace.commit_edits(message="memory: better said", amend=True)
    assert git(folder, "log", "-1", "--format=%s", "HEAD~1") == "memory: better said"
    assert git(folder, "rev-parse", "HEAD^{tree}") == tree
    assert workspace.memory().facts.of_topic(ADA)


def test_amend_keeps_the_sources_of_the_commit(workspace: Workspace, folder: Path) -> None:
    last = workspace.remember("Ada plays chess.", ADA, time="2024")
    typed(folder, "plays chess", "plays go")
    workspace.commit_edits(amend=True)
    assert workspace.memory().facts.source(SourceId(next(iter(last.source_ids.values())))) is not None
    assert workspace.check().ok


def test_a_block_that_only_the_amended_commit_brought_may_go(workspace: Workspace, folder: Path) -> None:
    workspace.remember("Ada plays chess.", ADA, time="2024")
    added = block(workspace, "chess")
    parts = (folder / ADA).read_text().split("\n\n")
    (folder / ADA).write_text("\n\n".join(part for part in parts if "chess" not in part))
    workspace.commit_edits(amend=True)
    assert not workspace.memory().facts.claims(added)  # type: ignore[arg-type]


def test_amend_without_anything_typed_does_nothing(workspace: Workspace, folder: Path) -> None:
    before = state(folder)
    assert not workspace.commit_edits(amend=True).memory_committed
    assert state(folder) == before


def test_a_commit_that_is_not_by_hand_or_is_pushed_is_not_amended(
    workspace: Workspace, folder: Path, git: Git, tmp_path: Path
) -> None:
    typed(folder, "likes tea", "loves tea")
    git(tmp_path, "init", "-q", "--bare", "server.git")
    git(folder, "remote", "add", "origin", str(tmp_path / "server.git"))
    git(folder, "push", "-q", "origin", "main")
    error = refused(lambda: workspace.commit_edits(amend=True))
    assert isinstance(error, InvalidRequest)
    assert "origin/main" in error.message
    workspace.commit_edits()
    workspace.undo()
    typed(folder, "likes tea", "loves tea")
    assert "undo" in refused(lambda: workspace.commit_edits(amend=True)).message


def test_the_first_commit_is_not_amended(folder: Path) -> None:
    assert isinstance(refused(lambda: make(folder).commit_edits(amend=True)), InvalidRequest)


# --- edit


def test_an_unchanged_copy_commits_nothing(workspace: Workspace, folder: Path) -> None:  # 14.7
    before = state(folder)
    copy = workspace.staged_copy("people/ada.md")
    assert copy.shown == committed(workspace)
    assert not workspace.commit_copy(copy, copy.shown).memory_committed
    assert state(folder) == before


def test_an_edited_copy_is_committed(workspace: Workspace, folder: Path, git: Git) -> None:
    copy = workspace.staged_copy("people/ada.md")
    result = workspace.commit_copy(copy, copy.shown.replace("likes tea", "loves tea"))
    assert result.changed_files == (ADA,)
    assert git(folder, "log", "-1", "--format=%s", "HEAD~1") == f"memory: edit {ADA}"
    assert (folder / ADA).read_text() == committed(workspace)


def test_a_new_topic_begins_with_its_title(workspace: Workspace) -> None:
    copy = workspace.staged_copy("people/grace-hopper.md")
    assert copy.text == "# Grace hopper\n\n"
    target = handle(workspace)
    text = f"{copy.text}Grace knows Ada.[^e1]\n\n[^e1]: Time: `2024`; Sources: [said]({target})\n"
    assert workspace.commit_copy(copy, text).changed_files == ("topics/people/grace-hopper.md",)


def test_what_the_memory_changed_meanwhile_is_merged_in(workspace: Workspace) -> None:
    copy = workspace.staged_copy("people/ada.md")
    written(workspace, "in Basel", "in Bern")
    workspace.commit_copy(copy, copy.text.replace("likes tea", "loves tea"))
    assert "loves tea" in committed(workspace)
    assert "Bern" in committed(workspace)


def test_a_refused_edit_is_opened_again_with_the_reasons_above_it(workspace: Workspace, folder: Path) -> None:  # 14.7
    copy = workspace.staged_copy("people/ada.md")
    edited = copy.text.replace("# Ada\n", "# Ada\n\nLoose words.\n").replace("likes tea", "loves tea")
    before = (folder / ADA).read_text()
    error = refused(lambda: workspace.commit_copy(copy, edited))
    assert error.code is Code.INVALID_TOPIC_FORMAT
    assert "gitmem edit --retry" in error.message
    assert (folder / ADA).read_text() == before
    again = workspace.staged_copy("people/ada.md", retry=True)
    assert again.text == edited
    assert "Loose words." in again.shown.split("-->")[0]
    mended = again.shown.replace("\n\nLoose words.\n", "\n")
    workspace.commit_copy(again, mended)
    assert "loves tea" in committed(workspace)
    assert "gitmem:" not in committed(workspace)


def test_a_refused_edit_is_merged_with_what_came_since(workspace: Workspace) -> None:
    copy = workspace.staged_copy("people/ada.md")
    refused(lambda: workspace.commit_copy(copy, f"{copy.text}\nLoose.\n".replace("likes tea", "loves tea")))
    written(workspace, "in Basel", "in Bern")
    again = workspace.staged_copy("people/ada.md", retry=True)
    workspace.commit_copy(again, again.shown.replace("\nLoose.\n", ""))
    assert "loves tea" in committed(workspace)
    assert "Bern" in committed(workspace)


def test_nothing_refused_is_nothing_to_open_again(workspace: Workspace) -> None:
    assert isinstance(refused(lambda: workspace.staged_copy("people/ada.md", retry=True)), NotFound)


def test_a_copy_holds_what_is_typed_and_not_committed(workspace: Workspace, folder: Path, git: Git) -> None:
    text = typed(folder, "likes tea", "loves tea")
    copy = workspace.staged_copy("people/ada.md")
    assert copy.text == text
    workspace.commit_copy(copy, text.replace("in Basel", "in Bern"))
    assert git(folder, "status", "--porcelain") == ""
    assert (folder / ADA).read_text() == committed(workspace)


def test_a_file_typed_into_while_the_editor_is_open_is_merged_too(workspace: Workspace, folder: Path) -> None:
    copy = workspace.staged_copy("people/ada.md")
    typed(folder, "in Basel", "in Bern")
    workspace.commit_copy(copy, copy.text.replace("likes tea", "loves tea"))
    assert "Bern" not in committed(workspace)
    assert (folder / ADA).read_text() == committed(workspace).replace("in Basel", "in Bern")


# --- busy


def test_a_branch_switched_while_the_editor_is_open_keeps_the_text(
    workspace: Workspace, folder: Path, git: Git
) -> None:
    copy = workspace.staged_copy("people/ada.md")
    git(folder, "switch", "-q", "-c", "side")
    error = refused(lambda: workspace.commit_copy(copy, copy.text.replace("likes tea", "loves tea")))
    assert error.code is Code.REPOSITORY_BUSY
    assert "loves tea" in git(folder, "show", f"{error.details['rescue']}:{ADA}")
    git(folder, "switch", "-q", "main")
    again = workspace.staged_copy("people/ada.md", retry=True)
    workspace.commit_copy(again, again.text)
    workspace.commit_copy(again, f"{again.text}\n")
    assert "loves tea" in committed(workspace)


@pytest.mark.parametrize("doing", ["detached", "merge", "rebase"])
def test_a_busy_repository_takes_no_edits_and_loses_none(
    workspace: Workspace, folder: Path, git: Git, doing: str
) -> None:
    if doing == "detached":
        git(folder, "switch", "-q", "--detach")
    elif doing == "merge":
        git(folder, "switch", "-q", "-c", "side")
        workspace.remember("Ada likes milk.", ADA, time="2024")
        git(folder, "switch", "-q", "main")
        git(folder, "merge", "-q", "--no-ff", "--no-commit", "side")
    else:
        (folder / ".git/rebase-merge").mkdir()
    text = typed(folder, "likes tea", "loves tea")
    before = state(folder)
    error = refused(lambda: reopened(folder).commit_edits())
    assert isinstance(error, Conflict)
    assert error.code is Code.REPOSITORY_BUSY
    assert isinstance(refused(lambda: workspace.staged_copy("people/ada.md")), Conflict)
    assert (folder / ADA).read_text() == text
    assert state(folder) == before


def test_an_amended_block_that_others_link_to_may_not_go(workspace: Workspace, folder: Path) -> None:  # 2.11
    target, source = block(workspace, "tea"), handle(workspace)
    (folder / BOB).write_text(
        f"# Bob\n\nBob pours [tea](ada.md#^{target}).[^e1]\n\n[^e1]: Time: `2024`; Sources: [said]({source})\n"
    )
    workspace.commit_edits()
    (folder / ADA).unlink()
    error = refused(workspace.commit_edits)
    assert isinstance(error, Refused)
    assert error.code is Code.INVALID_TOPIC_FORMAT
    assert target in str(error.findings)


def test_a_reorder_by_hand_leaves_the_order_of_creation(workspace: Workspace, folder: Path) -> None:  # 2.8
    before = (folder / "recent_events.jsonl").read_text()
    title, *parts = (folder / ADA).read_text().rstrip("\n").split("\n\n")
    (folder / ADA).write_text("\n\n".join([title, *parts[2:], *parts[:2]]) + "\n")
    assert workspace.commit_edits().memory_committed
    assert committed(workspace).index("Basel") < committed(workspace).index("tea")
    assert (folder / "recent_events.jsonl").read_text() == before


def test_a_changed_paragraph_may_not_link_to_a_file_alone(workspace: Workspace, folder: Path) -> None:  # 2.12
    workspace.remember("Bob likes tea.", BOB, time="2024")
    text = typed(folder, "Ada likes tea", "Ada likes tea as [Bob](bob.md) does")
    error = refused(workspace.commit_edits)
    assert [finding.code for finding in error.findings] == ["link-without-block"]
    assert (folder / ADA).read_text() == text


def test_a_linked_worktree_takes_its_own_edits(workspace: Workspace, folder: Path, git: Git, tmp_path: Path) -> None:
    git(folder, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    typed(tmp_path / "side", "likes tea", "loves tea")
    with reopened(tmp_path / "side") as side:
        assert side.commit_edits().memory_committed
        assert "loves tea" in committed(side)
    assert git(tmp_path / "side", "status", "--porcelain") == ""
    assert "loves tea" not in committed(workspace)
