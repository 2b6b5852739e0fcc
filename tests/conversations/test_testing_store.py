"""The store in memory keeps the protocol, and the suite notices a store that does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gitmem.testing.conversation_suite import ConversationStoreSuite
from gitmem.testing.conversations import MemoryConversations

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.conversations.model import NodeId, SessionId
    from gitmem.conversations.store import ConversationStore


class TestMemoryConversations(ConversationStoreSuite):
    def make(self, folder: Path) -> ConversationStore:  # noqa: ARG002 - it needs none
        return MemoryConversations()


class Careless(MemoryConversations):
    """A store that does not look where its branches are."""

    def _publish(self, pointed: dict[tuple[SessionId, str], tuple[NodeId | None, NodeId | None]]) -> None:
        super()._publish({key: (head, self._heads.get(key[0], {}).get(key[1])) for key, (head, _) in pointed.items()})


def test_the_suite_fails_a_store_that_overwrites_branches() -> None:
    with pytest.raises(pytest.fail.Exception):
        TestMemoryConversations().test_a_branch_that_moved_meanwhile_is_a_conflict_and_moves_nothing(Careless())
