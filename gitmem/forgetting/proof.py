"""Searching everything that is left for what was erased."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gitmem.errors import Finding, Severity
from gitmem.forgetting.ways import Ways
from gitmem.store.raw import Kind, every_object, read_raw
from gitmem.store.refs import list_refs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gitmem.forgetting.finder import Finder
    from gitmem.ids import Oid
    from gitmem.store.repository import Repo
    from gitmem.store.worktrees import Worktree


@dataclass(frozen=True, slots=True)
class Trace:
    """A place where something erased still stands: ``kind`` says what (``text``, ``handle``, ``anchor``).

    ``where`` is an object, with the refs and paths that lead to it, a file, or a ref; never what stands there.
    ``way_out`` says how it goes.
    """

    kind: str
    where: str
    way_out: str


@dataclass(frozen=True, slots=True)
class Proof:
    """What was searched: objects of the database, files and names; ``bytes`` in all.

    ``searched_for`` counts texts, handles and anchors. ``too_short`` are erased messages without a line long enough to
    be told from what everybody says. ``traces`` are empty when nothing was found.
    """

    objects: int
    files: int
    bytes: int
    searched_for: int
    too_short: int
    traces: tuple[Trace, ...]


def still_standing(trace: Trace) -> Finding:
    """A place where something erased still stands, as a finding."""
    message = f"the {trace.kind} of an erased message still stands in {trace.where}"
    return Finding("forget", Severity.ERROR, "still-standing", message, fix=trace.way_out)


class Search:
    """One search of a repository with all its worktrees."""

    def __init__(self, repo: Repo, worktrees: tuple[Worktree, ...], finder: Finder) -> None:
        """``repo`` must be a fresh handle: packs have come and gone."""
        self._repo, self._worktrees, self._finder = repo, worktrees, finder
        self._objects = self._files = self._bytes = 0

    def run(self, too_short: int, progress: Callable[[int], None] = lambda _: None) -> Proof:
        """Search; ``progress`` is told how many objects were."""
        traces = [*self._in_objects(progress), *self._in_names(), *self._in_files()]
        return Proof(
            objects=self._objects,
            files=self._files,
            bytes=self._bytes,
            searched_for=len(self._finder.needles),
            too_short=too_short,
            traces=tuple(dict.fromkeys(traces)),
        )

    def _in_objects(self, progress: Callable[[int], None]) -> Iterator[Trace]:
        found: list[tuple[Oid, Kind, str]] = []
        for oid in dict.fromkeys(every_object(self._repo)):
            raw = read_raw(self._repo, oid)
            if raw is None:
                continue
            self._objects += 1
            progress(self._objects)
            kind = self._search(raw.data)
            if kind is not None:
                found.append((oid, raw.kind, kind))
        ways = Ways(self._repo) if found else None
        for oid, what, kind in found:
            yield Trace(kind, *ways.told(oid, what)) if ways is not None else Trace(kind, oid, "")

    def _in_names(self) -> Iterator[Trace]:
        for ref in list_refs(self._repo, "refs/"):
            kind = self._search(ref.name.encode("utf-8", "surrogateescape"))
            if kind is not None:
                yield Trace(kind, f"ref {ref.name}", f"`git update-ref -d {ref.name}` removes it")

    def _in_files(self) -> Iterator[Trace]:
        roots = [self._repo.common_dir, *(w.workdir for w in self._worktrees if w.workdir is not None)]
        roots += [w.gitdir for w in self._worktrees if self._repo.common_dir not in (w.gitdir, *w.gitdir.parents)]
        objects = self._repo.common_dir / "objects"
        for root in roots:
            for path in _files(root, objects):
                yield from self._in_file(root, path)

    def _in_file(self, root: Path, path: Path) -> Iterator[Trace]:
        self._files += 1
        name = path.relative_to(root).as_posix()
        shown = name if root == self._repo.path else f"{root.name}/{name}"
        try:
            content = os.fsencode(path.readlink()) if path.is_symlink() else path.read_bytes()
        except FileNotFoundError:  # somebody else's, and gone meanwhile
            return
        kind = self._search(content) or self._search(os.fsencode(name))
        if kind is not None:
            yield Trace(kind, f"file {shown}", "take it out of the file, or delete it")

    def _search(self, data: bytes) -> str | None:
        self._bytes += len(data)
        found = self._finder.find(data)
        return None if found is None else found.kind


def _files(root: Path, objects: Path) -> Iterator[Path]:
    """Every file below a folder that can be read as one; the database is searched object by object."""
    for folder, folders, names in os.walk(root):
        here = Path(folder)
        folders[:] = [name for name in folders if here / name != objects and (name != ".git" or here != root)]
        for name in names:
            path = here / name
            if path.is_symlink() or path.is_file():
                yield path
