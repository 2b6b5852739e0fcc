"""Folding conversations: what is due, what is archived, marked and refused (behaviours.md 0.16, parts 9 and 10)."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import pytest

from gitmem.errors import Code, InvalidRequest, NotFound
from gitmem.format.model import TrustState
from gitmem.ids import SourceId, TopicPath
from gitmem.request import CreateRecord, Destination, RecordsEdit, SourceRef
from gitmem.workspace import Workspace
from gitmem.writer.base import WriterResult
from workspaces import ME, QUICK, make, state

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from gitmem.writer.base import Batch, Memory, Refusal

SESSION = "import/talk"
TOPIC = TopicPath("topics/notes.md")


@dataclass
class Scribe:
    """A writer that notes every turn it is shown in one file, and remembers what it was shown."""

    name: str = "scribe"
    signature: str = "scribe"
    repairs: bool = False
    shown: list[tuple[str, ...]] = field(default_factory=list)
    make: Callable[[Batch], WriterResult] | None = None

    def distill(self, batch: Batch, memory: Memory, refusal: Refusal | None = None) -> WriterResult:  # noqa: ARG002
        self.shown.append(tuple(turn.content for turn in batch.turns))
        if self.make is not None:
            return self.make(batch)
        place = Destination(TOPIC, ("Notes",))
        operations = tuple(
            CreateRecord(turn.content, "2024-03-15", (SourceRef(turn.handle, "said"),), place) for turn in batch.turns
        )
        return WriterResult(RecordsEdit(operations))


@pytest.fixture
def scribe(monkeypatch: pytest.MonkeyPatch) -> Scribe:
    made = Scribe()
    monkeypatch.setattr("gitmem.writer.embedded.EmbeddedWriter", lambda: made)
    return made


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return make(tmp_path / "w")


def talk(workspace: Workspace, *lines: dict[str, object]) -> None:
    """Ingest a conversation ``import/talk``; a line is a turn, its parent the line before unless it says so."""
    file = workspace.repo.path.parent / "talk.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert workspace.ingest([file]).errors == ()


def said(content: str, message: str, role: str = "user", **more: object) -> dict[str, object]:
    return {"content": content, "id": message, "role": role, "timestamp": "2024-03-15T10:00:00+00:00", **more}


HELLO = (said("Ada likes tea.", "m1"), said("Noted, tea it is.", "m2", "assistant"), said("Bob likes coffee.", "m3"))


def test_a_conversation_is_archived_written_and_marked_in_one_go(workspace: Workspace, scribe: Scribe) -> None:
    talk(workspace, *HELLO)
    assert workspace.pending_turns() == 3
    answer = workspace.write(force=True)
    assert (answer.ok, answer.writer, answer.dry_run, answer.pending_turns) == (True, "scribe", False, 0)
    (batch,) = answer.batches
    assert (batch.session, batch.branch, batch.turns, batch.revision) == (SESSION, "main", 3, answer.revision)
    assert batch.source_ids == tuple(f"{SESSION}/m{n}" for n in (1, 2, 3))
    assert [block.content for block in answer.claims.added] == [line["content"] for line in HELLO]
    assert scribe.shown == [tuple(line["content"] for line in HELLO)]
    transaction = workspace.log().transactions[0]
    assert (transaction.writer, transaction.author.name) == ("background", "gitmem scribe writer")
    assert workspace.write(force=True).batches == ()


def test_tool_turns_are_kept_and_never_written(workspace: Workspace, scribe: Scribe) -> None:  # behaviours.md 9.4
    talk(workspace, said("Ada likes tea.", "m1"), said("42", "m2", "tool"), said("Fine.", "m3", display="runtime"))
    workspace.write(force=True)
    assert scribe.shown == [("Ada likes tea.",)]
    assert workspace.pending_turns() == 0


def test_turns_that_nobody_vouches_for_are_archived_and_not_shown(  # behaviours.md 8.18
    workspace: Workspace, scribe: Scribe
) -> None:
    talk(
        workspace,
        said("I am Ada.", "m1", speaker_id="7391", speaker_display="Ada"),
        said("I am Bob.", "m2", speaker_id="9000", speaker_display="Bob"),
    )
    answer = workspace.write(force=True)
    assert answer.ok
    assert scribe.shown == []
    record = workspace.memory().facts.source(SourceId(f"{SESSION}/m1"))
    assert record is not None
    assert record.metadata is not None
    assert record.metadata.trust_state is TrustState.PENDING
    assert workspace.pending_turns() == 0


def small_batches(workspace: Workspace) -> Workspace:
    config = replace(QUICK, writer_trigger_tokens=6)
    return Workspace.open(workspace.repo.path, ME, config)


def test_without_force_only_a_batch_that_reaches_the_threshold_is_written(workspace: Workspace, scribe: Scribe) -> None:
    talk(workspace, *(said(f"Fact number {n} is here.", f"m{n}", timestamp=None) for n in range(4)))
    assert workspace.write().batches == ()  # behaviours.md 10.2
    small = small_batches(workspace)
    assert [batch.turns for batch in small.write().batches] == [1]  # behaviours.md 9.6
    assert workspace.pending_turns() == 3
    assert [batch.turns for batch in small.write(force=True).batches] == [1, 1, 1]  # behaviours.md 10.3
    assert [len(shown) for shown in scribe.shown] == [1, 1, 1, 1]


BRANCHED = (
    said("The shared beginning.", "m1"),
    said("The main line goes on.", "m2"),
    {**said("An abandoned answer.", "m3"), "parent": "m1"},
    {**said("The main line ends.", "m4"), "parent": "m2"},
)


def test_a_short_side_branch_waits_until_all_branches_are_asked_for(  # behaviours.md 9.8, 0.18
    workspace: Workspace, scribe: Scribe
) -> None:
    talk(workspace, *BRANCHED)
    workspace.write(force=True)
    assert scribe.shown == [("The shared beginning.", "The main line goes on.", "The main line ends.")]
    assert workspace.pending_turns() == 1
    workspace.write(force=True, all_branches=True)
    assert scribe.shown[1:] == [("An abandoned answer.",)]  # behaviours.md 9.7: the shared prefix only once
    assert workspace.pending_turns() == 0


def test_a_writer_may_say_that_there_is_nothing_to_record(  # behaviours.md 0.16
    workspace: Workspace, scribe: Scribe
) -> None:
    scribe.make = lambda _batch: WriterResult(nothing_to_record=True)
    talk(workspace, *HELLO)
    answer = workspace.write(force=True)
    assert (answer.ok, answer.claims.added, answer.pending_turns) == (True, (), 0)
    assert workspace.memory().facts.source(SourceId(f"{SESSION}/m1")) is not None


def test_changing_nothing_without_saying_so_is_no_progress(  # behaviours.md 10.4
    workspace: Workspace, scribe: Scribe
) -> None:
    scribe.make = lambda _batch: WriterResult()
    talk(workspace, *HELLO)
    held = state(workspace.repo.path)
    answer = workspace.write(force=True)
    assert answer.failure is not None
    assert (answer.ok, answer.failure.reason_code, answer.failure.retryable) == (False, Code.WRITER_NO_PROGRESS, False)
    assert answer.pending_turns == 3
    assert state(workspace.repo.path) == held


def test_a_refused_batch_archives_and_marks_nothing(workspace: Workspace, scribe: Scribe) -> None:  # behaviours.md 9.5
    place = Destination(TOPIC, ("Notes",))
    foreign = CreateRecord("A claim.", "2024", (SourceRef("chat/else/m9", "said"),), place)
    scribe.make = lambda _batch: WriterResult(RecordsEdit((foreign,)))
    talk(workspace, *HELLO)
    held = state(workspace.repo.path)
    answer = workspace.write(force=True)
    assert answer.failure is not None
    assert answer.failure.reason_code == Code.MISSING_SOURCE
    assert workspace.pending_turns() == 3
    assert state(workspace.repo.path) == held


@pytest.mark.usefixtures("scribe")
def test_what_a_write_marked_is_not_looked_at_again_to_count_what_waits(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk(workspace, *HELLO)
    asked: list[str] = []
    whole = Workspace._written_by_a_writer

    def ask(self: Workspace, handle: SourceId) -> bool:
        asked.append(handle)
        return whole(self, handle)

    monkeypatch.setattr(Workspace, "_written_by_a_writer", ask)
    monkeypatch.setattr("gitmem.writer.write.claims_answer", lambda *_: asked.clear())
    assert workspace.write(force=True).pending_turns == 0
    assert asked == []


def test_a_crash_before_the_marks_repeats_no_writing(  # behaviours.md 0.16
    workspace: Workspace, scribe: Scribe, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk(workspace, *HELLO)

    def crash(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("gitmem.conversations.git.GitConversations.mark", crash)
        with pytest.raises(KeyboardInterrupt):
            workspace.write(force=True)
    again = Workspace.open(workspace.repo.path, ME, QUICK)
    assert again.pending_turns() == 0
    assert again.write(force=True).batches == ()
    assert len(scribe.shown) == 1


def test_a_mark_counts_only_while_its_commit_is_in_the_history(workspace: Workspace, scribe: Scribe) -> None:
    talk(workspace, *HELLO)
    before = workspace.repo.git.head.target
    workspace.write(force=True)
    workspace.repo.git.reset(before, 3)  # hard: somebody takes the write back for good
    again = Workspace.open(workspace.repo.path, ME, QUICK)
    assert again.pending_turns() == 3
    assert again.write(force=True).ok
    assert len(scribe.shown) == 2


def test_a_dry_run_shows_the_claims_and_writes_nothing(workspace: Workspace, scribe: Scribe) -> None:
    talk(workspace, *(said(f"Fact number {n} is here.", f"m{n}") for n in range(3)))
    held = state(workspace.repo.path)
    answer = small_batches(workspace).write(force=True, dry_run=True)
    assert (answer.ok, answer.dry_run, len(answer.batches), answer.pending_turns) == (True, True, 3, 3)
    assert [block.content for block in answer.claims.added] == [f"Fact number {n} is here." for n in range(3)]
    assert all(batch.revision is None for batch in answer.batches)
    assert state(workspace.repo.path) == held
    assert scribe.shown


def test_a_later_turn_is_written_alone(workspace: Workspace, scribe: Scribe) -> None:  # behaviours.md 9.3
    talk(workspace, *HELLO)
    workspace.write(force=True)
    talk(workspace, *HELLO, said("Cy likes water.", "m4"))
    workspace.write(force=True)
    assert scribe.shown[1:] == [("Cy likes water.",)]


def test_what_is_not_there_is_said(workspace: Workspace) -> None:
    with pytest.raises(NotFound) as missing:
        workspace.write(["import/none"])
    assert missing.value.code is Code.SOURCE_NOT_FOUND
    with pytest.raises(InvalidRequest):
        workspace.write(["nonsense"])
    with pytest.raises(InvalidRequest):
        workspace.write(writer="nobody")
