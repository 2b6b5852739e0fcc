"""How much is written of a conversation depends neither on the pieces in which it comes nor on interruptions."""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.ids import SourceId, TopicPath
from gitmem.request import CreateRecord, Destination, RecordsEdit, SourceRef
from gitmem.workspace import Workspace
from gitmem.writer.base import WriterResult, Written
from gitmem.writer.earlier import written_of
from gitmem.writer.limits import allowance
from workspaces import ME, QUICK, make

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.writer.base import Batch, Memory, Refusal

NOTES = Destination(TopicPath("topics/notes.md"), ("Notes",))
TURNS = 130
SAID = [f"Fact number {number} is told at some length." for number in range(TURNS)]


@dataclass
class Greedy:
    """Writes every turn down, as long as it may."""

    name: str = "greedy"
    signature: str = "greedy"
    repairs: bool = False

    def distill(self, batch: Batch, memory: Memory, refusal: Refusal | None = None) -> WriterResult:  # noqa: ARG002
        chosen = batch.turns[: allowance(batch).blocks]
        if not chosen:
            return WriterResult(nothing_to_record=True)
        made = (CreateRecord(turn.content, None, (SourceRef(turn.handle, "said"),), NOTES) for turn in chosen)
        return WriterResult(RecordsEdit(tuple(replace(one, time="2024") for one in made)))


class Killed(BaseException):
    """What ends a run in the middle."""


def memory(folder: Path) -> Workspace:
    make(folder).close()
    return Workspace.open(folder, ME, replace(QUICK, writer_trigger_tokens=100))


def tell(workspace: Workspace, upto: int, session: str = "talk") -> None:
    file = workspace.repo.path.parent / f"{session}.jsonl"
    lines = ({"id": f"m{n}", "content": SAID[n]} for n in range(upto))
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    workspace.ingest([file])


def write(workspace: Workspace, batches: int) -> None:
    """Write everything, in a run that dies after some batches and is then gone on with."""
    left = batches

    def die(_batch: object) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            raise Killed

    try:
        workspace.write(force=True, writer=Greedy(), on_batch=die)
    except Killed:
        assert workspace.write(force=True, writer=Greedy()).ok


def blocks_of(pieces: Sequence[tuple[int, int]]) -> int:
    """How many blocks stand after the talk came in up to these turns, in turn, each run dying after so many batches."""
    with tempfile.TemporaryDirectory() as folder, memory(Path(folder) / "w") as workspace:
        for upto, batches in (*pieces, (TURNS, 0)):
            tell(workspace, upto)
            write(workspace, batches)
        assert workspace.pending_turns() == 0
        return len(workspace.memory().facts.of_topic(NOTES.topic_path))


@settings(max_examples=6)
@given(st.lists(st.tuples(st.integers(1, TURNS), st.integers(0, 3)), max_size=6).map(sorted))
def test_the_share_is_that_of_one_run(pieces: list[tuple[int, int]]) -> None:
    assert blocks_of(pieces) <= int(0.35 * TURNS)


def test_pieces_come_to_as_much_as_one_run() -> None:
    once = blocks_of([])
    assert once == int(0.35 * TURNS)
    assert blocks_of([(turns, 1) for turns in range(14, TURNS, 14)]) == once


def test_other_conversations_do_not_count(tmp_path: Path) -> None:
    with memory(tmp_path / "w") as workspace:
        tell(workspace, TURNS)
        write(workspace, 0)
        tell(workspace, 15, "another")
        answer = workspace.write(force=True, writer=Greedy())
    assert len(answer.claims.added) == 15


def test_a_side_branch_is_counted_after_what_it_shares(tmp_path: Path) -> None:
    with memory(tmp_path / "w") as workspace:
        tell(workspace, 100)
        write(workspace, 0)
        for number in range(20):
            parent = "m49" if number == 0 else f"side{number - 1}"
            workspace.add_turn("import/talk", f"Another fact {number}.", id=f"side{number}", parent=parent)
        answer = workspace.write(force=True, all_branches=True, writer=Greedy())
        assert sum(batch.turns for batch in answer.batches) == 20
        # 50 shared turns with 20 + 0.15 * 50 blocks at most, and 20 of its own
        assert len(answer.claims.added) <= int(20 + 0.15 * 70)


@pytest.mark.parametrize("promoted", [False, True])
def test_what_stands_of_messages_is_counted(tmp_path: Path, *, promoted: bool) -> None:
    with memory(tmp_path / "w") as workspace:
        workspace.add_turn("chat/room", "Ada likes tea.", id="m0")
        workspace.add_turn("chat/room", "Mum's the word.", id="m1", speaker_id="7", pending=True)
        workspace.write(force=True, writer=Greedy())
        if promoted:
            workspace.promote(["chat/room/m1"], writer=Greedy())
        workspace.remember("Ada drinks tea.", "notes.md", time="2024", source="chat/room/m0")
        handles = [SourceId(f"chat/room/m{number}") for number in (0, 1, 2)]
        found = written_of(handles, workspace.memory().facts)
    likes, drinks, word = (len(text) for text in ("Ada likes tea.", "Ada drinks tea.", "Mum's the word."))
    if promoted:
        assert found == Written(2, likes + word, 3, likes + drinks + word)
    else:
        assert found == Written(1, likes, 2, likes + drinks)
