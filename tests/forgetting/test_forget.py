"""A message is erased from everything that git and gitmem keep, and nothing else changes (`forget`)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from gitmem.errors import Conflict, InvalidRequest, NotFound, Refused
from gitmem.format.layout import anchor
from gitmem.ids import SourceId
from gitmem.request import NewSource, NoEdit
from leaks import OTHER, SECRET, TOLD, TURN, Leak, every_file, every_object, places, remember, spread
from workspaces import reopened, state

if TYPE_CHECKING:
    from pathlib import Path

    from running import Git


def test_nothing_of_it_is_left_in_any_corner(told: Leak, git: Git) -> None:
    spread(told, git)
    assert len(places(told.folder, SECRET)) > 10
    answer = told.workspace.forget([told.handle, TURN])
    assert answer.ok
    assert answer.proof is not None
    assert answer.proof.traces == ()
    assert places(told.folder, SECRET, told.handle, anchor(SourceId(told.handle)), told.block) == []
    assert places(told.folder, SECRET.upper()) == []
    assert places(told.folder, OTHER) != []
    git(told.folder, "fsck", "--strict", "--no-dangling")
    assert git(told.folder, "fsck", "--unreachable") == ""


def test_every_commit_is_still_one_that_the_rules_allow(told: Leak, git: Git) -> None:
    spread(told, git)
    told.workspace.forget([told.handle, TURN])
    after = reopened(told.folder)
    found = after.check(all_history=True)
    assert found.ok
    assert found.findings == ()
    assert after.check().findings == ()
    assert after.doctor().ok


def test_what_somebody_edits_stays_as_it_was_typed(told: Leak, git: Git) -> None:
    spread(told, git)
    topic = told.folder / "topics/people/ada.md"
    topic.write_text(topic.read_text().replace("in the evening", "at noon"))
    git(told.folder, "add", str(topic))
    topic.write_text(topic.read_text().replace("at noon", "at night"))
    (told.folder / "notes.txt").write_text("my own")
    told.workspace.forget([told.handle, TURN])
    assert "tea with milk at night" in topic.read_text()
    assert "tea with milk at noon" in git(told.folder, "show", ":topics/people/ada.md")
    assert git(told.folder, "status", "--porcelain").split("\n") == ["MM topics/people/ada.md", "?? notes.txt"]
    assert "tea with lemon" in git(told.folder, "show", "stash@{1}:topics/people/ada.md")
    assert "tea with sugar" in git(told.folder, "show", "stash@{0}:topics/people/ada.md")
    for linked in ("linked", "detached"):
        assert git(told.folder.parent / linked, "status", "--porcelain") == ""


def test_commits_without_it_keep_their_ids_and_others_their_author_and_time(told: Leak, git: Git) -> None:
    before = git(told.folder, "log", "--reverse", "--format=%H %an %ae %at %cn %ct").split("\n")
    told.workspace.forget([told.handle])
    after = git(told.folder, "log", "--reverse", "--format=%H %an %ae %at %cn %ct").split("\n")
    assert after[:4] == before[:4]
    assert [line.partition(" ")[2] for line in after[: len(before)]] == [line.partition(" ")[2] for line in before]
    assert not {line[:40] for line in after[4:]} & {line[:40] for line in before}


def test_unrelated_bytes_are_equal(told: Leak) -> None:
    paths = ["topics/people/bob.md", ".gitmem", ".gitattributes"]
    before = {path: (told.folder / path).read_bytes() for path in paths}
    archive = next((told.folder / "sources/gitmem/_v2").iterdir())
    frames = archive.read_bytes()
    start = frames.index(b'\n<a id="' + anchor(SourceId(told.handle)).encode())
    end = frames.index(b'\n<a id="', start + 1)
    told.workspace.forget([told.handle])
    assert {path: (told.folder / path).read_bytes() for path in paths} == before
    assert archive.read_bytes() == frames[:start] + frames[end:]


def test_messages_say_what_the_commits_do_now(told: Leak, git: Git) -> None:
    told.workspace.forget([told.handle])
    log = git(told.folder, "log", "--format=%B")
    assert "memory: no claim changes" in log
    assert "memory: forget 1 source" in log
    for line in log.split("\n"):
        if line.startswith("Derived-From: "):
            assert git(told.folder, "cat-file", "-t", line.removeprefix("Derived-From: ")) == "commit"


def test_it_cannot_come_back(told: Leak) -> None:
    workspace = told.workspace
    workspace.add_turn("chat/t", SECRET, id="m2")
    workspace.forget([told.handle, TURN])
    source = NewSource(content=SECRET, role="user", handle=SourceId(TURN))
    for come_back in (
        lambda: workspace.commit(workspace.request(NoEdit(), [source])),
        lambda: workspace.add_turn("chat/t", SECRET, id="m2"),
    ):
        with pytest.raises(Refused) as caught:
            come_back()
        assert caught.value.code == "FORGOTTEN_SOURCE"
    lines = (told.folder / "sources/forgotten.jsonl").read_text().splitlines()
    assert len(lines) == 2
    assert all(set(json.loads(line)) == {"at", "handle_sha256"} for line in lines)


def test_the_next_export_passes_it_by(told: Leak, tmp_path: Path) -> None:
    export = tmp_path / "talk.jsonl"
    turns = [
        {"id": "m1", "content": "Hello there."},
        {"id": "m2", "content": SECRET},
        {"id": "m3", "content": "Thanks."},
    ]
    export.write_text("".join(json.dumps(turn) + "\n" for turn in turns))
    workspace = told.workspace
    workspace.ingest([export], session="chat/t")
    workspace.forget([told.handle, TURN])
    again = workspace.ingest([export], session="chat/t")
    assert again.new == 0
    assert [error.code for error in again.errors] == ["forgotten-source"]
    assert [(turn.id, turn.parent) for turn in workspace.turns("chat/t").turns] == [("m1", None), ("m3", "m1")]
    assert workspace.turns("chat/t").branch == "main"


def test_a_turn_s_successors_follow_the_turn_before(told: Leak, git: Git) -> None:
    spread(told, git)
    mark = git(told.folder, "for-each-ref", "--format=%(refname)", "refs/gitmem/sessions/")
    told.workspace.forget([TURN])
    turns = told.workspace.turns("chat/t").turns
    assert [(turn.id, turn.parent) for turn in turns] == [("m1", None), ("m3", "m1")]
    assert git(told.folder, "for-each-ref", "--format=%(refname)", "refs/gitmem/sessions/") == mark


def test_marks_move_to_the_new_ids(told: Leak, git: Git) -> None:
    workspace = told.workspace
    workspace.add_turn("chat/t", "I live in Lucerne with my two cats.", id="m1")
    workspace.write(force=True)
    assert workspace.pending_turns() == 0
    workspace.forget([told.handle])
    assert workspace.pending_turns() == 0
    note = git(told.folder, "log", "-1", "--format=%N", "--notes=gitmem/written", "refs/gitmem/sessions/chat/t/main")
    assert git(told.folder, "merge-base", "--is-ancestor", note.split()[1], "HEAD") == ""


def test_a_dry_run_lists_and_changes_nothing(told: Leak, git: Git) -> None:
    spread(told, git)
    before = state(told.folder)
    answer = told.workspace.forget([told.handle], dry_run=True)
    assert state(told.folder) == before
    assert answer.dry_run
    assert [(c.id, c.before, c.after, c.current) for c in answer.claims] == [(told.block, SECRET, None, True)]
    assert answer.archived == 1


def test_shared_claims_wait_for_a_decision(told: Leak) -> None:
    workspace = told.workspace
    _, block = remember(workspace, TOLD)
    workspace.merge_blocks(block, [told.block])
    before = state(told.folder)
    with pytest.raises(InvalidRequest) as caught:
        workspace.forget([told.handle])
    assert caught.value.details == {"block_ids": [block]}
    assert state(told.folder) == before

    answer = workspace.forget([told.handle], keep_shared=True)
    assert [(c.id, c.after) for c in answer.shared] == [(block, TOLD)]
    assert TOLD in (told.folder / "topics/people/ada.md").read_text()
    assert places(told.folder, SECRET, told.handle) == []
    assert workspace.check(all_history=True).findings == ()


def test_shared_claims_can_be_removed_too(told: Leak) -> None:
    workspace = told.workspace
    _, block = remember(workspace, TOLD)
    workspace.merge_blocks(block, [told.block])
    answer = workspace.forget([told.handle], keep_shared=False)
    assert block in {claim.id for claim in answer.shared if claim.after is None}
    assert TOLD not in (told.folder / "topics/people/ada.md").read_text()
    assert workspace.check(all_history=True).findings == ()


def test_a_second_time_the_words_are_not_known_any_more(told: Leak) -> None:
    (told.folder / "note.txt").write_text(SECRET)
    first = told.workspace.forget([told.handle])
    assert (first.ok, first.words_unknown) == (False, 0)
    second = told.workspace.forget([told.handle])
    assert (second.ok, second.words_unknown) == (True, 1)
    assert (told.folder / "note.txt").read_text() == SECRET


def test_a_place_is_named_with_the_way_to_it_and_the_way_out(told: Leak, git: Git) -> None:
    workspace = told.workspace
    remember(workspace, "Ada's sister lives in Chur.", "people/eva.md", quote=f"She says: {SECRET}")
    git(told.folder, "branch", "side")
    (told.folder / "note.txt").write_text(SECRET)
    blob = git(told.folder, "hash-object", "-w", "note.txt")
    git(told.folder, "update-ref", "refs/elsewhere/x", git(told.folder, "commit-tree", "-m", "x", "HEAD^{tree}"))
    loose = git(told.folder, "hash-object", "-w", "--stdin", stdin=f"{SECRET} And more.\n")
    (told.folder / "note.txt").unlink()
    answer = workspace.forget([told.handle], keep_shared=True)
    assert answer.proof is not None
    ways = {trace.where: trace.way_out for trace in answer.proof.traces}
    assert {where.split(" ")[0] for where in ways} == {"blob", "file"}
    (quoted,) = [where for where in ways if where.startswith("blob") and "sources/gitmem" in where]
    assert "in refs/heads/main)" in quoted
    assert "gitmem forget" in ways[quoted]
    for where in (f"blob {blob}", f"blob {loose}"):
        assert where not in ways  # nothing leads to them, and they went


def test_a_quotation_that_is_kept_is_no_proof(told: Leak) -> None:
    remember(told.workspace, f"Bob says: {SECRET}")
    answer = told.workspace.forget([told.handle], keep_shared=True)
    assert not answer.ok
    assert answer.proof is not None
    assert {trace.kind for trace in answer.proof.traces} == {"text"}
    assert any("topics/people/ada.md" in trace.where for trace in answer.proof.traces)


def test_everything_of_a_speaker(told: Leak) -> None:
    workspace = told.workspace
    workspace.add_turn("chat/t", "I grew up in a village near Zug.", id="m1", speaker_id="7", speaker_display="Eve")
    workspace.add_turn("chat/t", "How nice, tell me more about that!", id="m2", role="assistant")
    workspace.add_turn("chat/t", "My sister Klara works as a baker.", id="m3", speaker_id="7", speaker_display="Eve")
    workspace.write(force=True)
    answer = workspace.forget(speaker="7")
    assert answer.ok
    assert answer.sources == ("chat/t/m1", "chat/t/m3")
    assert [turn.id for turn in workspace.turns("chat/t").turns] == ["m2"]
    assert places(told.folder, "village near Zug", "Klara") == []


def test_what_is_nowhere_is_not_found(told: Leak) -> None:
    for wish in ({"sources": ["chat/t/none"]}, {"speaker": "nobody"}):
        with pytest.raises(NotFound) as caught:
            told.workspace.forget(**wish)  # type: ignore[arg-type]
        assert caught.value.code == "SOURCE_NOT_FOUND"
    for wish in ({}, {"sources": ["no handle"]}, {"sources": [told.handle], "speaker": "7"}):
        with pytest.raises(InvalidRequest):
            told.workspace.forget(**wish)  # type: ignore[arg-type]


def test_copies_elsewhere_refuse_it_unless_forced(told: Leak, git: Git) -> None:
    git(told.folder, "remote", "add", "origin", "nowhere")
    before = state(told.folder)
    with pytest.raises(Refused) as caught:
        told.workspace.forget([told.handle])
    assert caught.value.code == "COMMIT_REJECTED"
    assert state(told.folder) == before
    answer = told.workspace.forget([told.handle], force=True)
    assert answer.ok
    assert "origin" in answer.warnings[0]


def test_git_at_work_refuses_it(told: Leak, git: Git) -> None:
    (told.folder / ".git" / "MERGE_HEAD").write_text(git(told.folder, "rev-parse", "HEAD") + "\n")
    with pytest.raises(Conflict) as caught:
        told.workspace.forget([told.handle])
    assert caught.value.code == "REPOSITORY_BUSY"


def test_forgetting_twice_is_forgetting_once(told: Leak, git: Git) -> None:
    told.workspace.forget([told.handle])
    head = git(told.folder, "rev-parse", "HEAD")
    again = told.workspace.forget([told.handle])
    assert again.ok
    assert again.commits == 0
    assert git(told.folder, "rev-parse", "HEAD") == head


def test_a_second_clone_comes_to_the_same_ids_by_the_map(told: Leak, git: Git) -> None:
    server = told.folder.parent / "server.git"
    git(told.folder, "clone", "-q", "--mirror", str(told.folder), str(server))
    git(server, "remote", "remove", "origin")
    answer = told.workspace.forget([told.handle])
    there = reopened(server).forget_by_map(told.folder / ".git/gitmem/forget" / (answer.map or ""))
    assert there.ok
    assert there.differing == 0
    assert git(server, "rev-parse", "main") == git(told.folder, "rev-parse", "main")
    assert SECRET.encode() not in every_object(server)
    assert not any(SECRET.encode() in data for data in every_file(server).values())
    with pytest.raises(InvalidRequest):
        reopened(server).forget_by_map(told.folder / ".gitmem")
