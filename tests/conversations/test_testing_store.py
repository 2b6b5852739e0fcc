"""Two more stores keep the protocol, and the suite notices every store that does not."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

import pytest

from gitmem.conversations.git import GitConversations
from gitmem.store.initialize import init_repository
from gitmem.testing.conversation_suite import ConversationStoreSuite
from gitmem.testing.conversations import MemoryConversations
from gitmem.testing.sqlite_conversations import SqliteConversations
from wrong_conversations import WRONG

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from gitmem.conversations.store import ConversationStore


class TestMemoryConversations(ConversationStoreSuite):
    def make(self, folder: Path) -> ConversationStore:  # noqa: ARG002 - it needs none
        return MemoryConversations()


class TestSqliteConversations(ConversationStoreSuite):
    def make(self, folder: Path) -> ConversationStore:
        return SqliteConversations(folder / "talk.sqlite")

    def reopen(self, folder: Path) -> ConversationStore:
        return SqliteConversations(folder / "talk.sqlite")


Kind = type[MemoryConversations | SqliteConversations | GitConversations]


def make(kind: Kind, folder: Path) -> ConversationStore:
    """A store of that kind in a folder: the one that stands there, if one does."""
    if issubclass(kind, GitConversations):
        return kind(init_repository(folder / "memory", bare=True, fsync=False)[0])
    return kind(folder / "talk.sqlite") if issubclass(kind, SqliteConversations) else kind()


def failing(kind: Kind, folder: Path) -> set[str]:
    """The tests of the suite that a kind of store fails, each on a store of its own."""

    class Suite(ConversationStoreSuite):
        def make(self, folder: Path) -> ConversationStore:
            return make(kind, folder)

        def reopen(self, folder: Path) -> ConversationStore | None:
            return None if issubclass(kind, MemoryConversations) else make(kind, folder)

    failed = set()
    for name, test in inspect.getmembers(Suite, inspect.isfunction):
        if name.startswith("test_"):
            (folder / name).mkdir()
            if not passes(Suite(), test, folder / name):
                failed.add(name)
    return failed


def passes(suite: ConversationStoreSuite, test: Callable[..., None], folder: Path) -> bool:
    """Run one test as pytest would; one that is not asked of the store counts as passed."""
    arguments = [suite.make(folder)]
    if "other" in inspect.signature(test).parameters:
        other = suite.reopen(folder)
        if other is None:
            return True
        arguments.append(other)
    try:
        test(suite, *arguments)
    except (Exception, pytest.fail.Exception):  # noqa: BLE001 - whatever a test raises, it fails
        return False
    return True


@pytest.mark.parametrize("kind", [MemoryConversations, SqliteConversations, GitConversations])
def test_the_suite_passes_the_stores_that_are_right(kind: Kind, tmp_path: Path) -> None:
    assert failing(kind, tmp_path) == set()


@pytest.mark.parametrize(("kind", "test"), WRONG.items(), ids=[kind.__name__ for kind in WRONG])
def test_the_suite_fails_a_store_that_is_wrong(kind: Kind, test: str, tmp_path: Path) -> None:
    failed = failing(kind, tmp_path)
    assert test in failed, sorted(failed)
