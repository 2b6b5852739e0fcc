"""Notes whose objects have other ids now: each goes where its object went, commit by commit."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gitmem.forgetting.headers import read_head, unsigned, write_head
from gitmem.ids import Oid
from gitmem.store.raw import Kind, every_commit, read_raw, write_raw
from gitmem.store.snapshot import EMPTY_TREE, Snapshot, differences
from gitmem.store.staging import Staging

if TYPE_CHECKING:
    from gitmem.forgetting.finder import Finder
    from gitmem.forgetting.rewriting import Rewriting
    from gitmem.store.repository import Repo

_SHA = re.compile(r"\b[0-9a-f]{40}\b")
_WHOLE = re.compile(r"[0-9a-f]{40}")


class Noted:
    """Rewrites the commits of notes; ``new`` maps those that changed."""

    def __init__(self, repo: Repo, rewriting: Rewriting, finder: Finder) -> None:
        """To be made when every other commit is rewritten."""
        self._repo, self._rewriting, self._finder = repo, rewriting, finder
        self.new: dict[Oid, Oid] = {}
        self._trees: dict[Oid, tuple[Oid, Oid]] = {}

    def tip(self, tip: Oid) -> Oid:
        """The new tip of a notes ref."""
        for oid in every_commit(self._repo, [tip]):
            if oid not in self._trees:
                self._rewrite(oid)
        return self.new.get(tip, tip)

    def _rewrite(self, oid: Oid) -> None:
        raw = read_raw(self._repo, oid)
        head = read_head(raw.data if raw is not None else b"")
        before = (
            self._trees.get(head.parents[0], (EMPTY_TREE, EMPTY_TREE)) if head.parents else (EMPTY_TREE, EMPTY_TREE)
        )
        tree = self._tree(before, head.tree)
        self._trees[oid] = (head.tree, tree)
        parents = tuple(self.new.get(parent, parent) for parent in head.parents)
        changed = head._replace(tree=tree, parents=parents)
        if changed != head:
            self.new[oid] = write_raw(self._repo, Kind.COMMIT, write_head(unsigned(changed)))

    def _tree(self, before: tuple[Oid, Oid], tree: Oid) -> Oid:
        """The new tree, from the new one before and what changed since: as much work as there was change."""
        staging = Staging(self._repo, Snapshot(self._repo, before[1]))
        changes = list(differences(self._repo, before[0], tree))
        for change in changes:
            if change.old is not None and (place := self._place(change.path)) is not None:
                staging.delete(place)
        for change in changes:
            place = self._place(change.path) if change.new is not None else None
            raw = None if place is None or change.new is None else read_raw(self._repo, change.new.oid)
            if place is not None and raw is not None:
                staging.write(place, self._text(raw.data))
        return staging.build()

    def _place(self, path: str) -> str | None:
        """Where the note stands now; ``None`` when its object was erased."""
        name = path.replace("/", "")
        if not _WHOLE.fullmatch(name) or name not in self._rewriting.new:
            return path
        new = self._rewriting.new[Oid(name)]
        if new is None:
            return None
        cuts = [len(part) for part in path.split("/")]
        starts = [sum(cuts[:number]) for number in range(len(cuts))]
        return "/".join(new[start : start + length] for start, length in zip(starts, cuts, strict=True))

    def _text(self, data: bytes) -> bytes:
        text = _SHA.sub(lambda found: self._rewriting.mapped(found.group()), data.decode("utf-8", "surrogateescape"))
        lines = text.split("\n")
        kept = [line for line in lines if self._finder.find(line.encode("utf-8", "surrogateescape")) is None]
        return "\n".join(kept).encode("utf-8", "surrogateescape")
