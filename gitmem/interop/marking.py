"""What another program's memory has written, as marks of this workspace (``behaviours.md`` 0.3, 9.2, 9.10)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gitmem.conversations.model import Mark
from gitmem.conversations.pending import handle_of
from gitmem.conversations.speaking import is_eligible
from gitmem.format.layout import GITMEM
from gitmem.format.workspace_file import parse_workspace_file
from gitmem.ids import Oid

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gitmem.conversations.model import NodeId, Session, SessionId
    from gitmem.conversations.store import ConversationStore
    from gitmem.format.model import Record
    from gitmem.format.turn import Turn
    from gitmem.ids import SourceId
    from gitmem.interop.reading import Written
    from gitmem.memory import Memory

_TITLE = re.compile(rb"# ([^\n]*?)\r?\n\s*")


def mark_written(store: ConversationStore, written: Iterable[Written], memory: Memory) -> None:
    """Mark the turns that this workspace's memory has written, as files say; what is marked stays as it is.

    Another workspace's marks say nothing of this one (9.2). Of a conversation that was followed with a cursor, the
    archived beginning of every branch is marked, up to the first turn that is not archived (9.10).
    """
    archives = _Archives(memory)
    told: dict[SessionId, list[Written]] = {}
    for one in written:
        told.setdefault(one.session, []).append(one)
    commits: dict[Oid, list[NodeId]] = {}
    for name, of_session in told.items():
        session = store.session(name)
        found = {} if session is None else _written_nodes(store, session, of_session, archives)
        for node, commit in found.items():
            if not any(mark.workspace == archives.workspace for mark in store.marks(node)):
                commits.setdefault(commit, []).append(node)
    for commit, nodes in commits.items():
        store.mark(nodes, Mark(archives.workspace, commit))


def _written_nodes(
    store: ConversationStore, session: Session, told: list[Written], archives: _Archives
) -> dict[NodeId, Oid]:
    """The turns that were written, each with a memory commit that has it."""
    marked = {one.id for one in told if one.workspace == archives.workspace}
    is_followed = any(one.id is None for one in told)
    found: dict[NodeId, Oid] = {}
    for branch in session.every_branch:
        line = [(node, store.turn(node)) for node in reversed(tuple(store.lineage(branch.head)))]
        for node, turn in line:
            if turn.id in marked and (commit := archives.commit_of(handle_of(turn)) or archives.newest):
                found[node] = commit
        found |= _archived_beginning(line, archives) if is_followed else {}
    return found


def _archived_beginning(line: list[tuple[NodeId, Turn]], archives: _Archives) -> dict[NodeId, Oid]:
    """The turns from the root to the first gap, of those that are written up at all."""
    found: dict[NodeId, Oid] = {}
    for node, turn in line:
        if is_eligible(turn):
            commit = archives.commit_of(handle_of(turn))
            if commit is None:
                break
            found[node] = commit
    return found


class _Archives:
    """What a memory has archived."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self.workspace = parse_workspace_file(memory.snapshot.read(GITMEM) or b"").id
        self.newest = None if memory.revision is None else Oid(memory.revision)

    def commit_of(self, handle: SourceId) -> Oid | None:
        """The memory commit that archived a message; ``None`` for one that is not archived for certain."""
        record = self._memory.facts.source(handle)
        if record is None or not (record.framed or self._is_first_of_its_file(record)):
            return None
        link = self._memory.view.history.archived(handle)
        return self.newest if link is None else link.commit

    def _is_first_of_its_file(self, record: Record) -> bool:
        """Whether a legacy record stands right behind its conversation's title: a later one may be somebody's text."""
        before = (self._memory.snapshot.read(record.path) or b"")[: record.start]
        title = _TITLE.fullmatch(before)
        conversation = record.handle.rpartition("/")[0]
        return title is not None and title[1].decode(errors="replace") in (conversation, conversation.partition("/")[2])
