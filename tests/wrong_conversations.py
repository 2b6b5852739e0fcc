"""Conversation stores that are wrong in one way each, with a test of the suite that must notice."""

from __future__ import annotations

import uuid
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from gitmem.conversations.model import ARCHIVED_PREFIX, Mark, NodeId, Outline, Session, SessionId, session_of
from gitmem.testing.conversations import MemoryBatch, MemoryConversations
from gitmem.testing.sqlite_conversations import SqliteConversations

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from gitmem.format.turn import Turn

    Pointed = dict[tuple[SessionId, str], tuple[NodeId | None, NodeId | None]]


class LosesParents(MemoryConversations):
    @contextmanager
    def batch(self) -> Iterator[MemoryBatch]:
        with super().batch() as batch:
            add = batch.add
            batch.add = lambda turn, _: add(turn, None)  # type: ignore[method-assign]
            yield batch


class OverwritesBranches(MemoryConversations):
    def _publish(self, pointed: Pointed) -> None:
        super()._publish({key: (head, self._heads.get(key[0], {}).get(key[1])) for key, (head, _) in pointed.items()})


class PublishesHalf(MemoryConversations):
    def _publish(self, pointed: Pointed) -> None:
        for key, value in pointed.items():
            super()._publish({key: value})


class ShowsEarly(MemoryConversations):
    @contextmanager
    def batch(self) -> Iterator[MemoryBatch]:
        with super().batch() as batch:
            point = batch.point

            def at_once(session: SessionId, branch: str, head: NodeId | None, *, expected: NodeId | None) -> None:
                point(session, branch, head, expected=expected)
                self._publish({(session, branch): (head, expected)})
                batch.pointed.clear()

            batch.point = at_once  # type: ignore[method-assign]
            yield batch


class PublishesAfterAnError(MemoryConversations):
    @contextmanager
    def batch(self) -> Iterator[MemoryBatch]:
        batch = MemoryBatch(self._turns)
        try:
            yield batch
        finally:
            self._publish(batch.pointed)


class KeepsDeletedBranches(MemoryConversations):
    def _publish(self, pointed: Pointed) -> None:
        super()._publish({key: value for key, value in pointed.items() if value[0] is not None})


class TakesTwins(MemoryConversations):
    def _publish(self, pointed: Pointed) -> None:
        for (session, branch), (head, expected) in pointed.items():
            if self._heads.get(session, {}).get(branch) != expected:
                super()._publish(pointed)
            if head is not None:
                self._heads.setdefault(session, {})[branch] = head
            elif self._heads[session].pop(branch) and not self._heads[session]:
                del self._heads[session]


class ReadsOldestFirst(MemoryConversations):
    def lineage(self, node: NodeId) -> Iterator[NodeId]:
        return reversed(list(super().lineage(node)))


class LeavesOutTheHead(MemoryConversations):
    def lineage(self, node: NodeId) -> Iterator[NodeId]:
        line = super().lineage(node)
        next(line)
        return line


class CleansBodies(MemoryConversations):
    def turn(self, node: NodeId) -> Turn:
        found = super().turn(node)
        return replace(found, content=found.content.replace("\r\n", "\n"))


class InventsTurns(MemoryConversations):
    def turn(self, node: NodeId) -> Turn:
        return super().turn(node if node in self._turns else next(iter(self._turns)))


class NamesNodesByTheirTurn(MemoryConversations):
    @contextmanager
    def batch(self) -> Iterator[MemoryBatch]:
        with super().batch() as batch:

            def add(turn: Turn, parent: NodeId | None) -> NodeId:
                self._turns[NodeId(turn.id)] = (turn, parent)
                return NodeId(turn.id)

            batch.add = add  # type: ignore[method-assign]
            yield batch


class NamesNodesAnew(MemoryConversations):
    @contextmanager
    def batch(self) -> Iterator[MemoryBatch]:
        with super().batch() as batch:

            def add(turn: Turn, parent: NodeId | None) -> NodeId:
                node = NodeId(uuid.uuid4().hex)
                self._turns[node] = (turn, parent)
                return node

            batch.add = add  # type: ignore[method-assign]
            yield batch


class ForgetsOrder(MemoryConversations):
    def sessions(self) -> tuple[Session, ...]:
        return super().sessions()[::-1]


class RepeatsMarks(MemoryConversations):
    def mark(self, nodes: Iterable[NodeId], mark: Mark) -> None:
        for node in nodes:
            self._marks[node] = (*self._marks.get(node, ()), mark)  # type: ignore[assignment]


class ReplacesMarks(MemoryConversations):
    def mark(self, nodes: Iterable[NodeId], mark: Mark) -> None:
        for node in nodes:
            self._marks[node] = frozenset({mark})


class MarksOneTurn(MemoryConversations):
    def mark(self, nodes: Iterable[NodeId], mark: Mark) -> None:
        super().mark(list(nodes)[:1], mark)


class MarksWhatCameBefore(MemoryConversations):
    def mark(self, nodes: Iterable[NodeId], mark: Mark) -> None:
        super().mark((step for node in nodes for step in self.lineage(node)), mark)


class MovesABranchAsItMarks(MemoryConversations):
    def mark(self, nodes: Iterable[NodeId], mark: Mark) -> None:
        nodes = list(nodes)
        super().mark(nodes, mark)
        for heads in self._heads.values():
            heads.update(dict.fromkeys(["written"], nodes[0]) if nodes else {})


class CountsFromTheHead(MemoryConversations):
    def outline(self, node: NodeId) -> Iterator[Outline]:
        for place, step in enumerate(super().outline(node), start=1):
            yield replace(step, depth=place)


class WritesEverything(MemoryConversations):
    def outline(self, node: NodeId) -> Iterator[Outline]:
        return (replace(step, eligible=True) for step in super().outline(node))


class FindsOnLiveBranchesAlone(MemoryConversations):
    def find(self, session: Session, turn_id: str) -> NodeId | None:
        return super().find(replace(session, archived=()), turn_id)


class FindsWhatIsGone(MemoryConversations):
    def find(self, session: Session, turn_id: str) -> NodeId | None:
        found = (
            node for node, (turn, _) in self._turns.items() if turn.id == turn_id and turn.thread == session.id.thread
        )
        return next(found, None)


class HearsMachines(MemoryConversations):
    def speakers(self, session: Session) -> Mapping[str, NodeId]:
        line = (node for branch in session.branches for node in self.lineage(branch.head))
        return {key: node for node in line if (key := self.turn(node).speaker_id)}


class WakesArchivedBranches(MemoryConversations):
    def session(self, session: SessionId) -> Session | None:
        heads = {name.removeprefix(ARCHIVED_PREFIX): head for name, head in self._heads.get(session, {}).items()}
        return session_of(session, heads) if heads else None


class MarksInMemory(SqliteConversations):
    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._kept = MemoryConversations()

    def marks(self, node: NodeId) -> tuple[Mark, ...]:
        return self._kept.marks(node)

    def mark(self, nodes: Iterable[NodeId], mark: Mark) -> None:
        self._kept.mark(nodes, mark)


class LooksOnce(SqliteConversations):
    """It remembers where branches ended when it first looked."""

    _first: Session | None = None

    def session(self, session: SessionId) -> Session | None:
        self._first = self._first or super().session(session)
        return self._first


WRONG: dict[type[MemoryConversations | SqliteConversations], str] = {
    LosesParents: "test_a_branch_leads_from_its_head_to_the_root",
    OverwritesBranches: "test_a_branch_that_moved_meanwhile_is_a_conflict_and_moves_nothing",
    PublishesHalf: "test_a_branch_that_moved_meanwhile_is_a_conflict_and_moves_nothing",
    ShowsEarly: "test_nothing_is_visible_before_the_batch_ends",
    PublishesAfterAnError: "test_a_failed_batch_leaves_nothing",
    KeepsDeletedBranches: "test_a_conversation_without_branches_is_gone",
    TakesTwins: "test_names_that_one_file_system_takes_for_each_other_are_refused",
    ReadsOldestFirst: "test_a_branch_leads_from_its_head_to_the_root",
    LeavesOutTheHead: "test_a_branch_leads_from_its_head_to_the_root",
    CleansBodies: "test_a_turn_comes_back_as_it_was_given",
    InventsTurns: "test_an_unknown_node_is_not_found",
    NamesNodesByTheirTurn: "test_another_place_or_another_word_is_another_node",
    NamesNodesAnew: "test_the_same_turn_in_the_same_place_is_the_same_node",
    ForgetsOrder: "test_conversations_come_by_provider_and_thread",
    RepeatsMarks: "test_a_mark_put_twice_is_there_once",
    ReplacesMarks: "test_marks_of_several_memories_stand_beside_each_other",
    MarksOneTurn: "test_marks_are_kept_for_every_turn_they_are_put_on",
    MarksWhatCameBefore: "test_a_mark_is_on_its_turn_alone",
    MovesABranchAsItMarks: "test_marking_moves_no_branch",
    CountsFromTheHead: "test_an_outline_tells_what_a_lineage_leads_to",
    WritesEverything: "test_an_outline_tells_what_a_lineage_leads_to",
    FindsOnLiveBranchesAlone: "test_a_turn_is_found_by_its_id_on_any_branch",
    FindsWhatIsGone: "test_a_turn_to_which_no_branch_leads_is_not_found",
    HearsMachines: "test_the_people_who_spoke_are_told_apart_by_id_or_name",
    WakesArchivedBranches: "test_archived_branches_are_kept_apart",
    MarksInMemory: "test_what_one_keeps_another_reads",
    LooksOnce: "test_of_two_that_move_a_branch_one_is_told",
}
"""Each wrong store with a test that must notice; others may, too."""
