"""The facade's history: what it takes, and under whose name it writes (cli.md, "History")."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gitmem.authority import IN_PERSON
from gitmem.errors import Code, InvalidRequest, NotFound
from gitmem.request import Person, Surface
from gitmem.workspace import Caller, Workspace
from stories import claim, revision
from workspaces import QUICK

if TYPE_CHECKING:
    from collections.abc import Mapping


@pytest.mark.parametrize("arguments", [{}, {"block": "a", "text": "b"}])
def test_why_takes_a_block_or_a_text(workspace: Workspace, arguments: Mapping[str, str]) -> None:
    with pytest.raises(InvalidRequest) as caught:
        workspace.why(**arguments)
    assert caught.value.code is Code.INVALID_ARGUMENT


def test_an_origin_is_a_commit_in_short(workspace: Workspace) -> None:
    claim(workspace, "Ada lives in Basel.")
    found = workspace.origin(revision(workspace))
    assert found is not None
    assert (found.revision, found.author, found.writer) == (revision(workspace), "Test", "cli")
    assert found.subject == "memory: Ada lives in Basel."
    with pytest.raises(NotFound):
        workspace.origin("nope")


def test_going_back_is_told_as_such_whoever_calls(workspace: Workspace) -> None:
    claim(workspace, "Ada lives in Basel.")
    caller = Caller(Person("Eve", "eve@example.invalid"), Surface.TOOL, IN_PERSON)
    other = Workspace.open(workspace.repo.path, caller, QUICK)
    other.undo()
    other.restore("HEAD~2")
    restored, undone = other.log(limit=2).transactions
    assert [(told.writer, told.author.name) for told in (restored, undone)] == [("restore", "Eve"), ("undo", "Eve")]
    assert restored.authority == "owner"
