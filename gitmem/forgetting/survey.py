"""Looking once at every version of every file that any history holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.errors import Refused
from gitmem.forgetting.files import Files
from gitmem.forgetting.headers import read_head
from gitmem.format.turn import parse_turn
from gitmem.store.raw import every_commit, read_raw
from gitmem.store.snapshot import EMPTY_TREE, differences
from gitmem.store.worktrees import indexed_blobs

if TYPE_CHECKING:
    from collections.abc import Callable

    from gitmem.forgetting.erased import Erased
    from gitmem.forgetting.tips import Tips
    from gitmem.format.turn import Turn
    from gitmem.ids import Oid
    from gitmem.store.repository import Repo

_SUBMODULE = 0o160000


class Survey:
    """What all histories hold: ``commits`` each after its parents, ``files``, and ``turns``, the erased ones' nodes."""

    def __init__(self, repo: Repo, tips: Tips, erased: Erased) -> None:
        """Nothing is looked at yet."""
        self._repo, self._tips = repo, tips
        self.files = Files(erased)
        self.commits: list[Oid] = []
        self.turns: dict[Oid, Turn] = {}
        self._seen: set[tuple[str, Oid]] = set()
        self._trees: dict[Oid, Oid] = {}

    def run(self, progress: Callable[[int], None] = lambda _: None) -> Survey:
        """Look at everything; ``progress`` is told how many commits were looked at."""
        for oid in every_commit(self._repo, self._tips.commits(self._repo)):
            self.commits.append(oid)
            self._look_at_commit(oid)
            progress(len(self.commits))
        for worktree in self._tips.worktrees:
            for path, mode, blob in indexed_blobs(worktree):
                self._look(path, blob, mode)
        return self

    def _look_at_commit(self, oid: Oid) -> None:
        raw = read_raw(self._repo, oid)
        head = read_head(raw.data if raw is not None else b"")
        self._trees[oid] = head.tree
        if head.tree == EMPTY_TREE:
            self._look_at_turn(oid, head.message)
            return
        before = self._trees.get(head.parents[0], EMPTY_TREE) if head.parents else EMPTY_TREE
        changed = (change.new for change in differences(self._repo, before, head.tree) if change.new is not None)
        for entry in sorted(changed, key=lambda entry: (not entry.path.startswith("topics/"), entry.path)):
            self._look(entry.path, entry.oid, entry.mode)

    def _look(self, path: str, oid: Oid, mode: int) -> None:
        if (path, oid) in self._seen or mode == _SUBMODULE:
            return
        self._seen.add((path, oid))
        raw = read_raw(self._repo, oid)
        if raw is not None:
            self.files.look(path, oid, raw.data)

    def _look_at_turn(self, oid: Oid, message: bytes) -> None:
        turn = turn_of(message)
        handle = None if turn is None else f"{turn.provider}/{turn.thread}/{turn.id}"
        if turn is not None and handle is not None and self.files.erased.has(handle):
            self.turns[oid] = turn
            self.files.needle(handle, turn.content)


def turn_of(message: bytes) -> Turn | None:
    """The turn that a commit's message holds; ``None`` when it holds none."""
    try:
        return parse_turn(message.decode("utf-8", "surrogateescape"))
    except Refused:
        return None
