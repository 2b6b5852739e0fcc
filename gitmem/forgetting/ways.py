"""Which refs and paths lead to an object, and how it goes: what a proof that found something says of it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from gitmem.format.layout import is_source, is_topic
from gitmem.store.raw import Kind, peeled_commit
from gitmem.store.refs import is_ancestor, list_refs
from gitmem.store.snapshot import Snapshot

if TYPE_CHECKING:
    from gitmem.ids import Oid
    from gitmem.store.refs import Ref
    from gitmem.store.repository import Repo

_BRANCHES = "refs/heads/"
_STASH = "refs/stash"
_GONE = "no ref leads to it: `git gc --prune=now` removes it"


class Ways:
    """The ways to objects from the refs that a repository has; reads them when they are first asked for."""

    def __init__(self, repo: Repo) -> None:
        """``repo`` must be a fresh handle."""
        self._repo = repo

    def told(self, oid: Oid, kind: Kind) -> tuple[str, str]:
        """The object with the way to it, and how it goes."""
        what = f"{kind.name.lower()} {oid}"
        if kind is Kind.COMMIT:
            found = next((ref.name for ref, tip in self._tips if tip == oid or is_ancestor(self._repo, oid, tip)), None)
            return (what, _GONE) if found is None else (f"{what} (in {found})", _way_out(found, None))
        if oid in self._standing:
            name, path = self._standing[oid]
            return f"{what} ({path} in {name})", _way_out(name, path)
        looking = (
            f"`git log --all --find-object={oid}` shows the commits that have it; without one, `git gc --prune=now`"
        )
        return what, looking

    @cached_property
    def _tips(self) -> list[tuple[Ref, Oid]]:
        refs = sorted(list_refs(self._repo, "refs/"), key=lambda ref: (not ref.name.startswith(_BRANCHES), ref.name))
        peeled = ((ref, peeled_commit(self._repo, ref.oid)) for ref in refs)
        return [(ref, tip) for ref, tip in peeled if tip is not None]

    @cached_property
    def _standing(self) -> dict[Oid, tuple[str, str]]:
        """What stands in the newest state of each ref, branches first."""
        found: dict[Oid, tuple[str, str]] = {}
        for ref, tip in self._tips:
            for entry in Snapshot.at(self._repo, tip).entries():
                found.setdefault(entry.oid, (ref.name, entry.path))
        return found


def _way_out(ref: str, path: str | None) -> str:
    if ref == _STASH:
        return "`git stash drop`, then `git gc --prune=now`"
    if not ref.startswith(_BRANCHES):
        return f"`git update-ref -d {ref}`, then `git gc --prune=now`"
    if path is not None and (is_topic(path) or is_source(path)):
        return "other messages say it, too: `gitmem forget` erases them with what rests on them"
    return "history says it: `git filter-repo` rewrites what gitmem did not write"
