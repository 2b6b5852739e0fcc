"""The inverse of a transaction, whatever came after it (cli.md, "undo")."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gitmem.answers import ClaimsAnswer
from gitmem.errors import Code, NotFound, Refused
from gitmem.json_form import to_json
from gitmem.request import NewSource, NoEdit
from stories import ADA, change, claim, revision, says, text, topics, write
from untouched import byte_identical
from workspaces import make

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.workspace import Workspace
    from running import Git

BOB = "people/bob.md"


def conflict(workspace: Workspace, of: str) -> Refused:
    with byte_identical(workspace.repo.path), pytest.raises(Refused) as caught:
        workspace.undo(of)
    assert caught.value.code is Code.UNDO_CONFLICT
    return caught.value


def test_the_last_transaction_is_taken_back_exactly(workspace: Workspace) -> None:
    claim(workspace, "Ada lives in Basel.")
    was, before = topics(workspace), revision(workspace)
    block = claim(workspace, "Ada has a cat.")
    of, archived = revision(workspace), workspace.memory().snapshot.node("sources")
    answer = workspace.undo()
    assert topics(workspace) == was
    assert workspace.memory().snapshot.node("sources") == archived
    assert (answer.of, [removed.id for removed in answer.claims.removed]) == (of, [block])
    told = workspace.show("HEAD")
    assert (told.writer, told.subject) == ("undo", "memory: undo Ada has a cat.")
    assert workspace.show(str(answer.autosave)).revision == of
    assert workspace.diff(before).claims == ClaimsAnswer()


def test_an_undo_is_undone(workspace: Workspace) -> None:
    claim(workspace, "Ada lives in Basel.")
    was = topics(workspace)
    first = workspace.undo()
    again = workspace.undo()
    assert (again.of, topics(workspace)) == (first.revision, was)
    assert workspace.show("HEAD").subject == "memory: redo Ada lives in Basel."
    workspace.undo()
    assert workspace.show("HEAD").subject == "memory: undo Ada lives in Basel."
    assert first.go_back == f"gitmem undo {first.revision}"


def test_only_an_undo_is_redone(workspace: Workspace) -> None:
    claim(workspace, "undo is a word.")
    workspace.undo()
    assert workspace.show("HEAD").subject == "memory: undo undo is a word."


def test_every_kind_of_transaction_is_undone(workspace: Workspace) -> None:
    first = revision(workspace)
    home, viola = claim(workspace, "Ada lives in Basel."), claim(workspace, "Ada plays the viola.", heading="Music")
    claim(workspace, f"Bob lives where [Ada](ada.md#^{home}) lives.", BOB)
    steps = [
        lambda: workspace.remove([viola]),
        lambda: workspace.move([viola], "music.md"),
        lambda: workspace.move([f"topics/{ADA}"], "topics/ada.md"),
        lambda: workspace.merge_blocks(viola, [home]),
        lambda: workspace.restore(first),
        lambda: change(workspace, home, "Ada lives in Bern."),
        lambda: write(workspace, f"topics/{BOB}", None),
    ]
    was = topics(workspace)
    for step in steps:
        step()
        assert topics(workspace) != was
        workspace.undo()
        assert topics(workspace) == was


def test_a_derive_commit_stands_for_its_memory_commit(workspace: Workspace) -> None:
    claim(workspace, "Ada lives in Basel.")
    of = revision(workspace)
    assert workspace.resolve("HEAD") != of
    assert workspace.undo("HEAD").of == of


def test_what_changed_no_topics_is_nothing_to_undo(workspace: Workspace) -> None:
    first = revision(workspace)
    workspace.commit(workspace.request(NoEdit(), [NewSource("hello", "user")]))
    for of in (first, revision(workspace)):
        before = revision(workspace)
        with byte_identical(workspace.repo.path):
            answer = workspace.undo(of)
        assert (answer.ok, answer.revision, answer.memory_committed) == (True, before, False)
        assert (answer.autosave, answer.go_back, answer.of) == (None, None, of)
        assert "changed no topics" in answer.warnings[0]


def test_the_root_is_not_undone_even_when_it_adopted_topics(workspace: Workspace, tmp_path: Path) -> None:
    claim(workspace, "Ada lives in Basel.")
    adopted = make(tmp_path / "new", adopt=workspace.repo.path)
    assert says(adopted, workspace.why(ADA).results[0].id) == "Ada lives in Basel."
    assert not adopted.undo().memory_committed


def test_what_is_undone_already_is_nothing_to_undo(workspace: Workspace) -> None:
    claim(workspace, "Ada lives in Basel.")
    of = revision(workspace)
    workspace.undo(of)
    before = revision(workspace)
    answer = workspace.undo(of)
    assert (answer.memory_committed, answer.revision, answer.claims) == (False, before, ClaimsAnswer())


def test_a_commit_of_another_history_is_not_undone(workspace: Workspace, git: Git) -> None:
    folder = workspace.repo.path
    git(folder, "branch", "other")
    claim(workspace, "Ada lives in Basel.")
    of = revision(workspace)
    git(folder, "switch", "-q", "other")
    with byte_identical(folder), pytest.raises(NotFound) as caught:
        workspace.undo(of)
    assert caught.value.code is Code.REVISION_NOT_FOUND


def test_a_dry_run_changes_nothing(workspace: Workspace) -> None:
    block = claim(workspace, "Ada lives in Basel.")
    with byte_identical(workspace.repo.path):
        answer = workspace.undo(dry_run=True)
    assert (answer.dry_run, [removed.id for removed in answer.claims.removed]) == (True, [block])


# --- older transactions


def test_what_others_wrote_since_stays(workspace: Workspace) -> None:
    first, second, third = (claim(workspace, f"Claim {n}.") for n in (1, 2, 3))
    workspace.undo("HEAD~2")
    assert [says(workspace, block) for block in (first, second, third)] == ["Claim 1.", None, "Claim 3."]
    workspace.undo()
    assert [says(workspace, block) for block in (first, second, third)] == ["Claim 1.", "Claim 2.", "Claim 3."]


def test_a_change_is_taken_back_beside_later_ones(workspace: Workspace) -> None:
    first, second = claim(workspace, "Claim 1."), claim(workspace, "Claim 2.")
    of = change(workspace, first, "Claim 1, changed.")
    change(workspace, second, "Claim 2, changed.")
    workspace.remove([claim(workspace, "Claim 3.")])
    workspace.undo(of)
    assert (says(workspace, first), says(workspace, second)) == ("Claim 1.", "Claim 2, changed.")
    assert len(workspace.why(first).results[0].evidence) == 1
    assert "Claim 1, changed." not in text(workspace)


def test_a_removed_block_comes_back_in_its_place(workspace: Workspace) -> None:
    first, second, third = (claim(workspace, f"Claim {n}.") for n in (1, 2, 3))
    workspace.remove([second])
    of = revision(workspace)
    change(workspace, first, "Claim 1, changed.")
    change(workspace, third, "Claim 3, changed.")
    workspace.undo(of)
    assert [found.content for found in workspace.why(ADA).results] == [
        *("Claim 1, changed.", "Claim 2.", "Claim 3, changed.")
    ]


def test_headings_that_only_it_brought_go_with_its_blocks(workspace: Workspace) -> None:
    claim(workspace, "Ada lives in Basel.")
    claim(workspace, "Ada plays the viola.", heading="Ada > Music > Strings")
    of = revision(workspace)
    claim(workspace, "Ada has a cat.", heading="Ada > Pets")
    workspace.undo(of)
    assert "Music" not in text(workspace)
    assert "## Pets\n\nAda has a cat." in text(workspace)


def test_a_file_it_made_stays_with_what_others_wrote_there(workspace: Workspace) -> None:
    mine = claim(workspace, "Bob is here.", BOB)
    of = revision(workspace)
    other = claim(workspace, "Bob is tall.", BOB, heading="Looks")
    workspace.undo(of)
    assert (says(workspace, mine), says(workspace, other)) == (None, "Bob is tall.")
    workspace.remove([other])
    assert not (workspace.repo.path / "topics" / BOB).exists()


def test_a_file_it_deleted_comes_back_beside_what_others_wrote(workspace: Workspace) -> None:
    old = claim(workspace, "Bob is here.", BOB)
    write(workspace, f"topics/{BOB}", None)
    of = revision(workspace)
    new = claim(workspace, "Bob is tall.", BOB)
    workspace.undo(of)
    assert (says(workspace, old), says(workspace, new)) == ("Bob is here.", "Bob is tall.")


def test_a_merge_is_taken_apart_beside_later_changes(workspace: Workspace) -> None:
    keep, other = claim(workspace, "Ada lives in Basel."), claim(workspace, "Ada's home is Basel.")
    third = claim(workspace, "Ada has a cat.")
    workspace.merge_blocks(keep, [other])
    of = revision(workspace)
    change(workspace, third, "Ada has two cats.")
    workspace.undo(of)
    assert [says(workspace, block) for block in (keep, other, third)] == [
        *("Ada lives in Basel.", "Ada's home is Basel.", "Ada has two cats.")
    ]
    assert [claim.aliases for claim in workspace.why(ADA).results] == [(), (), ()]


def test_a_merge_across_files_is_taken_apart(workspace: Workspace) -> None:
    keep, other = claim(workspace, "Ada lives in Basel."), claim(workspace, "Ada's home is Basel.", "homes.md")
    workspace.merge_blocks(keep, [other])
    of = revision(workspace)
    claim(workspace, "Ada has a cat.")
    workspace.undo(of)
    assert (says(workspace, keep), says(workspace, other)) == ("Ada lives in Basel.", "Ada's home is Basel.")
    assert workspace.why(other).results[0].path == "topics/homes.md"


def test_a_transaction_is_undone_where_a_later_one_did_the_same_already(workspace: Workspace) -> None:
    first, second = claim(workspace, "Claim 1."), claim(workspace, "Claim 2.")
    before = revision(workspace)
    of = change(workspace, first, "Claim 1, changed.")
    workspace.restore(before, block=first)
    change(workspace, second, "Claim 2, changed.")
    assert not workspace.undo(of).claims.changed
    assert says(workspace, first) == "Claim 1."


def test_a_unit_of_an_older_paragraph_is_taken_out_of_it(tmp_path: Path, git: Git) -> None:
    # behaviours.md 1.6, 5.17
    old = tmp_path / "old"
    (old / "topics").mkdir(parents=True)
    (old / "sources").mkdir()
    (old / "sources/D1.md").write_text('<a id="d1-1"></a>\n[2023-05-08] user: hello [D1:1]\n')
    notes = "".join(f"[^mem_{name}]: 2023-05 · Sources: [D1](../sources/D1.md#d1-1)\n" for name in "ab")
    (old / "topics/old.md").write_text(f"# Old\n\nFirst.[^mem_a] Last.[^mem_b]\n\n{notes}")
    workspace = make(tmp_path / "new", adopt=old)
    path = tmp_path / "new" / "topics" / "old.md"
    added = path.read_text().replace(" Last.", " Middle.[^mem_c] Last.") + notes[: notes.index("\n")].replace(
        "_a", "_c"
    )
    path.write_text(f"{added}\n")
    git(tmp_path / "new", "commit", "-q", "--no-verify", "-a", "-m", "by hand")
    change(workspace, "mem_a", "First, changed.", time="2023-06")
    workspace.undo("HEAD~2")
    assert [says(workspace, block) for block in ("mem_a", "mem_b", "mem_c")] == ["First, changed.", "Last.", None]
    assert "First, changed.[^mem_a] Last.[^mem_b]\n" in path.read_text()
    assert "mem_c" not in path.read_text()


# --- conflicts


def test_every_block_that_was_changed_again_is_named(workspace: Workspace) -> None:
    first, second, third = (claim(workspace, f"Claim {n}.") for n in (1, 2, 3))
    before = workspace.resolve("HEAD")
    source = {"label": "new-source-a", "role": "user", "content": "said"}
    evidence = {"time": "2026", "sources": [{"source": "new-source-a", "label": "said"}]}
    records = [
        {"op": "update_record", "memory_id": block, "content": f"{block} again.", **evidence}
        for block in (first, second, third)
    ]
    payload = {"base_revision": before, "memory_changes": records, "sources": [source]}
    of = str(workspace.update(payload).revision)
    change(workspace, first, "Claim 1, otherwise.")
    workspace.remove([second])
    refused = conflict(workspace, of)
    assert [(finding.block, finding.code, finding.path) for finding in refused.findings] == [
        (first, "changed-since", f"topics/{ADA}"),
        (second, "changed-since", f"topics/{ADA}"),
    ]
    assert refused.findings[0].line == 3
    assert refused.findings[0].fix is not None
    assert f"`gitmem restore {before[:12]} --block {first}`" in refused.findings[0].fix
    for block, said in ((first, "Claim 1."), (second, "Claim 2.")):
        workspace.restore(before[:12], block=block)
        assert says(workspace, block) == said


def test_a_block_it_made_that_was_changed_since_is_a_conflict(workspace: Workspace) -> None:
    block = claim(workspace, "Ada lives in Basel.")
    of = revision(workspace)
    change(workspace, block, "Ada lives in Bern.")
    (finding,) = conflict(workspace, of).findings
    assert (finding.block, finding.fix) == (block, f"remove the block as it is now: `gitmem rm {block}`")


def test_a_block_it_moved_that_moved_on_is_a_conflict(workspace: Workspace) -> None:
    block = claim(workspace, "Ada plays the viola.")
    claim(workspace, "Ada lives in Basel.")
    workspace.move([block], "music.md")
    of = revision(workspace)
    workspace.move([block], "viola.md")
    assert {finding.block for finding in conflict(workspace, of).findings} == {block}


def test_what_later_claims_link_to_is_a_conflict(workspace: Workspace) -> None:
    block = claim(workspace, "Ada lives in Basel.")
    of = revision(workspace)
    claim(workspace, f"Bob lives where [Ada](ada.md#^{block}) lives.", BOB)
    (finding,) = conflict(workspace, of).findings
    assert (finding.block, finding.check) == (block, "block-links")


def test_text_around_blocks_that_was_changed_since_is_a_conflict(workspace: Workspace, git: Git) -> None:
    claim(workspace, "Ada lives in Basel.")
    folder = workspace.repo.path
    path = folder / "topics" / ADA
    for title in ("one", "two"):
        body = path.read_text().removeprefix("---\ntitle: one\n---\n\n")
        path.write_text(f"---\ntitle: {title}\n---\n\n{body}")
        git(folder, "commit", "-q", "--no-verify", "-a", "-m", title)
    (finding,) = conflict(workspace, "HEAD^").findings
    assert (finding.block, finding.path) == (None, f"topics/{ADA}")


@pytest.mark.parametrize("how", ["block", "file", "merge"])
def test_what_was_moved_away_since_is_a_conflict(tmp_path: Path, how: str) -> None:
    workspace = make(tmp_path / "w")
    written = workspace.remember("Ada likes tea.", "topics/a.md", time="2024")
    (block,) = written.block_ids.values()
    if how == "block":
        workspace.move([block], "topics/b.md")
    elif how == "file":
        workspace.move(["topics/a.md"], "topics/b.md")
    else:
        (kept,) = workspace.remember("Ada drinks tea.", "topics/b.md", time="2024").block_ids.values()
        workspace.merge_blocks(kept, [block])
    with pytest.raises(Refused) as caught:
        workspace.undo(written.revision)
    assert caught.value.code is Code.UNDO_CONFLICT
    assert [finding.block for finding in caught.value.findings] == [block]


# --- the merge that a conflict offers


def rewritten(workspace: Workspace, **blocks: str) -> str:
    """One transaction that changes several blocks, with evidence of its own."""
    records = [
        {
            "op": "update_record",
            "memory_id": block,
            "content": content,
            "time": "2026",
            "sources": [{"source": "new-source-a", "label": "said"}],
        }
        for block, content in blocks.items()
    ]
    source = {"label": "new-source-a", "role": "user", "content": "said"}
    payload = {"base_revision": workspace.resolve("HEAD"), "memory_changes": records, "sources": [source]}
    return str(workspace.update(payload).revision)


def test_a_merge_takes_back_what_later_changes_left_alone(workspace: Workspace) -> None:
    words, same, alone, gone = (claim(workspace, f"Claim {n} is about tea.") for n in (1, 2, 3, 4))
    of = rewritten(workspace, **{block: f"Claim of {block} is about coffee." for block in (words, same, alone, gone)})
    change(workspace, words, f"Claim of {words} is about coffee with milk.")
    change(workspace, same, f"Claim of {same} is about water.")
    workspace.remove([gone])
    refused = conflict(workspace, of)
    assert f"`gitmem undo {of[:12]} --merge`" in refused.message
    offered = refused.details["merge"]
    answer = workspace.undo(of, merge=True)
    assert [says(workspace, block) for block in (words, same, alone, gone)] == [
        "Claim 1 is about tea with milk.",
        f"Claim of {same} is about water.",
        "Claim 3 is about tea.",
        None,
    ]
    assert answer.warnings == (f"^{same} stays as it is now", f"^{gone} stays as it is now")
    assert offered == {"claims": to_json(answer.claims), "left": [same, gone]}
    assert len(workspace.why(words).results[0].evidence) == 2  # what the first claim and what the last one rests on
    assert workspace.check().findings == ()


def test_a_merge_leaves_what_moved_away(workspace: Workspace) -> None:
    stays, moved = claim(workspace, "Ada likes tea."), claim(workspace, "Ada likes cats.")
    of = rewritten(workspace, **{stays: "Ada likes rum.", moved: "Ada likes dogs."})
    workspace.move([moved], "pets.md")
    assert {finding.block for finding in conflict(workspace, of).findings} == {moved}
    workspace.undo(of, merge=True)
    assert (says(workspace, stays), says(workspace, moved)) == ("Ada likes tea.", "Ada likes dogs.")
    workspace.undo()
    assert says(workspace, stays) == "Ada likes rum."


def test_where_nothing_can_be_taken_back_no_merge_is_offered(workspace: Workspace) -> None:
    block = claim(workspace, "Ada lives in Basel.")
    of = revision(workspace)
    change(workspace, block, "Ada lives in Bern.")
    refused = conflict(workspace, of)
    assert ("merge" in refused.details, "--merge" in refused.message) == (False, False)
    assert not workspace.undo(of, merge=True).memory_committed


def test_text_that_plain_git_committed_is_named_when_it_goes(workspace: Workspace, git: Git) -> None:
    # No transaction writes uncited text, so the way back is the text itself, not another undo.
    claim(workspace, "Ada lives in Basel.")
    folder = workspace.repo.path
    was = text(workspace)
    (folder / "topics" / ADA).write_text(f"{was}\nfree text\n")
    git(folder, "commit", "-qam", "by hand")
    answer = workspace.undo("HEAD")
    assert text(workspace) == was
    assert answer.go_back == f"git show {answer.autosave}:topics/{ADA}"
    assert f"text that no message vouches for is gone from topics/{ADA}" in answer.warnings[0]
    assert git(folder, *answer.go_back.split()[1:]).endswith("free text")
