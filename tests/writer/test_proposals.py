"""Proposals that were paid for wait until they are installed (behaviours.md 10.10, 0.16)."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.errors import Code, Unavailable
from gitmem.facts.scan import scan_facts
from gitmem.ids import BlockId, Oid, TopicPath
from gitmem.request import (
    DeleteRecord,
    Destination,
    FileDelete,
    FileMove,
    FilesEdit,
    FileWrite,
    MergeRecords,
    MoveRecords,
    NoEdit,
    RecordsEdit,
)
from gitmem.writer.base import WriterResult
from gitmem.writer.proposals import FOLDER, KEPT_SECONDS, KeptProposals, Proposal, proposal_key, propose
from memory_tree import MemoryTree
from workspaces import reopened
from writing import NOTES, Scripted, noting, workspace_with, written

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.request import RecordOperation
    from gitmem.workspace import Workspace

TALK = ("Ada likes tea.", "Bob likes coffee.")
KEY = proposal_key("scripted one distill", ["import/talk/m1"])
A, B = TopicPath("topics/a.md"), TopicPath("topics/b.md")
RESULT = WriterResult(
    FilesEdit(
        (FileWrite(A, "# A\n\u2028"), FileDelete(B), FileMove(TopicPath("topics/c.md"), TopicPath("topics/d.md")))
    ),
    seen=frozenset({BlockId("a1"), BlockId("b1")}),
    reasons={BlockId("b1"): "superseded"},
)
PROPOSAL = Proposal(RESULT, {A: None, B: Oid("1" * 40)}, repaired=True)


@pytest.fixture
def kept(tmp_path: Path) -> KeptProposals:
    return KeptProposals(tmp_path)


def files(workspace: Workspace) -> list[Path]:
    folder = workspace.repo.gitmem_dir / FOLDER
    return sorted(folder.iterdir()) if folder.is_dir() else []


def block(name: str) -> str:
    return f"# {name}\n\nSays {name}.[^e-1] ^{name}\n\n[^e-1]: Time: `2024`; Sources: [D1:1](D1:1)\n"


# --- a file


def test_what_is_kept_is_found_as_it_was(kept: KeptProposals) -> None:
    assert kept.find(KEY) is None
    kept.keep(KEY, PROPOSAL)
    assert kept.find(KEY) == PROPOSAL
    assert kept.find(proposal_key("another writer", ["import/talk/m1"])) is None
    kept.drop(KEY)
    kept.drop(KEY)
    assert kept.find(KEY) is None


def test_that_there_is_nothing_to_record_is_kept_too(kept: KeptProposals) -> None:
    said = Proposal(WriterResult(nothing_to_record=True), {})
    kept.keep(KEY, said)
    assert kept.find(KEY) == said


def test_operations_on_blocks_are_not_kept(kept: KeptProposals) -> None:
    kept.keep(KEY, Proposal(WriterResult(RecordsEdit((DeleteRecord(BlockId("a")),))), {}))
    assert kept.find(KEY) is None


PATHS = st.from_regex(r"topics/[a-z]{1,9}\.md", fullmatch=True).map(TopicPath)
TEXT = st.text(st.characters(exclude_categories=["Cs"]))
CHANGES = st.lists(
    st.one_of(st.builds(FileWrite, PATHS, TEXT), st.builds(FileDelete, PATHS), st.builds(FileMove, PATHS, PATHS)),
    min_size=1,
)
IDS = st.from_regex(r"[a-z0-9-]{1,8}", fullmatch=True).map(BlockId)
RESULTS = st.builds(
    WriterResult,
    CHANGES.map(lambda changes: FilesEdit(tuple(changes))),
    st.just(False),  # noqa: FBT003  (a value of a field)
    st.none() | st.frozensets(IDS),
    st.dictionaries(IDS, TEXT),
)


@given(st.builds(Proposal, RESULTS, st.dictionaries(PATHS, st.none() | st.just(Oid("a" * 40))), st.booleans()))
def test_every_proposal_is_found_as_it_was(tmp_path_factory: pytest.TempPathFactory, proposal: Proposal) -> None:
    kept = KeptProposals(tmp_path_factory.getbasetemp() / "kept")
    (tmp_path_factory.getbasetemp() / "kept").mkdir(exist_ok=True)
    kept.keep(KEY, proposal)
    assert kept.find(KEY) == proposal


def test_nobody_else_may_read_them(kept: KeptProposals, tmp_path: Path) -> None:  # behaviours.md 0.24
    before = os.umask(0)
    try:
        kept.keep(KEY, PROPOSAL)
    finally:
        os.umask(before)
    (file,) = (tmp_path / FOLDER).iterdir()
    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)


def test_what_cannot_be_read_counts_as_nothing(kept: KeptProposals, tmp_path: Path) -> None:
    kept.keep(KEY, PROPOSAL)
    file = tmp_path / FOLDER / f"{KEY}.json"
    whole = json.loads(file.read_text())
    broken: list[object] = [{**whole, "version": 2}, {**whole, "files": [3]}, {**whole, "files": [["a", 1, None]]}]
    broken += [{**whole, "seen": 4}, {**whole, "reasons": []}, {**whole, "footing": None}, [], None, "x", {}]
    broken += [{key: value for key, value in whole.items() if key != left_out} for left_out in whole]
    for form in broken:
        file.write_text(json.dumps(form))
        assert kept.find(KEY) is None, form
    for data in (b"", b"\xff", file.read_bytes()[:9], b"[" * 200_000):
        file.write_bytes(data)
        assert kept.find(KEY) is None, data[:20]
    file.unlink()
    file.mkdir()
    assert kept.find(KEY) is None
    kept.keep(KEY, PROPOSAL)  # cannot be kept, which stops nobody
    kept.drop(KEY)


def test_what_nobody_asked_for_again_is_cleared_away(kept: KeptProposals, tmp_path: Path) -> None:
    folder = tmp_path / FOLDER
    old, young, other = (proposal_key("w", [name]) for name in ("old", "young", "other"))
    for key in (old, young):
        kept.keep(key, PROPOSAL)
    (folder / f"{other}.json-4711").write_text("left by a process that died")
    (folder / "notes.txt").write_text("not gitmem's")
    age(folder / f"{young}.json", KEPT_SECONDS - 60)
    for name in (f"{old}.json", f"{other}.json-4711", "notes.txt"):
        age(folder / name, KEPT_SECONDS + 60)
    kept.keep(KEY, PROPOSAL)
    assert sorted(path.name for path in folder.iterdir()) == sorted(["notes.txt", f"{young}.json", f"{KEY}.json"])


def age(file: Path, seconds: float) -> None:
    stat = file.stat()
    os.utime(file, (stat.st_atime, stat.st_mtime - seconds))


# --- what a proposal stands on


def test_it_stands_while_its_files_are_what_they_were() -> None:
    tree = MemoryTree({A: block("a"), B: block("b")})
    proposal = propose(RESULT, tree, scan_facts(tree))
    assert sorted(proposal.footing) == [A, B, "topics/c.md", "topics/d.md"]
    assert proposal.stands(tree)
    assert proposal.stands(MemoryTree({**tree.files, "topics/other.md": block("o")}))
    assert not proposal.stands(MemoryTree({**tree.files, A: block("other")}))
    assert not proposal.stands(MemoryTree({A: block("a")}))
    assert not proposal.stands(MemoryTree({**tree.files, "topics/d.md": block("d")}))


@pytest.mark.parametrize(
    ("operation", "path"),
    [
        (DeleteRecord(BlockId("a")), A),
        (MergeRecords(BlockId("a"), (BlockId("b"),)), A),
        (MergeRecords(BlockId("a"), (BlockId("b"),)), B),
        (MoveRecords((BlockId("b"),), Destination(A, ("A",))), B),
    ],
)
def test_operations_stand_on_the_files_of_their_blocks(operation: RecordOperation, path: TopicPath) -> None:
    tree = MemoryTree({A: block("a"), B: block("b")})
    proposal = propose(WriterResult(RecordsEdit((operation,))), tree, scan_facts(tree))
    assert proposal.stands(tree)
    assert not proposal.stands(MemoryTree({**tree.files, path: tree.text(path).replace("Says", "Said")}))


def test_saying_nothing_stands_on_nothing() -> None:
    tree = MemoryTree({A: block("a")})
    assert propose(WriterResult(NoEdit(), nothing_to_record=True), tree, scan_facts(tree)).footing == {}


# --- through a workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return workspace_with(tmp_path / "w", *TALK)


def test_it_is_gone_once_it_is_installed(workspace: Workspace) -> None:
    assert workspace.write(force=True, writer=Scripted([noting])).ok
    assert files(workspace) == []


def test_it_is_gone_once_it_is_refused_for_good(workspace: Workspace) -> None:
    uncited = WriterResult(FilesEdit((FileWrite(NOTES, "Nobody said this.\n"),)))
    assert not workspace.write(force=True, writer=Scripted([lambda *_: uncited])).ok
    assert files(workspace) == []
    assert not workspace.write(force=True, writer=Scripted([lambda *_: uncited, lambda *_: WriterResult()])).ok
    assert files(workspace) == []


def test_a_dry_run_of_several_batches_is_paid_for_once(tmp_path: Path) -> None:
    workspace = workspace_with(tmp_path / "w", *(f"Fact number {n} is told." for n in range(4)), tokens=4)
    shown, writing = Scripted([noting]), Scripted([noting])
    rehearsed = workspace.write(force=True, writer=shown, dry_run=True)
    assert [len(rehearsed.batches), len(shown.told), len(files(workspace))] == [4, 4, 4]
    assert len(workspace.write(force=True, writer=writing).batches) == 4
    assert (writing.told, files(workspace)) == ([], [])
    assert written(workspace) == [f"Fact number {n} is told." for n in range(4)]


def test_a_kept_proposal_that_stands_no_more_is_asked_for_again(workspace: Workspace) -> None:
    workspace.write(force=True, writer=Scripted([noting]), dry_run=True)
    reopened(workspace.repo.path).remember("Notes begin.", "notes.md", time="2024")
    writer = Scripted([noting])
    assert workspace.write(force=True, writer=writer).ok
    assert (len(writer.told), written(workspace)) == (1, ["Notes begin.", *TALK])


def test_a_mend_that_was_not_to_be_had_is_asked_for_later(workspace: Workspace) -> None:
    uncited = WriterResult(FilesEdit((FileWrite(NOTES, "Nobody said this.\n"),)))

    def unreachable(*_: object) -> None:
        raise Unavailable(Code.MODEL_TRANSPORT, "cut")

    first = workspace.write(force=True, writer=Scripted([lambda *_: uncited, unreachable]))
    assert first.failure is not None
    assert (first.failure.reason_code, first.failure.retryable) == (Code.MODEL_TRANSPORT, True)
    second = Scripted([noting])
    assert workspace.write(force=True, writer=second).ok
    assert [told.result if told else None for told in second.told] == [uncited]  # the first question is not repeated


def test_another_writer_makes_its_own(workspace: Workspace) -> None:
    workspace.write(force=True, writer=Scripted([noting]), dry_run=True)
    other = Scripted([noting], signature="scripted two")
    assert workspace.write(force=True, writer=other).ok
    assert len(other.told) == 1


def test_a_folder_that_cannot_be_written_stops_nobody(workspace: Workspace) -> None:
    (workspace.repo.gitmem_dir / FOLDER).write_text("a file stands in the way")
    assert workspace.write(force=True, writer=Scripted([noting])).ok
    assert written(workspace) == list(TALK)
