"""The index of turns follows the branches, and can be lost (formats.md, "Turns"; behaviours.md 17.13)."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from gitmem.catalog.database import Database
from gitmem.conversations.adding import NewTurn, add_turn
from gitmem.conversations.authority import owner_authority
from gitmem.conversations.git import GitConversations
from gitmem.conversations.git_turns import GitTurns
from gitmem.conversations.indexed import FILE
from gitmem.conversations.model import MAIN, NodeId, Outline, SessionId
from gitmem.conversations.turn_index import TABLES, VERSION, Entry, TurnIndex
from gitmem.errors import Refused
from gitmem.store.initialize import init_repository
from gitmem.store.repository import open_repository
from gitmem.testing.conversation_suite import SESSION, grow_line

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from gitmem.conversations.model import Session
    from gitmem.store.repository import Repo
    from running import Git

OWNER = owner_authority()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    init_repository(tmp_path / "memory", bare=True, fsync=False)
    return tmp_path / "memory"


class Reading(GitConversations):
    """Counts the commits that are read for the index."""

    def __init__(self, repo: Repo) -> None:
        super().__init__(repo)
        self.reads = 0
        self._turns.entry = self._count  # type: ignore[method-assign]

    def _count(self, node: NodeId) -> Entry:
        self.reads += 1
        return GitTurns.entry(self._turns, node)


def opened(folder: Path) -> Reading:
    return Reading(open_repository(folder, fsync=False))


def begun(folder: Path, *names: str) -> list[NodeId]:
    """A conversation that another process began."""
    store = opened(folder)
    nodes = grow_line(store, names)
    store.close()
    return nodes


def session(store: GitConversations, name: SessionId = SESSION) -> Session:
    found = store.session(name)
    assert found is not None
    return found


def say(store: GitConversations, name: str, **more: str) -> None:
    add_turn(store, SESSION, NewTurn(name, id=name, **more), OWNER)


def outline(store: GitConversations, head: NodeId) -> list[tuple[str, int, bool]]:
    return [(found.id, found.depth, found.eligible) for found in store.outline(head)]


def test_adding_a_turn_reads_no_other(folder: Path) -> None:
    store = opened(folder)
    grow_line(store, [f"m{n}" for n in range(200)])
    for number in range(3):
        say(store, f"x{number}")
    say(store, "y", parent="m7")
    assert store.reads == 0
    assert session(store).branch(MAIN) is not None
    assert outline(store, session(store).head.head)[:2] == [("y", 9, True), ("m7", 8, True)]
    assert store.reads == 0
    other = opened(folder)
    assert other.find(session(other), "m100") is not None
    assert other.reads == 0


def test_a_lost_index_is_made_again(folder: Path) -> None:
    begun(folder, "m1", "m2", "m3")
    (folder / "gitmem" / FILE).unlink()
    store = opened(folder)
    say(store, "m4")
    assert store.reads == 3
    assert outline(store, session(store).head.head) == [(f"m{n}", n, True) for n in (4, 3, 2, 1)]


@pytest.mark.parametrize("content", [b"", b"no database", b"SQLite format 3\0" + bytes(200)])
def test_a_damaged_index_is_made_again(folder: Path, content: bytes) -> None:
    nodes = begun(folder, "m1", "m2", "m3")
    (folder / "gitmem" / FILE).write_bytes(content)
    store = opened(folder)
    assert store.find(session(store), "m2") == nodes[1]
    assert outline(store, nodes[2]) == [(f"m{n}", n, True) for n in (3, 2, 1)]
    store.close()
    assert opened(folder).find(session(store), "m1") == nodes[0]


def test_an_index_that_is_damaged_under_way_is_made_again(folder: Path) -> None:
    store = opened(folder)
    nodes = grow_line(store, ["m1", "m2", "m3"])
    assert store.find(session(store), "m1") == nodes[0]
    other = Database(folder / "gitmem" / FILE, TABLES, VERSION)
    other.execute("DROP TABLE turn")
    other.close()
    assert store.find(session(store), "m1") == nodes[0]
    assert store.speakers(session(store)) == {}
    assert outline(store, nodes[2]) == [(f"m{n}", n, True) for n in (3, 2, 1)]


def test_rows_that_go_away_under_a_walk_do_not_end_it(folder: Path) -> None:
    store = opened(folder)
    nodes = grow_line(store, [f"m{n}" for n in range(100)])
    walk = store.outline(nodes[-1])
    first = next(walk)
    other = Database(folder / "gitmem" / FILE, TABLES, VERSION)
    with other.writing():
        other.execute("DELETE FROM turn")
    other.close()
    found = [first, *walk]
    assert [step.node for step in found] == nodes[::-1]
    assert [step.depth for step in found] == list(range(100, 0, -1))


def test_a_memory_that_cannot_be_written_is_answered_from_memory(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nodes = begun(folder, "m1", "m2")
    (folder / "gitmem" / FILE).unlink()

    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("gitmem.catalog.database.os.open", refuse)
    store = opened(folder)
    assert store.find(session(store), "m1") == nodes[0]
    assert not (folder / "gitmem" / FILE).exists()


def test_the_index_is_its_owners_alone(folder: Path) -> None:
    # behaviours.md 0.24
    grow_line(opened(folder), ["m1"])
    assert stat.S_IMODE((folder / "gitmem" / FILE).stat().st_mode) == 0o600


def test_turns_of_a_branch_that_went_away_are_not_found(folder: Path, git: Git) -> None:
    store = opened(folder)
    nodes = grow_line(store, ["m1", "m2", "m3"])
    say(store, "r2", parent="m1", speaker_id="9")
    assert store.speakers(session(store)).keys() == {"id:9"}
    git(folder, "update-ref", "refs/gitmem/sessions/telegram/g1/main", nodes[1])
    git(folder, "update-ref", "-d", "refs/gitmem/sessions/telegram/g1/m3")
    assert store.find(session(store), "m3") is None
    assert store.find(session(store), "r2") is None
    assert store.find(session(store), "m2") == nodes[1]
    assert store.speakers(session(store)) == {}
    assert outline(store, nodes[2]) == [(f"m{n}", n, True) for n in (3, 2, 1)]


def test_turns_that_git_brought_in_are_found(folder: Path, tmp_path: Path, git: Git) -> None:
    elsewhere, _ = init_repository(tmp_path / "elsewhere", bare=True, fsync=False)
    there = GitConversations(elsewhere)
    nodes = grow_line(there, ["m1", "m2"])
    git(folder, "fetch", "-q", str(elsewhere.path), "refs/gitmem/sessions/*:refs/gitmem/sessions/*")
    store = opened(folder)
    assert store.find(session(store), "m1") == nodes[0]
    grow_more = there.session(SESSION)
    assert grow_more is not None
    add_turn(there, SESSION, NewTurn("m3", id="m3"), OWNER)
    git(folder, "fetch", "-q", str(elsewhere.path), "refs/gitmem/sessions/*:refs/gitmem/sessions/*")
    store.reads = 0
    assert store.find(session(store), "m3") is not None
    assert store.reads == 1


def test_an_older_look_does_not_take_rows_away(folder: Path) -> None:
    store, other = opened(folder), opened(folder)
    nodes = grow_line(store, ["m1"])
    before = session(other)
    say(store, "m2")
    assert other.find(before, "m1") == nodes[0]
    assert store.find(session(store), "m2") is not None
    assert other.reads == 0


def test_a_conversation_under_another_name_is_read(folder: Path, git: Git) -> None:
    nodes = begun(folder, "m1", "m2")
    git(folder, "update-ref", "refs/gitmem/sessions/copied/talk/main", nodes[1])
    git(folder, "update-ref", "-d", "refs/gitmem/sessions/telegram/g1/main")
    (folder / "gitmem" / FILE).unlink()
    store = opened(folder)
    copied = session(store, SessionId("copied", "talk"))
    assert outline(store, nodes[1]) == [("m2", 2, True), ("m1", 1, True)]
    assert store.find(copied, "m1") == nodes[0]
    assert outline(store, nodes[1]) == [("m2", 2, True), ("m1", 1, True)]


def test_a_branch_that_leads_to_no_turns_says_so(folder: Path, git: Git) -> None:
    commit = git(folder, "commit-tree", "-m", "not a turn", git(folder, "mktree", stdin=""))
    git(folder, "update-ref", "refs/gitmem/sessions/a/b/main", commit)
    store = opened(folder)
    with pytest.raises(Refused):
        store.find(session(store, SessionId("a", "b")), "m1")
    grow_line(store, ["m1"])
    with store.batch() as batch:
        batch.point(SessionId("a", "c"), MAIN, NodeId(commit), expected=None)
    assert store.session(SessionId("a", "c")) is not None


def test_what_is_no_text_is_nobodys_id(folder: Path) -> None:
    store = opened(folder)
    grow_line(store, ["m1"])
    assert store.find(session(store), "\ud800") is None


def test_only_files_that_are_needed_are_opened(folder: Path) -> None:
    store = opened(folder)
    assert store.sessions() == ()
    assert not (folder / "gitmem" / FILE).exists()


# --- the tables alone, whatever happens to branches


class Tree(RuleBasedStateMachine):
    """A conversation whose branches grow, fork, and go away; an index that sees some of its states."""

    @initialize()
    def begin(self) -> None:
        self.database = Database(None, TABLES, VERSION)
        self.index = TurnIndex(self.database)
        self.entries: dict[NodeId, Entry] = {}
        self.heads: list[NodeId] = []

    def teardown(self) -> None:
        if hasattr(self, "database"):
            self.database.close()

    @rule(at=st.integers(0, 30), person=st.sampled_from([None, "1", "2"]))
    def grow(self, at: int, person: str | None) -> None:
        parent = self.heads[at % len(self.heads)] if self.heads else None
        node = self._add(parent, person)
        self.heads = [head for head in self.heads if head != parent] + [node]

    @rule(at=st.integers(0, 30), back=st.integers(0, 3))
    def fork(self, at: int, back: int) -> None:
        line = self._line(self.heads[at % len(self.heads)]) if self.heads else []
        self.heads.append(self._add(line[min(back, len(line) - 1)] if line else None, None))

    @rule(at=st.integers(0, 30))
    def take_away(self, at: int) -> None:
        if self.heads:
            self.heads.pop(at % len(self.heads))

    @rule(at=st.integers(0, 30))
    def step_back(self, at: int) -> None:
        if self.heads:
            place = at % len(self.heads)
            self.heads[place] = self.entries[self.heads[place]].parent or self.heads[place]

    @rule()
    def follow(self) -> None:
        with self.database.writing():
            self.index.follow("a/b", self.heads, self.entries.__getitem__)
        reachable = {node for head in self.heads for node in self._line(head)}
        assert self.index.tips("a/b") == frozenset(self.heads)
        for node, entry in self.entries.items():
            assert (self.index.find("a/b", entry.id) == node) == (node in reachable)
        for head in self.heads:
            assert list(self.index.line(head)) == self._outline(head)
        persons = {self.entries[node].person for node in reachable} - {None}
        found = self.index.speakers("a/b")
        assert found.keys() == persons
        assert all(self.entries[node].person == name and node in reachable for name, node in found.items())

    def _add(self, parent: NodeId | None, person: str | None) -> NodeId:
        node = NodeId(f"{len(self.entries):040x}")
        self.entries[node] = Entry(node, parent, f"m{len(self.entries)}", len(self.entries) % 3 != 0, person)
        return node

    def _line(self, node: NodeId | None) -> list[NodeId]:
        line = []
        while node is not None:
            line.append(node)
            node = self.entries[node].parent
        return line

    def _outline(self, head: NodeId) -> list[Outline]:
        line = self._line(head)
        found: Iterator[Entry] = (self.entries[node] for node in line)
        return [Outline(e.node, e.id, len(line) - place, e.eligible) for place, e in enumerate(found)]


TestTree = Tree.TestCase


@given(st.integers(1, 3000))
def test_a_line_of_any_length_is_read_whole(length: int) -> None:
    database = Database(None, TABLES, VERSION)
    nodes = [NodeId(f"{number:040x}") for number in range(length)]
    parents = (None, *nodes[:-1])
    entries = [
        Entry(node, parent, node, eligible=True, person=None) for node, parent in zip(nodes, parents, strict=True)
    ]
    with database.writing():
        TurnIndex(database).follow("a/b", [entries[-1].node], {entry.node: entry for entry in entries}.__getitem__)
    found = list(TurnIndex(database).line(entries[-1].node))
    database.close()
    assert [step.depth for step in found] == list(range(length, 0, -1))
