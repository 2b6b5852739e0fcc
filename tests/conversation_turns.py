"""Short ways to say what a conversation holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.testing.conversation_suite import SESSION

if TYPE_CHECKING:
    from gitmem.conversations.model import NodeId, SessionId
    from gitmem.conversations.store import ConversationStore


def ids(store: ConversationStore, head: NodeId) -> list[str]:
    """The ids of a branch's turns, oldest first."""
    return [store.turn(node).id for node in store.lineage(head)][::-1]


def shown(store: ConversationStore, session: SessionId = SESSION) -> dict[str, str]:
    """Every branch with the ids of its turns, oldest first, as one text."""
    found = store.session(session)
    return {branch.name: " ".join(ids(store, branch.head)) for branch in found.branches} if found else {}
