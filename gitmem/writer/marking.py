"""Noting on turns that they were written, for many batches at once (``behaviours.md`` 0.16, 9.5)."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from gitmem.conversations.model import Mark
from gitmem.errors import GitmemError
from gitmem.store.steps import step

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.conversations.model import NodeId
    from gitmem.conversations.store import ConversationStore
    from gitmem.ids import Oid, WorkspaceId
    from gitmem.store.steps import OnStep

MOST_UNMARKED = 16_384
"""Turns that may wait for their marks."""

_LOG = logging.getLogger("gitmem.writer")
_LOG.addHandler(logging.NullHandler())  # a host that wants to hear of it says so; nothing is printed otherwise


class Marking:
    """Collects what was written, and marks it together: a mark costs a folder of notes, however few come at once.

    What is marked together names the newest of its memory commits, which has all of it written. Nothing is lost when a
    process dies in between: what a writer archived counts as written without a mark.
    """

    def __init__(self, store: ConversationStore, workspace: WorkspaceId, on_step: OnStep) -> None:
        """Nothing waits."""
        self._store = store
        self._workspace = workspace
        self._on_step = on_step
        self._nodes: list[NodeId] = []
        self._newest: Oid | None = None

    def add(self, nodes: Sequence[NodeId], commit: Oid) -> None:
        """Take the turns of a batch that the commit wrote; it comes after those of earlier batches."""
        self._nodes += nodes
        self._newest = commit
        if len(self._nodes) >= MOST_UNMARKED:
            self.finish()

    def finish(self) -> None:
        """Mark what waits. What fails here is no failure of the batches, which stand."""
        nodes, commit = self._nodes, self._newest
        self._nodes = []
        if not nodes or commit is None:
            return
        try:
            with step(self._on_step, "mark"):
                self._store.mark(nodes, Mark(self._workspace, commit))
        except (GitmemError, OSError):
            _LOG.warning("what was installed up to %s could not be marked", commit, exc_info=True)
