"""Steps 4 to 10: what the journal says is done, each step as often as needed (``gitmem.forgetting``)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import takewhile
from typing import TYPE_CHECKING

from gitmem.errors import Code, Conflict, GitmemError
from gitmem.forgetting.finder import Finder
from gitmem.forgetting.map_file import parse_map
from gitmem.forgetting.places import clear_git, clear_state, write_stash
from gitmem.forgetting.planning import Planning, no_progress
from gitmem.forgetting.proof import Search
from gitmem.forgetting.worktree import WorktreeCleaning
from gitmem.ids import Oid
from gitmem.store import durability
from gitmem.store.bulk_refs import move_together
from gitmem.store.leftovers import forget_journal_path
from gitmem.store.raw import peeled_commit
from gitmem.store.refs import first_parents, read_ref
from gitmem.store.revision import is_derive_commit
from gitmem.store.state_files import read_state, write_state
from gitmem.store.steps import step
from gitmem.store.surroundings import kept_packs
from gitmem.store.worktrees import worktrees
from gitmem.transaction.rederive import rederive

if TYPE_CHECKING:
    from collections.abc import Callable

    from gitmem.catalog.catalog import Catalog
    from gitmem.forgetting.journal import Journal
    from gitmem.forgetting.planning import Plan
    from gitmem.forgetting.program import Git
    from gitmem.forgetting.proof import Proof
    from gitmem.store.refs import RefMove
    from gitmem.store.repository import Repo
    from gitmem.transaction.options import Options

POINTS = (
    "forget-survey",
    "forget-objects",
    "forget-journal",
    "forget-refs",
    "forget-worktrees",
    "forget-state",
    "forget-prune",
    "forget-views",
    "forget-prove",
    "forget-finish",
)
"""What erasing does, in order, as ``on_step`` is told; ``forget-journal`` is the commit point."""

_TRIES = 5


@dataclass(frozen=True, slots=True)
class Tools:
    """What carrying out needs from its caller: ``catalog`` opens one that was not open before."""

    git: Git
    options: Options
    catalog: Callable[[], Catalog]
    progress: Callable[[str, int], None] = no_progress


@dataclass(frozen=True, slots=True)
class Done:
    """What was proved, and what the person should know."""

    proof: Proof
    warnings: tuple[str, ...]


class Carrying:
    """One erasing, from its journal on."""

    def __init__(self, repo: Repo, journal: Journal, tools: Tools) -> None:
        """Go on from a journal that is on the disk."""
        self._repo, self._journal, self._tools = repo, journal, tools
        self._step = tools.options.on_step

    def run(self) -> Done:
        """Do everything that is left. Raises ``Conflict`` when refs keep moving, ``OSError`` when the disk fails."""
        with step(self._step, "forget-refs"):
            self._move_refs()
        with step(self._step, "forget-worktrees"):
            for worktree in worktrees(self._repo):
                WorktreeCleaning(self._repo.fresh(), worktree, self._journal.order.erased, self._tools.git).run()
        finder = Finder(self._journal.needles)
        with step(self._step, "forget-state"):
            self._clear(finder)
        with step(self._step, "forget-prune"):
            self._prune()
        with step(self._step, "forget-views"):
            warnings = self._render_views()
        with step(self._step, "forget-prove"):
            search = Search(self._repo.fresh(), tuple(worktrees(self._repo)), finder)
            proof = search.run(self._journal.too_short, lambda done: self._tools.progress("searching", done))
        with step(self._step, "forget-finish"):
            durability.discard_file(forget_journal_path(self._repo))
        return Done(proof, warnings)

    def _move_refs(self) -> None:
        for _ in range(_TRIES):
            if self._moved():
                return
            self._plan_again()
        message = "refs keep moving while they are rewritten; end what writes here, then run `gitmem doctor`"
        raise Conflict(Code.CONCURRENT_UPDATE, message)

    def _moved(self) -> bool:
        """Move what has not moved; no, when something stands elsewhere by now."""
        left: list[RefMove] = []
        for move in self._journal.moves:
            now = read_ref(self._repo, move.name)
            if now == move.new or _only_views_since(self._repo, move.new, now):
                continue
            if now != move.old:
                return False
            left.append(move)
        try:
            move_together(self._repo, left, "gitmem: forget")
        except Conflict:
            return False
        for file, old, new in self._journal.own:
            path = self._repo.common_dir / file
            if (read_state(path) or b"").strip() == old.encode():
                write_state(path, new.encode() + b"\n")
        write_stash(self._repo, self._journal.stash)
        return True

    def _plan_again(self) -> None:
        """Somebody committed on the old history meanwhile: their commits are rewritten too."""
        planning = Planning(self._repo.fresh(), self._journal.order)
        planning.survey.run()
        needles = {*self._journal.needles, *planning.survey.files.needles}
        plan = planning.plan(needles, self._journal.map)
        write_map(self._repo, plan)
        self._journal = replace(plan.journal, too_short=self._journal.too_short)
        self._journal.write(self._repo)

    def _clear(self, finder: Finder) -> None:
        ids = parse_map(read_state(self._repo.gitmem_dir / "forget" / self._journal.map) or b"").ids
        clear_git(self._repo, tuple(worktrees(self._repo)))
        clear_state(self._repo, self._journal.order.erased, finder, lambda name: ids.get(Oid(name), name))

    def _prune(self) -> None:
        packs = self._repo.common_dir / "objects" / "pack"
        for name in kept_packs(self._repo):
            (packs / name).unlink(missing_ok=True)
        where = f"--git-dir={self._repo.common_dir}"
        run = self._tools.git.run
        run(where, "repack", "-a", "-d", "-l", "-q", "--no-write-bitmap-index")
        run(where, "prune-packed", "-q")
        run(where, "prune", "--expire=now")

    def _render_views(self) -> tuple[str, ...]:
        options = replace(self._tools.options, now=lambda: self._journal.order.at)
        try:
            rederive(self._repo.fresh(), self._tools.catalog(), options)
        except GitmemError as error:
            return (f"the views were not rendered ({error.message}); the next write or `gitmem doctor` does",)
        return ()


def _only_views_since(repo: Repo, new: Oid | None, now: Oid | None) -> bool:
    """Whether a ref has moved on from where it was to go, by nothing but rendered views: an earlier run's last step."""
    if new is None or now is None or peeled_commit(repo, now) != now:
        return False
    steps = takewhile(lambda passed: passed.oid != new and is_derive_commit(repo, passed.oid), first_parents(repo, now))
    last = next(reversed(list(steps)), None)
    return last is not None and last.parents[0] == new


def write_map(repo: Repo, plan: Plan) -> None:
    """Leave the map, after what an interrupted run left."""
    path = repo.gitmem_dir / "forget" / plan.journal.map
    before = read_state(path)
    known = plan.map if before is None else parse_map(before).followed_by(plan.map.ids)
    write_state(path, known.render())
