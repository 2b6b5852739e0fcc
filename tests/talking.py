"""A conversation in a real workspace, in short: what is said in it, what of it is marked, what waits."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gitmem.conversations.model import SessionId
from gitmem.testing.sqlite_conversations import SqliteConversations
from gitmem.workspace import Workspace
from workspaces import ME, QUICK

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.conversations.model import NodeId

SESSION = "chat/today"
NAME = SessionId("chat", "today")


def hosted(folder: Path) -> Workspace:
    return Workspace.open(folder / "w", ME, QUICK, conversations=SqliteConversations(folder / "talk.sqlite"))


def say(workspace: Workspace, *names: str, parent: str | None = None, **more: str) -> None:
    """Add turns one after the other; each says its own name."""
    for name in names:
        workspace.add_turn(SESSION, f"this is {name}", id=name, parent=parent, **more)  # type: ignore[arg-type]
        parent = name


def small(workspace: Workspace) -> Workspace:
    """The same with a threshold that three turns reach."""
    config = replace(QUICK, writer_trigger_tokens=15)
    return Workspace.open(workspace.repo.path, ME, config, conversations=workspace.hosted)


def marked(workspace: Workspace) -> list[str]:
    """The ids of the turns that bear a mark of this workspace."""
    store = workspace.conversations
    session = store.session(NAME)
    assert session is not None
    nodes = {node: None for branch in session.every_branch for node in reversed(list(store.lineage(branch.head)))}
    return [store.turn(node).id for node in nodes if store.marks(node)]


def head(workspace: Workspace) -> NodeId:
    session = workspace.conversations.session(NAME)
    assert session is not None
    return session.head.head


def waiting(workspace: Workspace, branch: str | None = None) -> list[str]:
    return [turn.id for turn in workspace.turns(SESSION, branch=branch, unwritten=True).turns]
