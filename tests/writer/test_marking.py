"""Turns are marked as written, many batches together (0.16, 9.5)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gitmem.conversations.model import Mark, NodeId
from gitmem.errors import Code, Conflict
from gitmem.ids import Oid, WorkspaceId
from gitmem.store.steps import no_step
from gitmem.writer import marking
from gitmem.writer.marking import Marking

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pytest

OWN = WorkspaceId("w-00000001")
FIRST, SECOND = Oid("1" * 40), Oid("2" * 40)


@dataclass
class Noted:
    """What a store was told; with ``busy`` it refuses."""

    calls: list[tuple[list[NodeId], Mark]] = field(default_factory=list)
    busy: bool = False

    def mark(self, nodes: Iterable[NodeId], mark: Mark) -> None:
        if self.busy:
            raise Conflict(Code.REPOSITORY_BUSY, "somebody else writes")
        self.calls.append((list(nodes), mark))


def nodes(*names: str) -> list[NodeId]:
    return [NodeId(name) for name in names]


def test_batches_are_marked_together_as_the_newest_commit_has_them() -> None:
    store = Noted()
    marks = Marking(store, OWN, no_step)
    marks.add(nodes("a", "b"), FIRST)
    marks.add(nodes("c"), SECOND)
    assert store.calls == []
    marks.finish()
    marks.finish()
    assert store.calls == [(nodes("a", "b", "c"), Mark(OWN, SECOND))]


def test_no_more_wait_than_are_read_again_cheaply(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(marking, "MOST_UNMARKED", 2)
    store = Noted()
    marks = Marking(store, OWN, no_step)
    marks.add(nodes("a"), FIRST)
    marks.add(nodes("b"), SECOND)
    marks.add(nodes("c"), SECOND)
    assert store.calls == [(nodes("a", "b"), Mark(OWN, SECOND))]


def test_a_mark_that_cannot_be_made_fails_no_batch(caplog: pytest.LogCaptureFixture) -> None:
    marks = Marking(Noted(busy=True), OWN, no_step)
    marks.add(nodes("a"), FIRST)
    marks.finish()
    assert FIRST in caplog.text
