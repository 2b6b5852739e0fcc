"""Conversations in a real repository, read back with plain git."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.conversations.git import GitConversations
from gitmem.store.initialize import init_repository
from gitmem.testing.conversation_suite import ConversationStoreSuite

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.conversations.store import ConversationStore


class TestGitConversations(ConversationStoreSuite):
    def make(self, folder: Path) -> ConversationStore:
        repo, _ = init_repository(folder / "memory", bare=True, fsync=False)
        return GitConversations(repo)
