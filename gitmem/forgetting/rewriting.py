"""Commits and tags without what is erased, each after everything that it names."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import replace
from typing import TYPE_CHECKING

from gitmem.forgetting.finder import Finder, text_needles
from gitmem.forgetting.headers import read_head, retagged, tagged, unsigned, write_head
from gitmem.forgetting.messages import Step, named_commits, names_erased, said_anew, with_commits
from gitmem.forgetting.survey import turn_of
from gitmem.forgetting.trees import UNBORN, Pair, Trees
from gitmem.format.turn import render_turn
from gitmem.store.raw import Kind, read_raw, write_raw
from gitmem.store.snapshot import EMPTY_TREE, Snapshot

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gitmem.forgetting.headers import Head
    from gitmem.forgetting.survey import Survey
    from gitmem.ids import Oid
    from gitmem.store.repository import Repo

_SHORTEST_FOREIGN = 7


class Rewriting:
    """The new commits of a survey's old ones. ``new`` maps each that changed; an erased turn to ``None``."""

    def __init__(self, repo: Repo, survey: Survey) -> None:
        """``repo`` takes the objects."""
        self._repo, self._survey = repo, survey
        self.trees = Trees(repo, survey.files)
        self.new: dict[Oid, Oid | None] = {}
        self.tags: dict[Oid, Oid] = {}
        self._done: set[Oid] = set()
        self._roots: dict[Oid, Pair] = {}
        self._known = set(survey.commits)
        self._sorted = sorted(survey.commits)
        files = survey.files
        claims = (
            n for cut in files.cuts.values() if cut.after is None for n in text_needles("claim", cut.before.content)
        )
        self._finder = Finder({*files.needles, *claims})
        self._changed = frozenset(name for cut in files.cuts.values() for name in cut.before.ids)

    def run(self, progress: Callable[[int], None] = lambda _: None) -> Rewriting:
        """Rewrite every commit of the survey."""
        for number, oid in enumerate(self._survey.commits, 1):
            self.commit(oid)
            progress(number)
        return self

    def commit(self, oid: Oid) -> Oid | None:
        """The new commit; for an erased turn what its successors follow now, ``None`` where it began."""
        waiting = [oid]
        while waiting:
            at = waiting[-1]
            before = [] if at in self._done else [named for named in self._names(at) if named not in self._done]
            if before:
                waiting += before
                continue
            waiting.pop()
            if at not in self._done:
                self._rewrite(at)
        return self._heir(oid)

    def tag(self, oid: Oid) -> Oid | None:
        """What a ref names now: a new tag, a new commit, or what it was; ``None`` when nothing is left."""
        raw = read_raw(self._repo, oid)
        if raw is None or raw.kind is not Kind.TAG:
            return self.commit(oid) if raw is not None and raw.kind is Kind.COMMIT else oid
        target, kind = tagged(raw.data)
        new = self.tag(target) if kind in {"tag", "commit"} else target
        if new is None:
            return None
        message = raw.data.partition(b"\n\n")[2].decode("utf-8", "surrogateescape")
        hit = self._finder.find(raw.data) is not None
        if new != target or hit:
            data = retagged(raw.data, new)
            if hit:
                kept = (line for line in message.split("\n") if self._finder.find(line.encode()) is None)
                data = data.partition(b"\n\n")[0] + b"\n\n" + "\n".join(kept).encode("utf-8", "surrogateescape")
            self.tags[oid] = write_raw(self._repo, Kind.TAG, data)
        return self.tags.get(oid, oid)

    def mapped(self, name: str) -> str:
        """The id of a commit, or the beginning of one, as it is now; anything else as it is."""
        old = self._meant(name)
        new = None if old is None else self.new.get(old, old)
        return name if new is None or new == old else new[: len(name)]

    def _meant(self, name: str) -> Oid | None:
        place = bisect_left(self._sorted, name)
        found = self._sorted[place : place + 2]
        if not found or not found[0].startswith(name) or (len(found) > 1 and found[1].startswith(name)):
            return None
        return found[0]

    def _names(self, oid: Oid) -> Iterator[Oid]:
        """Parents, and the commits that the message names."""
        raw = read_raw(self._repo, oid)
        head = read_head(raw.data if raw is not None else b"")
        yield from (parent for parent in head.parents if parent in self._known)
        if head.tree != EMPTY_TREE:
            named = (self._meant(name) for name in named_commits(_text(head.message)))
            yield from (other for other in named if other is not None and other != oid)

    def _heir(self, oid: Oid) -> Oid | None:
        """The commit that stands for an old one: an erased turn's is that of the turn before it."""
        while oid in self._survey.turns:
            raw = read_raw(self._repo, oid)
            parents = read_head(raw.data if raw is not None else b"").parents
            if not parents:
                return None
            oid = parents[0]
        return self.new.get(oid, oid)

    def _rewrite(self, oid: Oid) -> None:
        self._done.add(oid)
        if oid in self._survey.turns:
            self.new[oid] = None
            return
        raw = read_raw(self._repo, oid)
        head = read_head(raw.data if raw is not None else b"")
        parents = tuple(new for parent in head.parents if (new := self._heir(parent)) is not None)
        before = self._roots.get(head.parents[0], UNBORN) if head.parents else UNBORN
        tree = head.tree if head.tree == EMPTY_TREE else self.trees.root(head.tree, before)
        self._roots[oid] = (head.tree, tree)
        message = self._message(head, tree, parents)
        changed = head._replace(tree=tree, parents=parents, message=message)
        if changed != head:
            self.new[oid] = write_raw(self._repo, Kind.COMMIT, write_head(unsigned(changed)))

    def _message(self, head: Head, tree: Oid, parents: tuple[Oid, ...]) -> bytes:
        if head.tree == EMPTY_TREE and (turn := turn_of(head.message)) is not None:
            before = head.parents[0] if head.parents else None
            if before not in self._survey.turns:
                return head.message
            return render_turn(replace(turn, parent=self._turn_id(parents))).message.encode()
        text = _text(head.message)
        if names_erased(text, self._survey.files.erased, self._finder, self._changed):
            old, new = self._step(head.tree, head.parents), self._step(tree, parents)
            text = said_anew(text, old, new, self._finder)
        return with_commits(text, self.mapped).encode("utf-8", "surrogateescape")

    def _turn_id(self, parents: tuple[Oid, ...]) -> str | None:
        raw = read_raw(self._repo, parents[0]) if parents else None
        turn = None if raw is None else turn_of(read_head(raw.data).message)
        return None if turn is None else turn.id

    def _step(self, tree: Oid, parents: tuple[Oid, ...]) -> Step:
        raw = read_raw(self._repo, parents[0]) if parents else None
        before = EMPTY_TREE if raw is None else read_head(raw.data).tree
        return Step(Snapshot(self._repo, before), Snapshot(self._repo, tree))


def _text(message: bytes) -> str:
    return message.decode("utf-8", "surrogateescape")
