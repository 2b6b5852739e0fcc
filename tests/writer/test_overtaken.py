"""Two processes write one conversation at the same time: nothing is written twice (`behaviours.md` 0.16)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pytest

from chats import Notetaker, noted, say
from gitmem.ids import TopicPath
from gitmem.request import FilesEdit, FileWrite
from gitmem.writer.base import WriterResult
from workspaces import QUICK, make, reopened

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.workspace import Workspace
    from gitmem.writer.base import Batch

CHAT = "team/chat"


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return make(tmp_path / "w")


@dataclass
class Slow(Notetaker):
    """A writer during whose first call another process writes the same conversation; ``repairs`` as models do."""

    other: Workspace | None = None
    asked: int = 0

    def meanwhile(self, batch: Batch) -> WriterResult:
        self.asked += 1
        if self.asked == 1 and self.other is not None:
            assert self.other.boundary(CHAT, writer=Notetaker()) is None
        return in_another_file(batch) if self.repairs else noted(batch)


def in_another_file(batch: Batch) -> WriterResult:
    """A result that touches no file which the other process writes."""
    (turn,) = batch.turns
    text = f"# Else\n\n{turn.content}[^e1]\n\n[^e1]: Time: `2024-08-10`; Sources: [said]({turn.handle})\n"
    return WriterResult(FilesEdit((FileWrite(TopicPath("topics/else.md"), text),)))


def slow(workspace: Workspace, *, repairs: bool = False) -> Slow:
    writer = Slow(repairs=repairs, other=reopened(workspace.repo.path))
    writer.answer = writer.meanwhile
    return writer


@pytest.mark.parametrize("repairs", [False, True])
def test_turns_that_another_process_wrote_meanwhile_are_not_written_again(
    workspace: Workspace, *, repairs: bool
) -> None:
    say(workspace, CHAT, "Ada likes tea.")
    writer = slow(workspace, repairs=repairs)
    assert workspace.boundary(CHAT, writer=writer) is None
    assert writer.asked == 1
    topics = workspace.repo.path / "topics"
    assert "".join(path.read_text() for path in topics.rglob("*.md")).count("Ada likes tea.") == 1
    assert workspace.pending_turns() == 0
    assert workspace.boundary(CHAT, writer=writer) is None
    assert writer.asked == 1


def test_the_other_conversations_of_the_run_are_written(workspace: Workspace) -> None:
    say(workspace, CHAT, "Ada likes tea.")
    say(workspace, "team/other", "Bob likes coffee.")
    writer = slow(workspace)
    answer = workspace.write(force=True, writer=writer)
    assert (answer.ok, [batch.session for batch in answer.batches]) == (True, ["team/other"])
    assert writer.shown == [("Ada likes tea.",), ("Bob likes coffee.",)]


def test_a_conversation_of_which_a_part_was_written_is_offered_again(workspace: Workspace) -> None:
    say(workspace, CHAT, "Ada likes tea very much.", "Bob likes coffee.")
    writer = slow(workspace)
    assert writer.other is not None
    writer.other.config = replace(QUICK, writer_trigger_tokens=1)
    first = writer.other.after_turn
    writer.other.boundary = lambda _session, writer: first(CHAT, writer=writer)  # type: ignore[method-assign, assignment]
    failed = workspace.boundary(CHAT, writer=writer)
    assert failed is not None
    assert (failed.reason_code, failed.retryable) == ("CONCURRENT_UPDATE", True)
    assert workspace.pending_turns() == 1
    assert workspace.boundary(CHAT, writer=Notetaker()) is None
    text = (workspace.repo.path / "topics/notes.md").read_text()
    assert (text.count("Ada likes tea"), text.count("Bob likes coffee")) == (1, 1)
