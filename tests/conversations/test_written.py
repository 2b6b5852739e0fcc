"""Marks through whole writes, on the workspace's own store and on a host's (behaviours.md 9.2 to 9.9, 0.3, 0.16)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from gitmem.conversations.model import Mark
from gitmem.errors import Code, InvalidRequest, Refused
from gitmem.format.turn import Turn
from gitmem.ids import Oid, SourceId, WorkspaceId
from gitmem.workspace import Workspace
from gitmem.writer.base import WriterResult
from scribes import Noting
from talking import SESSION, head, marked, say, small, waiting
from workspaces import ME, QUICK

if TYPE_CHECKING:
    from gitmem.writer.base import Batch, Memory, Refusal
    from running import Git


# --- 9.2, 9.3


def test_marks_of_another_workspace_are_ignored(workspace: Workspace, writer: Noting) -> None:  # behaviours.md 9.2
    say(workspace, "m1", "m2")
    tip = Oid(str(workspace.memory().revision))
    own = workspace._workspace_id()
    other = WorkspaceId("w-00000000" if own != "w-00000000" else "w-00000001")
    workspace.conversations.mark([head(workspace)], Mark(other, tip))
    assert (workspace.pending_turns(), waiting(workspace)) == (2, ["m1", "m2"])
    workspace.write(force=True, writer=writer)
    assert len(workspace.conversations.marks(head(workspace))) == 2


def test_marks_of_commits_that_the_memory_left_are_ignored(  # behaviours.md 0.3, 0.16
    workspace: Workspace, writer: Noting, git: Git
) -> None:
    before = git(workspace.repo.path, "rev-parse", "HEAD")
    say(workspace, "m1", "m2")
    workspace.write(force=True, writer=writer)
    after = git(workspace.repo.path, "rev-parse", "HEAD")
    git(workspace.repo.path, "reset", "-q", "--hard", before)
    assert waiting(workspace) == ["m1", "m2"]
    git(workspace.repo.path, "reset", "-q", "--hard", after)
    assert waiting(workspace) == []
    git(workspace.repo.path, "reset", "-q", "--hard", before)
    workspace.write(force=True, writer=writer)
    assert (writer.ids, workspace.pending_turns()) == ([["m1", "m2"], ["m1", "m2"]], 0)


def test_a_mark_of_a_commit_that_never_was_is_ignored(workspace: Workspace) -> None:
    say(workspace, "m1")
    workspace.conversations.mark([head(workspace)], Mark(workspace._workspace_id(), Oid("d" * 40)))
    assert waiting(workspace) == ["m1"]


def test_what_follows_the_newest_mark_is_pending(workspace: Workspace, writer: Noting) -> None:  # behaviours.md 9.3
    say(workspace, "m1", "m2")
    workspace.write(force=True, writer=writer)
    say(workspace, "m3", "m4")
    assert waiting(workspace) == ["m3", "m4"]


def test_a_fork_from_a_marked_turn_is_pending_in_full(workspace: Workspace, writer: Noting) -> None:
    # behaviours.md 9.3
    say(workspace, "m1", "m2", "m3")
    workspace.write(force=True, writer=writer)
    say(workspace, "r2", "r3", parent="m1")
    assert waiting(workspace) == ["r2", "r3"]
    assert waiting(workspace, "m3") == []
    workspace.write(force=True, writer=writer)
    assert writer.ids[1:] == [["r2", "r3"]]


def test_a_fork_from_a_turn_that_waits_is_pending_from_there(workspace: Workspace, writer: Noting) -> None:
    say(workspace, "m1")
    workspace.write(force=True, writer=writer)
    say(workspace, "m2", "m3")
    say(workspace, "r3", parent="m2")
    assert (waiting(workspace), waiting(workspace, "m3")) == (["m2", "r3"], ["m2", "m3"])
    assert workspace.pending_turns() == 3  # behaviours.md 9.7, 12.2: what branches share counts once


# --- 9.4


@pytest.mark.parametrize("role", ["tool", "system"])
def test_machinery_is_kept_and_not_written(workspace: Workspace, writer: Noting, role: str) -> None:
    # behaviours.md 9.4
    say(workspace, "m1")
    say(workspace, "t1", role=role)
    say(workspace, "e1", display="runtime")
    say(workspace, "e2", source="job_followup")
    say(workspace, "e3", source="merge_turn")
    workspace.add_turn(SESSION, " \n\t", id="e4")
    say(workspace, "m2", role="assistant")
    assert waiting(workspace) == ["m1", "m2"]
    workspace.write(force=True, writer=writer)
    assert writer.ids == [["m1", "m2"]]
    archived = [workspace.memory().facts.source(SourceId(f"{SESSION}/{name}")) for name in ("m1", "m2", "t1", "e1")]
    assert [found is not None for found in archived] == [True, True, False, False]
    assert len(workspace.turns(SESSION).turns) == 7
    assert workspace.pending_turns() == 0


def test_a_turn_without_an_id_is_refused(workspace: Workspace) -> None:  # behaviours.md 9.4
    with pytest.raises(InvalidRequest), workspace.conversations.batch() as batch:
        batch.add(Turn("chat", "today", "", None, "user", "hello"), None)
    assert workspace.conversations.sessions() == ()


# --- 9.5, 9.6


class Failing(Noting):
    """Does what a writer should not."""

    def __init__(self, how: str) -> None:
        super().__init__()
        self.how = how

    def distill(self, batch: Batch, memory: Memory, refusal: Refusal | None = None) -> WriterResult:
        self.shown.append(batch.turns)
        if self.how == "raises":
            raise Refused(Code.WRITER_PRECONDITION_FAILED, "not today")
        if self.how == "breaks":
            raise ZeroDivisionError
        if self.how == "unchanged":
            return WriterResult()
        stranger = replace(batch, turns=tuple(replace(turn, handle=SourceId("chat/other/x")) for turn in batch.turns))
        return Noting().distill(stranger, memory, refusal)


@pytest.mark.parametrize("how", ["raises", "breaks", "unchanged", "rejected"])
def test_a_batch_that_fails_marks_and_archives_nothing(  # behaviours.md 9.5, 0.16
    workspace: Workspace, writer: Noting, how: str
) -> None:
    say(workspace, "m1", "m2")
    revision = workspace.memory().revision
    answer = workspace.write(force=True, writer=Failing(how))
    assert (answer.ok, answer.pending_turns, workspace.memory().revision) == (False, 2, revision)
    assert (marked(workspace), waiting(workspace)) == ([], ["m1", "m2"])
    assert workspace.memory().facts.source(SourceId(f"{SESSION}/m1")) is None
    assert workspace.write(force=True, writer=writer).pending_turns == 0
    assert writer.ids == [["m1", "m2"]]


def test_what_holds_nothing_worth_recording_is_archived_and_marked(workspace: Workspace) -> None:  # behaviours.md 0.16
    say(workspace, "m1")
    assert workspace.write(force=True, writer=Noting(prose=lambda _turn: None)).pending_turns == 0
    assert marked(workspace) == ["m1"]
    assert workspace.memory().facts.source(SourceId(f"{SESSION}/m1")) is not None


def test_a_crash_between_commit_and_mark_repeats_no_call(  # behaviours.md 0.16
    workspace: Workspace, writer: Noting, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(workspace, "m1", "m2")
    with monkeypatch.context() as patch:
        patch.setattr(type(workspace.conversations), "mark", _die)
        with pytest.raises(KeyboardInterrupt):
            workspace.write(force=True, writer=writer)
    assert marked(workspace) == []
    assert (workspace.pending_turns(), waiting(workspace)) == (0, [])
    workspace.write(force=True, writer=writer)
    assert writer.ids == [["m1", "m2"]]
    say(workspace, "m3")
    workspace.write(force=True, writer=writer)
    assert writer.ids == [["m1", "m2"], ["m3"]]


def _die(*_: object) -> None:
    raise KeyboardInterrupt


def test_one_pass_marks_the_batch_that_it_selected(workspace: Workspace, writer: Noting) -> None:  # behaviours.md 9.6
    workspace = small(workspace)
    say(workspace, *(f"m{n}" for n in range(1, 8)))
    workspace.write(writer=writer)
    (first,) = writer.ids
    assert first == [f"m{n}" for n in range(1, len(first) + 1)]
    assert len(first) < 7
    assert marked(workspace) == first
    assert waiting(workspace) == [f"m{n}" for n in range(len(first) + 1, 8)]


# --- 9.7, 9.8


def test_a_shared_prefix_is_written_once(workspace: Workspace, writer: Noting) -> None:  # behaviours.md 9.7
    say(workspace, "m1", "m2", "m3")
    say(workspace, "r3", parent="m2")
    workspace.write(force=True, all_branches=True, writer=writer)
    assert writer.ids == [["m1", "m2", "r3"], ["m3"]]
    assert sorted(marked(workspace)) == ["m1", "m2", "m3", "r3"]


def test_the_head_that_was_chosen_comes_first_and_in_full(workspace: Workspace, writer: Noting) -> None:
    # behaviours.md 9.8
    workspace = small(workspace)
    say(workspace, "m1", "m2")
    say(workspace, "r2", parent="m1")
    say(workspace, "s2", "s3", "s4", "s5", parent="m1")
    workspace.choose_head(SESSION, "m2")
    workspace.write(force=True, writer=writer)
    assert writer.ids[0] == ["m1", "m2"]
    assert [name for batch in writer.ids[1:] for name in batch][:3] == ["s2", "s3", "s4"]
    assert waiting(workspace, "r2") == ["r2"]  # short and abandoned
    assert workspace.write(force=True, all_branches=True, writer=writer).pending_turns == 0


def test_an_archived_branch_is_not_written_until_it_is_live_again(workspace: Workspace, writer: Noting) -> None:
    say(workspace, "m1", "m2")
    say(workspace, "r2", parent="m1")
    workspace.archive_branch(SESSION, "m2")
    assert workspace.write(force=True, all_branches=True, writer=writer).pending_turns == 0
    assert writer.ids == [["m1", "r2"]]
    workspace.choose_head(SESSION, "m2")
    assert (workspace.pending_turns(), waiting(workspace)) == (1, ["m2"])
    workspace.write(force=True, writer=writer)
    assert writer.ids == [["m1", "r2"], ["m2"]]


# --- 9.9


class Interrupting(Noting):
    """Somebody goes on talking while the writer thinks."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self.workspace = workspace

    def distill(self, batch: Batch, memory: Memory, refusal: Refusal | None = None) -> WriterResult:
        if not self.shown:
            say(self.workspace, "m3")
            say(self.workspace, "r2", parent="m1")
        return super().distill(batch, memory, refusal)


def test_what_is_said_while_a_batch_is_written_survives_and_waits(workspace: Workspace) -> None:  # behaviours.md 9.9
    say(workspace, "m1", "m2")
    other = Workspace.open(workspace.repo.path, ME, QUICK, conversations=workspace.hosted)
    writer = Interrupting(other)
    workspace.write(["chat/today"], force=True, writer=writer)
    assert writer.ids[0] == ["m1", "m2"]
    assert waiting(workspace) == ["r2"]
    assert waiting(workspace, "m3") == ["m3"]
    workspace.write(force=True, all_branches=True, writer=writer)
    assert writer.ids[1:] == [["r2"], ["m3"]]


def test_marking_leaves_turns_and_branches_as_they_are(workspace: Workspace, writer: Noting) -> None:
    # behaviours.md 9.9
    say(workspace, "m1", "m2")
    before = workspace.conversations.sessions()
    turns = [workspace.conversations.turn(node) for node in workspace.conversations.lineage(head(workspace))]
    workspace.write(force=True, writer=writer)
    assert workspace.conversations.sessions() == before
    assert turns == [workspace.conversations.turn(node) for node in workspace.conversations.lineage(head(workspace))]
