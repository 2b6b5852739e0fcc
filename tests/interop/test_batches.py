"""A large export goes in batch by batch, in whole conversations unless its format may be cut anywhere."""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.conversations.git import GitConversations
from gitmem.interop import intake
from gitmem.interop.ingest import ingest
from gitmem.store.initialize import init_repository
from gitmem.testing.conversations import MemoryConversations

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intake, "MAX_BATCH_TURNS", 5)


class Counting(MemoryConversations):
    """Counts its batches; the one with the number ``broken`` fails at its end."""

    def __init__(self, broken: int = 0) -> None:
        super().__init__()
        self.batches = 0
        self.broken = broken

    @contextmanager
    def batch(self) -> Iterator[Any]:
        with super().batch() as found:
            self.batches += 1
            yield found
            if self.batches == self.broken:
                raise OSError(28, "No space left on device")


def chat(name: str, *texts: str) -> dict[str, Any]:
    return {"uuid": name, "chat_messages": [{"uuid": f"{name}-{t}", "sender": "human", "text": t} for t in texts]}


def export(path: Path, *chats: object) -> Path:
    path.write_text(json.dumps(chats), "utf-8")
    return path


def shown(store: Any) -> list[tuple[str, str, int]]:
    return [
        (str(found.id), store.turn(branch.head).id, sum(1 for _ in store.lineage(branch.head)))
        for found in store.sessions()
        for branch in found.branches
    ]


@pytest.mark.usefixtures("small")
def test_batches_end_with_a_conversation(tmp_path: Path) -> None:
    path = export(tmp_path / "x.json", *(chat(f"c{n}", "a", "b", "c") for n in range(7)), chat("long", *"abcdefghi"), 7)
    store = Counting()
    report = ingest(store, [path])
    assert store.batches == 4
    assert [(found.session, found.turns, found.new) for found in report.sessions] == [
        *((f"claude/c{n}", 3, 3) for n in range(7)),
        ("claude/long", 9, 9),
    ]
    assert [error.item for error in report.errors] == ["conversation 9"]
    again = ingest(store, [path])
    assert (again.turns, again.new, store.batches) == (30, 0, 5)


@pytest.mark.usefixtures("small")
def test_a_conversation_that_comes_again_is_gone_on_with(tmp_path: Path) -> None:
    one, more = chat("c1", "a", "b"), chat("c1", "a", "b", "c")
    path = export(tmp_path / "x.json", one, chat("c2", "x"), more, chat("c2", "x"), one)
    store = Counting()
    report = ingest(store, [path])
    assert [(found.session, found.turns, found.new, found.head) for found in report.sessions] == [
        ("claude/c1", 7, 3, "c1-c"),
        ("claude/c2", 2, 1, "c2-x"),
    ]
    assert shown(store) == [("claude/c1", "c1-c", 3), ("claude/c2", "c2-x", 1)]
    assert report.errors == ()


@pytest.mark.usefixtures("small")
def test_batches_of_many_files_end_with_a_file_unless_a_turn_waits_for_another(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    line = {"type": "user", "message": {"content": "x"}}
    parents = {"a": None, "b": "f5", "c": None, "d": None, "e": None, "f": None}
    for name, parent in parents.items():
        uuids = [f"{name}{number}" for number in range(6)]
        followed = [parent, *uuids[:-1]]
        lines = [
            {**line, "uuid": u, "parentUuid": p, "sessionId": "bf" if name in "bf" else name}
            for u, p in zip(uuids, followed, strict=True)
        ]
        (folder / f"{name}.jsonl").write_text("".join(f"{json.dumps(found)}\n" for found in lines), "utf-8")
    store = Counting()
    report = ingest(store, [folder])
    assert (store.batches, report.errors) == (2, ())
    assert shown(store) == [
        (f"claude-code/{name}", f"{name[0]}5", len(name) * 6) for name in ("a", "bf", "c", "d", "e")
    ]


@pytest.mark.usefixtures("small")
def test_what_went_in_before_a_failure_stays_and_the_rest_comes_later(tmp_path: Path) -> None:
    path = export(tmp_path / "x.json", *(chat(f"c{n}", "a", "b", "c") for n in range(6)))
    store = Counting(broken=2)
    with pytest.raises(OSError, match="space"):
        ingest(store, [path])
    assert [name for name, _, _ in shown(store)] == ["claude/c0", "claude/c1"]
    report = ingest(store, [path])
    assert (report.turns, report.new) == (18, 12)
    assert len(store.sessions()) == 6


@pytest.mark.usefixtures("small")
def test_many_batches_and_one_keep_the_same_conversations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chats = [chat(f"c{n}", *(f"{n}-{m}" for m in range(n % 4 + 1))) for n in range(20)]
    path = export(tmp_path / "x.json", *chats)
    repo, _ = init_repository(tmp_path / "memory", bare=True, fsync=False)
    store = GitConversations(repo)
    report = ingest(store, [path])
    monkeypatch.setattr(intake, "MAX_BATCH_TURNS", 10**9)
    whole = Counting()
    assert ingest(whole, [path]) == report
    assert whole.batches == 1
    assert shown(store) == shown(whole)


def lines(path: Path, *turns: dict[str, Any]) -> Path:
    path.write_text("".join(f"{json.dumps(turn)}\n" for turn in turns), "utf-8")
    return path


@pytest.mark.usefixtures("small")
def test_lines_go_in_piece_by_piece_and_conversations_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    turns = [{"content": f"{number}", "thread": f"t{number % 3}"} for number in range(40)]
    path = lines(tmp_path / "x.jsonl", *turns)
    pieces = Counting()
    report = ingest(pieces, [path])
    assert pieces.batches == 8
    monkeypatch.setattr(intake, "MAX_BATCH_TURNS", 10**9)
    whole = Counting()
    assert ingest(whole, [path]) == report
    assert shown(pieces) == shown(whole)
    assert [(found.turns, found.new, found.branches) for found in report.sessions] == [(14, 14, 1), *2 * [(13, 13, 1)]]


@pytest.mark.usefixtures("small")
def test_lines_are_not_cut_while_a_turn_waits_for_its_parent(tmp_path: Path) -> None:
    turns = [{"id": f"{number}", "content": "x", "parent": f"{number + 1}"} for number in range(20)]
    turns += [{"id": "20", "content": "x", "parent": None}, *({"content": "y"} for _ in range(8))]
    store = Counting()
    report = ingest(store, [lines(tmp_path / "x.jsonl", *turns)])
    assert (store.batches, report.errors, report.new) == (3, (), 29)
