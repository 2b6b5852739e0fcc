"""Conversations in a real repository, read back with plain git (formats.md, "Turns")."""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING

import pytest

from conversation_turns import shown
from gitmem.conversations.git import GitConversations
from gitmem.conversations.model import MAIN, NodeId, SessionId
from gitmem.errors import Code, Conflict, NotFound, Refused
from gitmem.store.bulk_refs import WORTH_PACKING
from gitmem.store.initialize import init_repository
from gitmem.store.lock import write_lock
from gitmem.store.repository import open_repository
from gitmem.testing.conversation_suite import OURS, SESSION, THEIRS, ConversationStoreSuite, grow_line, turn

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.conversations.store import ConversationStore
    from running import Git

EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


class TestGitConversations(ConversationStoreSuite):
    def make(self, folder: Path) -> ConversationStore:
        repo, _ = init_repository(folder / "memory", bare=True, fsync=False)
        return GitConversations(repo)

    def reopen(self, folder: Path) -> ConversationStore:
        return GitConversations(open_repository(folder / "memory", fsync=False))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A bare repository."""
    init_repository(tmp_path / "memory", bare=True, fsync=False)
    return tmp_path / "memory"


@pytest.fixture
def store(folder: Path) -> GitConversations:
    return GitConversations(open_repository(folder, fsync=False))


SAID = turn(
    "m3",
    "m2",
    role="user",
    content="the budget is 50k",
    speaker_id="7391",
    speaker_display="Ada",
    timestamp="2026-08-09T10:00:00+08:00",
)


def test_a_turn_is_a_commit_of_the_empty_tree_by_its_speaker_at_its_time(
    store: GitConversations, folder: Path, git: Git
) -> None:
    with store.batch() as batch:
        root = batch.add(turn("m2"), None)
        node = batch.add(SAID, root)
        batch.point(SESSION, MAIN, node, expected=None)
    shape = git(folder, "log", "-1", "--format=%T%n%P%n%an <%ae> %ad%n%cn <%ce> %cd%n%s", "--date=iso-strict", node)
    assert shape.split("\n") == [
        EMPTY_TREE,
        root,
        "Ada <7391> 2026-08-09T10:00:00+08:00",
        "gitmem <gitmem@localhost> 2026-08-09T10:00:00+08:00",
        "user Ada (7391): the budget is 50k",
    ]
    fields = json.loads(git(folder, "log", "-1", "--format=%b", node))
    assert (fields["id"], fields["parent"], fields["content"]) == ("m3", "m2", "the budget is 50k")
    assert (
        git(folder, "for-each-ref", "--format=%(refname) %(objectname)")
        == f"refs/gitmem/sessions/telegram/g1/main {node}"
    )
    git(folder, "fsck", "--strict")


def test_a_turn_has_the_same_commit_on_every_machine(store: GitConversations) -> None:
    with store.batch() as batch:
        node = batch.add(turn("m1", content="hello"), None)
        assert node == "8f6b644a739b137b4c24d551d51b3abc61772004"


def test_names_are_percent_encoded_in_refs(store: GitConversations, folder: Path, git: Git) -> None:
    name = SessionId("a.b", "caf\u00e9 #1")
    grow_line(store, ["m1"], session=name, branch="try/2")
    assert git(folder, "for-each-ref", "--format=%(refname)") == "refs/gitmem/sessions/a%2Eb/caf%C3%A9%20%231/try%2F2"
    assert shown(store, name) == {"try/2": "m1"}


def test_refs_that_are_no_sessions_are_left_alone(store: GitConversations, folder: Path, git: Git) -> None:
    nodes = grow_line(store, ["m1"])
    git(folder, "update-ref", "refs/gitmem/sessions/odd", nodes[0])
    git(folder, "update-ref", "refs/gitmem/sessions/a/b/c.d", nodes[0])
    assert [found.id for found in store.sessions()] == [SESSION]


def test_marks_are_notes_that_git_shows(store: GitConversations, folder: Path, git: Git) -> None:
    # behaviours.md 0.3
    nodes = grow_line(store, ["m1", "m2"])
    store.mark(nodes, OURS)
    store.mark(nodes[:1], THEIRS)
    lines = git(folder, "notes", "--ref", "gitmem/written", "show", nodes[0]).split("\n")
    assert lines == [f"w-00000001 {'1' * 40}", f"w-00000002 {'2' * 40}"]
    assert git(folder, "rev-list", "--count", "refs/notes/gitmem/written") == "2"


def test_marks_put_elsewhere_are_seen_at_the_next_listing(store: GitConversations, folder: Path) -> None:
    nodes = grow_line(store, ["m1"])
    assert store.marks(nodes[0]) == ()
    GitConversations(open_repository(folder, fsync=False)).mark(nodes, OURS)
    store.sessions()
    assert store.marks(nodes[0]) == (OURS,)


def test_two_writers_of_one_branch_do_not_lose_each_other(store: GitConversations, folder: Path) -> None:
    nodes = grow_line(store, ["m1"])
    other = GitConversations(open_repository(folder, fsync=False))
    with pytest.raises(Conflict) as caught, store.batch() as batch:  # noqa: PT012 - the end of the batch raises
        batch.point(SESSION, MAIN, batch.add(turn("mine", "m1"), nodes[0]), expected=nodes[0])
        with other.batch() as theirs:
            theirs.point(SESSION, MAIN, theirs.add(turn("theirs", "m1"), nodes[0]), expected=nodes[0])
    assert caught.value.code is Code.CONCURRENT_UPDATE
    assert shown(store) == {MAIN: "m1 theirs"}


def test_a_batch_waits_for_the_write_lock_and_gives_up(folder: Path) -> None:
    repo = open_repository(folder, fsync=False)
    store = GitConversations(repo, lock_timeout=0.02)
    held, done = threading.Event(), threading.Event()

    def hold() -> None:
        with write_lock(repo.fresh(), 5):
            held.set()
            done.wait(5)

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait(5)
    try:
        with pytest.raises(Conflict) as caught:
            grow_line(store, ["m1"])
    finally:
        done.set()
        thread.join()
    assert caught.value.code is Code.CONCURRENT_UPDATE
    assert store.sessions() == ()


def test_reading_a_batch_takes_no_lock_and_moves_nothing(folder: Path) -> None:
    store = GitConversations(open_repository(folder, fsync=False), lock_timeout=0)
    with store.batch() as batch:
        batch.add(turn("m1"), None)
    assert store.sessions() == ()


def test_hundreds_of_conversations_at_once_end_up_in_packed_refs(folder: Path, git: Git) -> None:
    store = GitConversations(open_repository(folder, fsync=True))
    with store.batch() as batch:
        for number in range(WORTH_PACKING):
            name = SessionId("chat", f"{number}")
            batch.point(name, MAIN, batch.add(turn("m1", session=name), None), expected=None)
    assert len(store.sessions()) == WORTH_PACKING
    assert not list((folder / "refs" / "gitmem" / "sessions").rglob("main"))
    assert git(folder, "for-each-ref", "--format=%(refname)").count("\n") == WORTH_PACKING - 1


def test_a_commit_that_is_no_turn_is_refused(store: GitConversations, folder: Path, git: Git) -> None:
    commit = git(folder, "commit-tree", "-m", "a person's own commit", EMPTY_TREE)
    with pytest.raises(Refused) as caught:
        store.turn(NodeId(commit))
    assert caught.value.code is Code.SESSION_NODES_UNAVAILABLE


def test_an_object_that_is_no_commit_is_not_found(store: GitConversations, folder: Path, git: Git) -> None:
    blob = git(folder, "hash-object", "-w", "--stdin", stdin="text")
    with pytest.raises(NotFound):
        store.turn(NodeId(blob))


def test_a_conversation_copied_in_from_elsewhere_is_there_with_its_commits(
    store: GitConversations, folder: Path, tmp_path: Path, git: Git
) -> None:
    nodes = grow_line(store, ["m1", "m2"])
    init_repository(tmp_path / "other", bare=True, fsync=False)
    git(tmp_path / "other", "fetch", "--quiet", str(folder), "refs/gitmem/sessions/*:refs/gitmem/sessions/*")
    other = GitConversations(open_repository(tmp_path / "other", fsync=False))
    assert shown(other) == {MAIN: "m1 m2"}
    assert list(other.lineage(nodes[1])) == nodes[::-1]
    assert other.marks(nodes[0]) == ()
