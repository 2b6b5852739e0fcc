"""What stands of conversations in a repository: refs that end branches, commits that are turns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.conversations.model import NodeId, SessionId
from gitmem.conversations.turn_index import Entry
from gitmem.errors import Code, NotFound
from gitmem.format.layout import SESSIONS_PREFIX, parse_session_ref, session_ref
from gitmem.format.turn import parse_turn
from gitmem.ids import WHOLE_OID, Oid
from gitmem.store.commits import read_commit, read_message
from gitmem.store.damage import lost
from gitmem.store.refs import first_parents, list_refs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.format.turn import Turn
    from gitmem.store.commits import Commit
    from gitmem.store.repository import Repo


class GitTurns:
    """Reads refs and commits, as they are now."""

    def __init__(self, repo: Repo) -> None:
        """Read this repository."""
        self._repo = repo
        self._listed: dict[SessionId, dict[str, NodeId]] = {}

    def branches(self) -> dict[SessionId, dict[str, NodeId]]:
        """Where every branch of every conversation ends."""
        found: dict[SessionId, dict[str, NodeId]] = {}
        for session, branch, head in self._heads(SESSIONS_PREFIX):
            found.setdefault(session, {})[branch] = head
        self._listed = found
        return found

    def branches_of(self, session: SessionId) -> dict[str, NodeId]:
        """Where every branch of a conversation ends; empty when there is none."""
        return {branch: head for _, branch, head in self._heads(session_prefix(session))}

    def heads(self, session: SessionId) -> tuple[NodeId, ...]:
        """The same without names."""
        return tuple(self.branches_of(session).values())

    def listed(self, session: SessionId) -> tuple[NodeId, ...]:
        """Where they ended when all conversations were last listed; empty when they were not."""
        return tuple(self._listed.get(session, {}).values())

    def turn(self, node: NodeId) -> Turn:
        """The turn of a commit.

        Raises ``NotFound`` when there is no such commit, ``Refused`` (``SESSION_NODES_UNAVAILABLE``) when it is none of
        a turn.
        """
        message = read_message(self._repo, Oid(node))
        if message is None:
            raise _no_turn(node)
        return parse_turn(message)

    def entry(self, node: NodeId) -> Entry:
        """What the index holds of it; raises as ``turn`` does."""
        commit = self._commit(node)
        parent = next((NodeId(oid) for oid in commit.parents), None)
        return Entry.of(node, parent, parse_turn(commit.message))

    def lineage(self, node: NodeId) -> Iterator[NodeId]:
        """The commit and its first parents, newest first."""
        return (NodeId(passed.oid) for passed in first_parents(self._repo, Oid(node)))

    def _heads(self, prefix: str) -> Iterator[tuple[SessionId, str, NodeId]]:
        for ref in list_refs(self._repo, prefix):
            name = parse_session_ref(ref.name)
            if name is not None:  # somebody's own ref in gitmem's folder is none of ours
                if not WHOLE_OID.fullmatch(ref.oid):
                    raise lost(ref.name, "ref")
                yield SessionId(name.provider, name.thread), name.branch, NodeId(ref.oid)

    def _commit(self, node: NodeId) -> Commit:
        commit = read_commit(self._repo, Oid(node))
        if commit is None:
            raise _no_turn(node)
        return commit


def _no_turn(node: NodeId) -> NotFound:
    return NotFound(Code.SOURCE_NOT_FOUND, f"there is no turn {node}; if a ref names it, `gitmem doctor` says which")


def session_prefix(session: SessionId) -> str:
    """How the names of a conversation's refs begin."""
    return session_ref(session.provider, session.thread, "x").removesuffix("x")
