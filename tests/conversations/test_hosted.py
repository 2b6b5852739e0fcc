"""A host keeps conversations in a store of its own, and everything else is as with git (behaviours.md part 9)."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

from talking import SESSION, hosted, marked, say, waiting
from workspaces import make

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.workspace import Workspace
    from running import Git
    from scribes import Noting


def test_turns_become_topics_once(workspace: Workspace, writer: Noting) -> None:
    say(workspace, "m1", "m2")
    say(workspace, "t1", role="tool")
    assert (workspace.pending_turns(), workspace.status().writer.pending_turns) == (2, 2)
    answer = workspace.write(force=True, writer=writer)
    assert (answer.ok, answer.pending_turns, writer.ids) == (True, 0, [["m1", "m2"]])
    assert workspace.why(text="Noted m2.").results[0].evidence[0].sources[0].text == "this is m2"
    assert marked(workspace) == ["m1", "m2", "t1"]
    again = workspace.write(force=True, writer=writer)
    assert (again.batches, again.revision, writer.ids) == ((), answer.revision, [["m1", "m2"]])
    say(workspace, "m3")
    assert waiting(workspace) == ["m3"]
    assert workspace.write(force=True, writer=writer).ok
    assert writer.ids == [["m1", "m2"], ["m3"]]


def test_the_embedded_writer_writes_what_a_host_keeps(workspace: Workspace) -> None:
    workspace.add_turn(SESSION, "I moved to Basel in March 2024.", timestamp="2024-04-02T10:00:00+00:00")
    answer = workspace.write(force=True)
    assert (answer.ok, len(answer.claims.added), answer.pending_turns) == (True, 1, 0)


def test_an_export_is_read_into_whichever_store_there_is(workspace: Workspace, writer: Noting, tmp_path: Path) -> None:
    lines = [{"id": name, "content": name, "provider": "chat", "thread": "today"} for name in ("m1", "m2")]
    file = tmp_path / "talk.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert workspace.ingest([file]).new == 2
    assert workspace.ingest([file]).new == 0
    assert [session.session for session in workspace.turn_sessions().sessions] == [SESSION]
    assert workspace.write(force=True, writer=writer).pending_turns == 0


def test_a_hosts_store_leaves_nothing_of_conversations_in_git(tmp_path: Path, writer: Noting, git: Git) -> None:
    make(tmp_path / "w").close()
    workspace = hosted(tmp_path)
    say(workspace, "m1")
    workspace.write(force=True, writer=writer)
    refs = git(tmp_path / "w", "for-each-ref", "--format=%(refname)").split("\n")
    assert [ref for ref in refs if "sessions" in ref or "notes" in ref] == []
    workspace.close()
    assert hosted(tmp_path).pending_turns() == 0  # the store that the host passed stays open, and what it kept is kept


_FELLOW = """
import sys
from pathlib import Path
from gitmem.conversations.adding import NewTurn, add_turn
from gitmem.conversations.authority import owner_authority
from gitmem.conversations.model import SessionId
from gitmem.testing.sqlite_conversations import SqliteConversations

store = SqliteConversations(Path(sys.argv[1]))
for name in sys.argv[2:]:
    add_turn(store, SessionId("chat", "today"), NewTurn(f"this is {name}", id=name), owner_authority())
"""


def test_several_processes_add_to_one_hosted_conversation(tmp_path: Path, writer: Noting) -> None:
    make(tmp_path / "w").close()
    workspace = hosted(tmp_path)
    command = [sys.executable, "-c", _FELLOW, str(tmp_path / "talk.sqlite")]
    fellows = [subprocess.Popen([*command, *(f"{who}{n}" for n in range(5))]) for who in "ab"]
    assert [fellow.wait(60) for fellow in fellows] == [0, 0]
    assert workspace.write(force=True, all_branches=True, writer=writer).pending_turns == 0
    assert sorted(name for batch in writer.ids for name in batch) == [f"{who}{n}" for who in "ab" for n in range(5)]
