"""The values of a conversation: sessions, branches, nodes and marks (``architecture.md`` 1 and 2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NewType

from gitmem.errors import Code, InvalidRequest

if TYPE_CHECKING:
    from gitmem.ids import Oid, WorkspaceId

NodeId = NewType("NodeId", str)
"""One turn in its place in a conversation, opaque to everybody but its store (in git: the turn's commit)."""

MAIN = "main"
"""The branch that a conversation goes on from: its current head."""


@dataclass(frozen=True, slots=True, order=True)
class SessionId:
    """A conversation's name; written ``provider/thread``. Both are one path component of an archive, without slash."""

    provider: str
    thread: str

    def __str__(self) -> str:
        """The name as commands take it."""
        return f"{self.provider}/{self.thread}"

    @classmethod
    def parse(cls, text: str) -> SessionId:
        """Read ``provider/thread``; raises ``InvalidRequest`` for anything else."""
        provider, _, thread = text.partition("/")
        if not provider or not thread or "/" in thread:
            raise InvalidRequest(Code.INVALID_ARGUMENT, f"a session is named provider/thread, not {text!r}")
        return cls(provider, thread)


@dataclass(frozen=True, slots=True)
class Branch:
    """One line of a conversation, from its root to ``head``."""

    name: str
    head: NodeId


@dataclass(frozen=True, slots=True)
class Session:
    """A conversation with its branches: ``main`` first when there is one, the others by name."""

    id: SessionId
    branches: tuple[Branch, ...]

    @property
    def head(self) -> Branch:
        """The branch that the conversation goes on from; the first by name where there is no ``main``."""
        return self.branches[0]

    def branch(self, name: str) -> Branch | None:
        """The branch of that name, or ``None``."""
        return next((branch for branch in self.branches if branch.name == name), None)


def session_of(session: SessionId, heads: dict[str, NodeId]) -> Session:
    """Order the branches as ``Session`` promises; ``heads`` has at least one."""
    names = sorted(heads, key=lambda name: (name != MAIN, name))
    return Session(session, tuple(Branch(name, heads[name]) for name in names))


@dataclass(frozen=True, slots=True, order=True)
class Mark:
    """Memory of this workspace has written the turn, in that memory commit (``behaviours.md`` 0.3)."""

    workspace: WorkspaceId
    commit: Oid
