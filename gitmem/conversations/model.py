"""The values of a conversation: sessions, branches, nodes and marks (``architecture.md`` 1 and 2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NewType

from gitmem.errors import Code, InvalidRequest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitmem.ids import Oid, WorkspaceId

NodeId = NewType("NodeId", str)
"""One turn in its place in a conversation, opaque to everybody but its store (in git: the turn's commit)."""

MAIN = "main"
"""The branch that a conversation goes on from: its current head."""

ARCHIVED_PREFIX = "archived/"
"""How the name of a branch begins that is kept and no longer live: nothing of it alone is pending."""


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

    @property
    def is_archived(self) -> bool:
        """Whether it is kept and no longer live."""
        return self.name.startswith(ARCHIVED_PREFIX)

    @property
    def title(self) -> str:
        """The name that people use, which being archived does not change."""
        return self.name.removeprefix(ARCHIVED_PREFIX)


@dataclass(frozen=True, slots=True)
class Session:
    """A conversation with its live branches, at least one: ``main`` first when there is one, the others by name."""

    id: SessionId
    branches: tuple[Branch, ...]
    archived: tuple[Branch, ...] = ()

    @property
    def head(self) -> Branch:
        """The branch that the conversation goes on from; the first by name where there is no ``main``."""
        return self.branches[0]

    @property
    def every_branch(self) -> tuple[Branch, ...]:
        """The live branches, then the archived ones."""
        return (*self.branches, *self.archived)

    def branch(self, title: str) -> Branch | None:
        """The branch that people call so, a live one before an archived one, or ``None``."""
        return next((branch for branch in self.every_branch if title in {branch.title, branch.name}), None)


def session_of(session: SessionId, heads: Mapping[str, NodeId]) -> Session:
    """Order the branches as ``Session`` promises; ``heads`` has at least one.

    Where all of them are archived they count as live: no conversation goes on from nowhere.
    """
    names = sorted(heads, key=lambda name: (name != MAIN, name))
    branches = [Branch(name, heads[name]) for name in names]
    live = tuple(branch for branch in branches if not branch.is_archived)
    if not live:
        return Session(session, tuple(branches))
    return Session(session, live, tuple(branch for branch in branches if branch.is_archived))


@dataclass(frozen=True, slots=True)
class Outline:
    """What is to be known of a turn in its place without its text.

    ``depth`` counts the turns that lead to it, itself included, machinery too. ``eligible`` says whether it is of the
    kind that is written up (``behaviours.md`` 9.4).
    """

    node: NodeId
    id: str
    depth: int
    eligible: bool


@dataclass(frozen=True, slots=True, order=True)
class Mark:
    """Memory of this workspace has written the turn, in that memory commit (``behaviours.md`` 0.3)."""

    workspace: WorkspaceId
    commit: Oid
