"""Conversations of assistants, from the export to the topic and back to the words (cli.md: ingest, write, why)."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from gitmem.conversations.model import SessionId
from gitmem.conversations.speaking import is_eligible
from gitmem.interop.ingest import ingest
from gitmem.testing.conversations import MemoryConversations
from workspaces import make, state

if TYPE_CHECKING:
    from gitmem.conversations.store import ConversationStore
    from gitmem.format.turn import Turn
    from gitmem.workspace import Workspace

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "conversations"


class Export(NamedTuple):
    """A fixture: ``turns`` and ``branches`` of its first conversation; what was ``said`` and what never was."""

    file: str
    session: str
    turns: int
    branches: int
    said: str
    unsaid: tuple[str, ...]

    @property
    def path(self) -> Path:
        return FIXTURES / self.file


EXPORTS = [
    Export("claude_edit.json", "claude/0b0e-0001", 8, 2, "Basel", ("They moved", "Line 8 stops at the lake")),
    Export(
        "claude_code_session.jsonl",
        "claude-code/5e551011-0001",
        19,
        3,
        "Olten",
        ("Set model", "Be brief", "def ship", "mentions of Tuesday", "being continued", "interrupted"),
    ),
    Export(
        "codex_rollout.jsonl", "codex/0195c0de-0001", 12, 2, "Rigi", ("Use tabs", "/home/ada", "Looking for", "Ask")
    ),
    Export("openprogram_session.json", "openprogram/sess-7f2a", 7, 2, "greenhouse", ("The job", '"ok"')),
    Export("chatgpt_branch.json", "chatgpt/c0ffee00-0001", 11, 2, "rye", ("Use grams",)),
]
NAMES = [export.file for export in EXPORTS]


@pytest.fixture(scope="module", params=EXPORTS, ids=NAMES)
def written(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Workspace, Export]:
    export = request.param
    assert isinstance(export, Export)
    workspace = make(tmp_path_factory.mktemp("written") / "memory")
    assert workspace.ingest([export.path]).errors == ()
    answer = workspace.write(force=True, all_branches=True)
    assert (answer.ok, answer.pending_turns) == (True, 0)
    return workspace, export


def turns(store: ConversationStore) -> dict[str, Turn]:
    found = {}
    for session in store.sessions():
        for branch in session.branches:
            for node in store.lineage(branch.head):
                turn = store.turn(node)
                found[f"{turn.provider}/{turn.thread}/{turn.id}"] = turn
    return found


def topics(workspace: Workspace) -> str:
    folder = workspace.repo.path / "topics"
    return "\n".join(path.read_text("utf-8") for path in sorted(folder.rglob("*.md")))


@pytest.mark.parametrize("export", EXPORTS, ids=NAMES)
def test_an_export_is_the_owners_with_all_of_its_branches(export: Export) -> None:
    # behaviours.md part 8, authority of what is ingested
    store = MemoryConversations()
    first = next(found for found in ingest(store, [export.path]).sessions if found.session == export.session)
    assert (first.turns, first.new, first.branches, first.pending) == (export.turns, export.turns, export.branches, 0)
    tiers = {(turn.authority or {})["authority_tier"] for turn in turns(store).values()}
    assert tiers == {"owner"}
    assert ingest(store, [export.path]).new == 0


@pytest.mark.parametrize("export", EXPORTS, ids=NAMES)
def test_a_zip_and_a_folder_hold_the_same_conversation(export: Export, tmp_path: Path) -> None:
    folder = tmp_path / "in" / "deep"
    folder.mkdir(parents=True)
    (folder / export.file).write_bytes(export.path.read_bytes())
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.write(export.path, f"deep/{export.file}")
    stores = [MemoryConversations() for _ in range(3)]
    for store, path in zip(stores, [export.path, tmp_path / "x.zip", tmp_path / "in"], strict=True):
        assert ingest(store, [path]).errors == ()
    assert stores[0].sessions() == stores[1].sessions() == stores[2].sessions()
    assert ingest(stores[0], [tmp_path / "x.zip"]).new == 0


def test_every_claim_reaches_the_words_it_rests_on(written: tuple[Workspace, Export]) -> None:
    workspace, export = written
    said = turns(workspace.conversations)
    memory = workspace.memory()
    blocks = [claim.id for entry in memory.snapshot.entries("topics") for claim in memory.facts.of_topic(entry.path)]  # type: ignore[arg-type]
    assert blocks
    for block in blocks:
        (claim,) = workspace.why(block).results
        sources = [source for evidence in claim.evidence for source in evidence.sources]
        assert sources
        for source in sources:
            assert source.text == said[source.id].content
            assert is_eligible(said[source.id])
            assert source.tier == "owner"
    assert export.said in topics(workspace)


def test_what_nobody_said_is_kept_and_never_written(written: tuple[Workspace, Export]) -> None:
    # behaviours.md 0.32, 9.4
    workspace, export = written
    kept = turns(workspace.conversations)
    facts = workspace.memory().facts
    for handle, turn in kept.items():
        assert (facts.source(handle) is not None) == is_eligible(turn)  # type: ignore[arg-type]
    for text in export.unsaid:
        assert any(text in turn.content for turn in kept.values())
        assert text not in topics(workspace)


def test_doing_it_again_changes_nothing(written: tuple[Workspace, Export]) -> None:
    workspace, export = written
    held = state(workspace.repo.path)
    assert workspace.ingest([export.path]).new == 0
    assert workspace.write(force=True, all_branches=True).batches == ()
    assert state(workspace.repo.path) == held


@pytest.mark.parametrize(
    ("file", "sessions", "spoken"),
    [("claude.json", 2, 6), ("claude_code.jsonl", 1, 7), ("codex.jsonl", 0, 0), ("chatgpt_tree.json", 1, 20)],
)
def test_real_exports_are_written_as_they_were_said(
    shared_data: Path, tmp_path: Path, file: str, sessions: int, spoken: int
) -> None:
    workspace = make(tmp_path / "memory")
    assert workspace.ingest([shared_data / "exports" / file]).errors == ()
    assert len(workspace.conversations.sessions()) == sessions
    assert workspace.pending_turns() == spoken
    answer = workspace.write(force=True)
    assert (answer.ok, answer.pending_turns, sum(batch.turns for batch in answer.batches)) == (True, 0, spoken)
    said = turns(workspace.conversations)
    for block in {block for batch in answer.batches for block in batch.block_ids}:
        (claim,) = workspace.why(block).results
        sources = [source for evidence in claim.evidence for source in evidence.sources]
        assert sources
        assert all(source.text == said[source.id].content for source in sources)


@pytest.mark.parametrize(
    ("file", "session", "kept", "faults"),
    [
        ("hostile_claude.json", "claude/0bad-0001", ["b4", "b5", "b6", "b7", "b9", "b10"], 15),
        ("hostile_claude_code.jsonl", "claude-code/5e551011-0002", ["h1", "h3", "h5", "h10", "h13"], 14),
        ("hostile_codex.jsonl", "codex/hostile_codex", ["fine", "a time that is none", "the last"], 7),
    ],
)
def test_of_hostile_files_everything_sound_goes_in(file: str, session: str, kept: list[str], faults: int) -> None:
    store = MemoryConversations()
    report = ingest(store, [FIXTURES / file])
    assert len(report.errors) == faults
    assert all(error.line or error.item for error in report.errors)
    found = store.session(SessionId.parse(session))
    assert found is not None
    line = [store.turn(node) for node in reversed(tuple(store.lineage(found.head.head)))]
    assert [turn.content if file == "hostile_codex.jsonl" else turn.id for turn in line] == kept
    again = ingest(store, [FIXTURES / file])
    assert (again.new, store.session(found.id)) == (0, found)
