"""What the tests of a conversation store stand on: how a store is made, and conversations in short."""

# ruff: noqa: D102, S101  (a suite of tests: names state outcomes)

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

import pytest

from gitmem.conversations.model import MAIN, Mark, NodeId, SessionId
from gitmem.format.turn import Turn
from gitmem.ids import Oid, WorkspaceId

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from gitmem.conversations.model import Session
    from gitmem.conversations.store import ConversationStore

SESSION = SessionId("telegram", "g1")
OURS = Mark(WorkspaceId("w-00000001"), Oid("1" * 40))
THEIRS = Mark(WorkspaceId("w-00000002"), Oid("2" * 40))


def turn(name: str, parent: str | None = None, *, session: SessionId = SESSION, **values: object) -> Turn:
    """A turn that says its own id."""
    fields: dict[str, object] = {"role": "user", "content": f"this is {name}", **values}
    return Turn(provider=session.provider, thread=session.thread, id=name, parent=parent, **fields)  # type: ignore[arg-type]


def grow_line(
    store: ConversationStore, names: Iterable[str], *, session: SessionId = SESSION, branch: str = MAIN
) -> list[NodeId]:
    """Keep turns one after the other on a new branch; their nodes, oldest first."""
    nodes: list[NodeId] = []
    before: str | None = None
    with store.batch() as batch:
        for name in names:
            nodes.append(batch.add(turn(name, before, session=session), nodes[-1] if nodes else None))
            before = name
        batch.point(session, branch, nodes[-1], expected=None)
    return nodes


def here(store: ConversationStore) -> Session:
    """The conversation that the tests are about."""
    found = store.session(SESSION)
    assert found is not None
    return found


class StoreTests(ABC):
    """Tests of a store that ``make`` makes."""

    @abstractmethod
    def make(self, folder: Path) -> ConversationStore:
        """Make an empty store; ``folder`` is empty and the store's own."""

    def reopen(self, folder: Path) -> ConversationStore | None:  # noqa: ARG002 - the default has none
        """Open the store that ``make`` made in the folder once more, as another process would.

        ``None``: it lives in one process alone, and what is promised to several is not asked of it.
        """
        return None

    @pytest.fixture
    def store(self, tmp_path: Path) -> ConversationStore:
        return self.make(tmp_path)

    @pytest.fixture
    def other(self, store: ConversationStore, tmp_path: Path) -> ConversationStore:
        assert store is not None
        other = self.reopen(tmp_path)
        if other is None:
            pytest.skip("the store lives in one process")
        return other
