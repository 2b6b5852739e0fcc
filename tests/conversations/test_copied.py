"""Whose marks count when workspaces begin, are copied or damaged (behaviours.md 9.1, 9.11, 0.3)."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from gitmem.errors import Code, Conflict
from gitmem.workspace import Workspace
from talking import head, marked, say, waiting
from workspaces import ME, QUICK, make

if TYPE_CHECKING:
    from pathlib import Path

    from running import Git
    from scribes import Noting


_CREATE = """
import os, sys
from pathlib import Path
from gitmem.config import Config
from gitmem.request import Person
from gitmem.workspace import Caller, Workspace

folder, start = Path(sys.argv[1]), os.pipe()
children = []
for _ in range(8):
    answer = os.pipe()
    if os.fork() == 0:
        try:
            os.close(start[1])
            os.read(start[0], 1)
            made = Workspace.create(folder, Caller(Person("Test", "test@example.invalid")), Config(fsync=False))
            os.write(answer[1], f"{made.workspace_id} {made.created}".encode())
        except BaseException as error:
            os.write(answer[1], f"failed {error!r}".encode())
        os._exit(0)
    os.close(answer[1])
    children.append(answer[0])
os.close(start[1])
for child in children:
    os.wait()
print("\\n".join(os.read(child, 100).decode() for child in children))
"""


def test_a_workspace_has_one_id_however_many_begin_it(tmp_path: Path) -> None:  # behaviours.md 9.1
    done = subprocess.run(
        [sys.executable, "-c", _CREATE, str(tmp_path / "w")], capture_output=True, text=True, check=True
    )
    found = [line.split(" ") for line in done.stdout.split("\n") if line]
    assert len(found) == 8
    assert len({name for name, _ in found}) == 1
    assert re.fullmatch("w-[0-9a-f]{8}", found[0][0])
    assert [created for _, created in found].count("True") == 1


# --- 9.11


def test_what_cannot_be_read_of_the_runtime_state_counts_as_nothing(  # behaviours.md 9.11
    tmp_path: Path, writer: Noting, git: Git
) -> None:
    workspace = make(tmp_path / "w")
    say(workspace, "m1", "m2")
    folder = tmp_path / "w" / ".git" / "gitmem"
    workspace.close()
    for name in ("status.json", "turns.sqlite", "index.sqlite"):
        (folder / name).write_bytes(b"{nonsense\0")
    git(tmp_path / "w", "notes", "--ref", "gitmem/written", "add", "-m", "w-nonsense x\n\xff", head(workspace))
    again = Workspace.open(tmp_path / "w", ME, QUICK)
    status = again.status().writer
    assert (status.last_outcome, status.last_success_at, status.last_failure) == (None, None, None)
    assert status.pending_turns == 2
    assert again.write(force=True, writer=writer).pending_turns == 0


# --- copied conversations


def test_a_conversation_that_git_brought_from_elsewhere_is_pending_from_its_start(
    tmp_path: Path, writer: Noting, git: Git
) -> None:
    there = make(tmp_path / "there")
    say(there, "m1", "m2")
    there.write(force=True, writer=writer)
    Workspace.create(tmp_path / "here", ME, QUICK)  # what `make` copies would have the id of the other
    here = Workspace.open(tmp_path / "here", ME, QUICK)
    for refs in ("refs/gitmem/sessions/*:refs/gitmem/sessions/*", "refs/notes/gitmem/*:refs/notes/gitmem/*"):
        git(tmp_path / "here", "fetch", "-q", str(tmp_path / "there"), refs)
    assert (waiting(here), there.pending_turns()) == (["m1", "m2"], 0)
    assert here.write(force=True, writer=writer).pending_turns == 0
    assert writer.ids == [["m1", "m2"], ["m1", "m2"]]
    (mark, other) = here.conversations.marks(head(here))
    assert {mark.workspace, other.workspace} == {here._workspace_id(), there._workspace_id()}


def test_a_copy_of_the_whole_workspace_has_its_marks(workspace: Workspace, writer: Noting, tmp_path: Path) -> None:
    say(workspace, "m1")
    workspace.write(force=True, writer=writer)
    subprocess.run(["cp", "-r", str(tmp_path / "w"), str(tmp_path / "copy")], check=True)
    copy = Workspace.open(tmp_path / "copy", ME, QUICK, conversations=workspace.hosted)
    assert copy.pending_turns() == 0
    say(copy, "m2")
    assert waiting(copy) == ["m2"]


def test_a_lock_that_somebody_holds_marks_nothing(workspace: Workspace, writer: Noting) -> None:
    # behaviours.md 10.5
    say(workspace, "m1")

    def busy(*_: object) -> None:
        raise Conflict(Code.CONCURRENT_UPDATE, "busy")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gitmem.writer.desks.commit", busy)
        answer = workspace.write(force=True, writer=writer)
    assert answer.failure is not None
    assert (answer.failure.reason_code, answer.failure.retryable) == ("CONCURRENT_UPDATE", True)
    assert (marked(workspace), waiting(workspace)) == ([], ["m1"])
