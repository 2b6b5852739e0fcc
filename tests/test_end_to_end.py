"""The main job on a real export: in, written, audited, taken back, brought back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gitmem.conversations.speaking import is_eligible
from workspaces import make, state

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.workspace import Workspace
    from running import Git


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory, shared_data: Path) -> tuple[Workspace, Path]:
    export = shared_data / "exports" / "chatgpt_tree.json"
    workspace = make(tmp_path_factory.mktemp("real") / "w")
    assert workspace.ingest([export]).errors == ()
    answer = workspace.write(force=True)
    assert (answer.ok, answer.pending_turns) == (True, 0)
    return workspace, export


def topics(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted((folder / "topics").rglob("*.md"))}


def test_every_claim_reaches_the_words_it_rests_on(written: tuple[Workspace, Path]) -> None:
    workspace, _ = written
    said = {turn.id: turn.content for turn in turns(workspace)}
    memory = workspace.memory()
    blocks = [claim.id for entry in memory.snapshot.entries("topics") for claim in memory.facts.of_topic(entry.path)]  # type: ignore[arg-type]
    assert blocks
    for block in blocks:
        (claim,) = workspace.why(block).results
        sources = [source for evidence in claim.evidence for source in evidence.sources]
        assert sources
        for source in sources:
            assert source.text == said[source.id.rpartition("/")[2]]
            assert source.archived_by is not None


def test_every_spoken_turn_is_archived(written: tuple[Workspace, Path]) -> None:  # behaviours.md 0.32
    workspace, _ = written
    facts = workspace.memory().facts
    for turn in turns(workspace):
        archived = facts.source(f"{turn.provider}/{turn.thread}/{turn.id}")  # type: ignore[arg-type]
        assert (archived is not None) == is_eligible(turn)


def test_doing_it_again_changes_nothing(written: tuple[Workspace, Path]) -> None:
    workspace, export = written
    held = state(workspace.repo.path)
    assert workspace.ingest([export]).new == 0
    again = workspace.write(force=True, all_branches=True)
    assert (again.ok, again.batches) == (True, ())
    assert state(workspace.repo.path) == held


def test_the_same_conversation_gives_the_same_topics_elsewhere(written: tuple[Workspace, Path], tmp_path: Path) -> None:
    workspace, export = written
    other = make(tmp_path / "other")
    other.ingest([export])
    other.write(force=True)
    assert other.memory().snapshot.node("topics") == workspace.memory().snapshot.node("topics")


def test_going_back_to_the_beginning_and_undoing_that(written: tuple[Workspace, Path], git: Git) -> None:
    workspace, _ = written
    folder = workspace.repo.path
    before, sources = topics(folder), sorted(path.name for path in (folder / "sources").rglob("*.md"))
    first = workspace.log(limit=100).transactions[-1].revision
    back = workspace.restore(first)
    assert back.autosave is not None
    assert topics(folder) == {}
    assert sorted(path.name for path in (folder / "sources").rglob("*.md")) == sources
    undone = workspace.undo()
    assert undone.memory_committed
    assert topics(folder) == before
    assert git(folder, "status", "--porcelain") == ""
    git(folder, "fsck", "--strict")


def turns(workspace: Workspace) -> list:  # type: ignore[type-arg]
    store = workspace.conversations
    heads = [branch.head for session in store.sessions() for branch in session.branches]
    return [store.turn(node) for node in dict.fromkeys(node for head in heads for node in store.lineage(head))]
