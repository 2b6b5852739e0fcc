"""Opening, finding and making a workspace through the facade."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gitmem.config import Config
from gitmem.errors import Code, Disabled, NotFound
from gitmem.store.revision import revision_of
from gitmem.workspace import Workspace
from stories import claim, revision
from workspaces import ME, QUICK, make

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

OFF = Config(backend="none")


def test_a_workspace_is_found_from_inside_of_it(workspace: Workspace) -> None:
    folder = workspace.repo.path
    deep = folder / "topics" / "people"
    claim(workspace, "Ada lives in Basel.")
    assert Workspace.discover(deep, ME, QUICK).repo.path == folder
    with pytest.raises(NotFound) as caught:
        Workspace.discover(folder.parent, ME, QUICK)
    assert caught.value.code is Code.WORKSPACE_NOT_FOUND
    with pytest.raises(NotFound):
        Workspace.open(deep, ME, QUICK)


def test_a_with_statement_closes_it_whatever_happens(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[Workspace] = []
    monkeypatch.setattr(Workspace, "close", lambda memory: closed.append(memory))  # noqa: PLW0108 (a method binds)
    with Workspace.open(workspace.repo.path, ME, QUICK) as memory:
        assert memory.status().topics.blocks == 0
        assert closed == []
    with pytest.raises(ValueError, match="mine"), memory:
        raise ValueError("mine")  # noqa: EM101 (a test's own)
    assert closed == [memory, memory]


@pytest.mark.parametrize("call", [Workspace.open, Workspace.discover, Workspace.create])
def test_while_memory_is_off_nothing_is_opened_or_made(tmp_path: Path, call: Callable[..., object]) -> None:
    # behaviours.md 14.8
    with pytest.raises(Disabled) as caught:
        call(tmp_path / "w", ME, OFF)
    assert caught.value.code is Code.MEMORY_DISABLED
    assert not (tmp_path / "w").exists()


def test_making_a_workspace_again_answers_for_the_one_that_stands(tmp_path: Path) -> None:
    first = Workspace.create(tmp_path / "w", ME, QUICK)
    again = Workspace.create(tmp_path / "w", ME, QUICK)
    assert (first.created, again.created) == (True, False)
    assert (again.workspace_id, again.revision, again.branch) == (first.workspace_id, first.revision, "main")


def test_the_memory_is_read_now_or_at_a_revision(tmp_path: Path) -> None:
    workspace = make(tmp_path / "w")
    first = revision(workspace)
    claim(workspace, "Ada lives in Basel.")
    assert workspace.memory().fresh
    earlier = workspace.memory("HEAD~2")
    assert (earlier.revision, earlier.fresh, list(earlier.snapshot.entries("topics"))) == (first, True, [])
    at_the_memory_commit = workspace.memory("HEAD^")
    assert at_the_memory_commit.revision == revision_of(workspace.repo, workspace.resolve("HEAD"))
    assert not at_the_memory_commit.fresh
    workspace.close()
    workspace.close()
