"""Going back to an earlier revision: exact, not additive (cli.md, "restore")."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gitmem.answers import ClaimsAnswer
from gitmem.errors import Code, Conflict, InvalidRequest, NotFound, Refused
from gitmem.json_form import to_json
from stories import ADA, change, claim, revision, says, text, topics, write
from untouched import byte_identical
from workspaces import make, reopened

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.answers import Result
    from gitmem.request import Request
    from gitmem.workspace import Workspace
    from running import Git

BOB = "people/bob.md"


def sources(workspace: Workspace) -> object:
    return workspace.memory().snapshot.node("sources")


def test_the_topics_are_exactly_what_they_were_and_sources_stay(workspace: Workspace) -> None:
    claim(workspace, "Ada lives in Basel.")
    then, earlier = topics(workspace), revision(workspace)
    gone = claim(workspace, "Ada has a cat.")
    bob = claim(workspace, "Bob is Ada's brother.", BOB)
    before, kept, archived = topics(workspace), revision(workspace), sources(workspace)
    answer = workspace.restore(earlier)
    assert topics(workspace) == then
    assert sources(workspace) == archived
    assert (answer.of, answer.revision, answer.memory_committed) == (earlier, revision(workspace), True)
    assert {block.id for block in answer.claims.removed} == {gone, bob}
    assert answer.changed_files == (f"topics/{ADA}", f"topics/{BOB}")
    told = workspace.show("HEAD")
    assert (told.writer, told.subject) == ("restore", f"memory: restore topics of {earlier[:12]}")
    assert workspace.show(str(answer.autosave)).revision == kept
    assert answer.go_back == f"gitmem undo {answer.revision}"
    workspace.undo(answer.revision)
    assert topics(workspace) == before


def test_the_first_revision_has_no_topics(workspace: Workspace) -> None:
    first = revision(workspace)
    claim(workspace, "Ada lives in Basel.")
    then, archived = topics(workspace), sources(workspace)
    workspace.restore(first)
    assert (topics(workspace), sources(workspace)) == (None, archived)
    assert not (workspace.repo.path / "topics").exists()
    workspace.restore("autosave/1")
    assert topics(workspace) == then


def test_the_answer_has_the_keys_of_the_document(workspace: Workspace) -> None:
    claim(workspace, "Ada lives in Basel.")
    result = [
        *("ok", "revision", "derived_commit", "memory_committed", "source_ids", "block_ids", "evidence_ids"),
        *("changed_files", "autosave", "warnings"),
    ]
    for answer in (workspace.restore("HEAD~2"), workspace.undo()):
        assert list(to_json(answer)) == [*result, "of", "dry_run", "claims", "go_back"]  # type: ignore[call-overload]


def test_nothing_to_do_keeps_the_revision_and_leaves_no_autosave(workspace: Workspace) -> None:
    claim(workspace, "Ada lives in Basel.")
    before = revision(workspace)
    with byte_identical(workspace.repo.path):
        answer = workspace.restore("HEAD")
    assert (answer.ok, answer.revision, answer.memory_committed) == (True, before, False)
    assert (answer.autosave, answer.go_back, answer.claims) == (None, None, ClaimsAnswer())


def test_a_dry_run_says_what_would_change_and_changes_nothing(workspace: Workspace) -> None:
    block = claim(workspace, "Ada lives in Basel.")
    before = revision(workspace)
    with byte_identical(workspace.repo.path):
        answer = workspace.restore("HEAD~2", dry_run=True)
    assert (answer.dry_run, answer.memory_committed, answer.revision) == (True, False, before)
    assert [removed.id for removed in answer.claims.removed] == [block]
    assert (answer.autosave, answer.go_back) == (None, None)


def test_a_path_limits_what_is_restored(workspace: Workspace) -> None:
    home, bob = claim(workspace, "Ada lives in Basel."), claim(workspace, "Bob is here.", BOB)
    music = claim(workspace, "Ada plays the viola.", "music.md")
    earlier = revision(workspace)
    for block in (home, bob, music):
        change(workspace, block, "It is otherwise.")
    workspace.restore(earlier, [ADA])
    assert [says(workspace, block) for block in (home, bob, music)] == [
        *("Ada lives in Basel.", "It is otherwise.", "It is otherwise.")
    ]
    assert workspace.show("HEAD").subject == f"memory: restore {ADA} of {earlier[:12]}"
    workspace.restore(earlier, ["topics/people/", "music.md"])
    assert [says(workspace, block) for block in (bob, music)] == ["Bob is here.", "Ada plays the viola."]


def test_a_path_that_came_later_goes(workspace: Workspace) -> None:
    earlier = revision(workspace)
    block = claim(workspace, "Ada lives in Basel.")
    other = claim(workspace, "Bob is here.", BOB)
    workspace.restore(earlier, [ADA])
    assert (says(workspace, block), says(workspace, other)) == (None, "Bob is here.")


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("topics/never.md", Code.PATH_NOT_FOUND),
        ("never", Code.PATH_NOT_FOUND),
        ("../people", Code.PATH_NOT_FOUND),
        ("sources", Code.READ_ONLY_PATH),
        ("relations.json", Code.READ_ONLY_PATH),
        (".gitmem", Code.READ_ONLY_PATH),
    ],
)
def test_only_topics_are_restored(workspace: Workspace, path: str, code: Code) -> None:
    claim(workspace, "Ada lives in Basel.")
    with byte_identical(workspace.repo.path), pytest.raises((NotFound, Refused)) as caught:
        workspace.restore("HEAD~2", [path])
    assert caught.value.code is code


def test_bad_calls_change_nothing(workspace: Workspace) -> None:
    block = claim(workspace, "Ada lives in Basel.")
    with byte_identical(workspace.repo.path):
        with pytest.raises(NotFound):
            workspace.restore("nope")
        with pytest.raises(NotFound):
            workspace.restore("HEAD~2", block=block)
        with pytest.raises(InvalidRequest):
            workspace.restore("HEAD", [ADA], block=block)


def test_a_restore_that_would_break_a_link_is_refused(workspace: Workspace) -> None:
    # behaviours.md 2.11
    earlier = revision(workspace)
    block = claim(workspace, "Ada lives in Basel.")
    claim(workspace, f"Bob lives where [Ada](ada.md#^{block}) lives.", BOB)
    with byte_identical(workspace.repo.path), pytest.raises(Refused) as caught:
        workspace.restore(earlier, [ADA])
    assert caught.value.code is Code.INVALID_TOPIC_FORMAT
    assert block in caught.value.message


def test_memory_that_moved_meanwhile_is_a_conflict(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    # behaviours.md 3.2
    claim(workspace, "Ada lives in Basel.")
    somebody = reopened(workspace.repo.path)
    commit = workspace.commit

    def late(request: Request) -> Result:
        claim(somebody, "Bob is here.", BOB)
        return commit(request)

    monkeypatch.setattr(workspace, "commit", late)
    with pytest.raises(Conflict) as caught:
        workspace.restore("HEAD~2")
    assert caught.value.code is Code.CONCURRENT_UPDATE
    assert revision(somebody) == caught.value.details["revision"]


# --- single blocks


def test_a_block_comes_back_where_it_stands_now(workspace: Workspace) -> None:
    block, other = claim(workspace, "Ada lives in Basel."), claim(workspace, "Ada has a cat.")
    earlier, was = revision(workspace), text(workspace)
    change(workspace, block, "Ada lives in Bern.")
    change(workspace, other, "Ada has two cats.")
    workspace.restore(earlier, block=f"^{block}")
    assert (says(workspace, block), says(workspace, other)) == ("Ada lives in Basel.", "Ada has two cats.")
    assert workspace.show("HEAD").subject == f"memory: restore ^{block} of {earlier[:12]}"
    workspace.restore(earlier, block=other)
    assert text(workspace) == was


def test_a_block_that_is_gone_comes_back_where_it_stood(workspace: Workspace) -> None:
    first, block, last = (claim(workspace, f"Claim {n}.", heading="Ada > Facts") for n in (1, 2, 3))
    earlier, was = revision(workspace), text(workspace)
    workspace.remove([block])
    workspace.restore(earlier, block=block)
    assert text(workspace) == was
    workspace.remove([first, block])
    workspace.restore(earlier, block=first)
    workspace.restore(earlier, block=block)
    assert text(workspace) == was
    workspace.remove([first, block, last])
    workspace.restore(earlier, block=last)
    assert says(workspace, last) == "Claim 3."
    assert text(workspace).startswith("# Ada\n\n## Facts\n\nClaim 3.")


def test_a_block_that_moved_to_another_folder_comes_back_there(workspace: Workspace) -> None:
    block = claim(workspace, "Ada lives in Basel.")
    link = claim(workspace, f"Bob lives where [Ada](ada.md#^{block}) lives.", BOB)
    earlier = revision(workspace)
    change(workspace, link, "Bob lives alone.")
    workspace.move([link], "bob.md")
    workspace.restore(earlier, block=link)
    assert says(workspace, link) == f"Bob lives where [Ada](people/ada.md#^{block}) lives."
    assert "](../sources/gitmem/" in text(workspace, "topics/bob.md")


def test_a_block_comes_out_of_a_merge_and_leaves_the_other(workspace: Workspace) -> None:
    keep, other = claim(workspace, "Ada lives in Basel."), claim(workspace, "Ada's home is Basel.")
    earlier = revision(workspace)
    workspace.merge_blocks(keep, [other])
    workspace.restore(earlier, block=other)
    assert (says(workspace, keep), says(workspace, other)) == ("Ada lives in Basel.", "Ada's home is Basel.")
    assert workspace.why(keep).results[0].aliases == ()
    workspace.restore(earlier, block=keep)
    assert len(workspace.why(keep).results[0].evidence) == 1


def test_a_merged_block_takes_its_parts_back(workspace: Workspace) -> None:
    keep, other = claim(workspace, "Ada lives in Basel."), claim(workspace, "Ada's home is Basel.", "homes.md")
    before = revision(workspace)
    workspace.merge_blocks(keep, [other])
    merged = revision(workspace)
    workspace.restore(before)
    workspace.restore(merged, block=keep)
    assert workspace.diff(merged).claims == ClaimsAnswer()
    workspace.restore(before)
    workspace.restore(merged, block=other)
    assert [claim.path for claim in workspace.why(keep).results] == ["topics/homes.md"]
    assert not (workspace.repo.path / "topics" / ADA).exists()
    workspace.restore(before)
    extra = claim(workspace, "Bob's home is Bern.", "homes.md")
    workspace.restore(merged, block=keep)
    assert (says(workspace, other), says(workspace, extra)) == ("Ada lives in Basel.", "Bob's home is Bern.")
    assert workspace.why(other).results[0].id == keep


def test_restoring_a_block_that_did_not_change_is_nothing(workspace: Workspace) -> None:
    block = claim(workspace, "Ada lives in Basel.")
    before = revision(workspace)
    change(workspace, claim(workspace, "Bob is here.", BOB), "Bob is there.")
    now = revision(workspace)
    answer = workspace.restore(before, block=block)
    assert (answer.memory_committed, answer.revision) == (False, now)


def test_older_forms_are_restored_as_they_were(tmp_path: Path) -> None:
    # behaviours.md 1.6, 5.17: units of one paragraph
    old = tmp_path / "old"
    (old / "topics").mkdir(parents=True)
    (old / "sources").mkdir()
    (old / "sources/D1.md").write_text('<a id="d1-1"></a>\n[2023-05-08] user: hello [D1:1]\n')
    source = "Time: 2023-05; Sources: [D1](../sources/D1.md#d1-1)"
    legacy = f"# Old\n\nFirst.[^mem_a] Second.[^mem_b] Third.[^mem_c]\n\n[^mem_a]: {source}\n[^mem_b]: {source}\n"
    (old / "topics/old.md").write_text(f"{legacy}[^mem_c]: {source}\n")
    workspace = make(tmp_path / "new", adopt=old)
    was = topics(workspace)
    workspace.remove(["mem_b"])
    workspace.restore("HEAD~2", block="mem_b")
    assert says(workspace, "mem_b") == "Second."
    assert (says(workspace, "mem_a"), says(workspace, "mem_c")) == ("First.", "Third.")
    workspace.undo()
    assert says(workspace, "mem_b") is None
    workspace.undo("HEAD~4")
    assert topics(workspace) == was


def test_a_hand_edit_that_git_let_through_is_restored_with_its_defect(workspace: Workspace, git: Git) -> None:
    # "exact": what cannot be exact is refused, and says where
    claim(workspace, "Ada lives in Basel.")
    folder = workspace.repo.path
    path = folder / "topics" / ADA
    path.write_text(f"{path.read_text()}\nNobody cited this.\n")
    git(folder, "commit", "-q", "--no-verify", "-a", "-m", "by hand")
    defective = revision(workspace)
    write(workspace, f"topics/{ADA}", text(workspace).replace("\nNobody cited this.\n", ""))
    with byte_identical(folder), pytest.raises(Refused) as caught:
        workspace.restore(defective)
    assert caught.value.code is Code.INVALID_TOPIC_FORMAT
    assert caught.value.findings[0].path == f"topics/{ADA}"
