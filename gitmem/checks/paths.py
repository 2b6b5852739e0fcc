"""``paths``: names that every file system can hold, and nothing but plain files (``architecture.md`` section 7)."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from gitmem.errors import Code, Finding, Severity
from gitmem.format.layout import GITATTRIBUTES
from gitmem.format.pathname import collision_key, name_problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.checks.base import Candidate
    from gitmem.store.tree import Change, Tree

NAME = "paths"
CODE = Code.PATH_OUTSIDE_WORKSPACE

_REGULAR = 0o100644
_MODES = {0o100755: "an executable file", 0o120000: "a symbolic link", 0o160000: "a submodule"}


def run(candidate: Candidate) -> Iterator[Finding]:
    """Unsafe names, special files, nested ``.gitattributes`` and names that differ only in case or composition."""
    for change in candidate.changes:
        if change.new is None:
            continue
        if change.new.mode != _REGULAR:
            kind = _MODES.get(change.new.mode, f"mode {change.new.mode:o}")
            yield _finding("special-file", f"{change.path!r} is {kind}", change, "make it a plain file, mode 0644")
        if change.old is None:
            yield from _name_problems(change)
    yield from _collisions(candidate)


def _finding(code: str, message: str, change: Change, fix: str) -> Finding:
    return Finding(NAME, Severity.ERROR, code, message, change.path, None, None, fix)


def _name_problems(change: Change) -> Iterator[Finding]:
    for component in change.path.split("/"):
        problem = name_problem(component)
        if problem is not None:
            yield _finding("unsafe-name", f"the name {component!r} {problem}", change, "choose another name")
            return
    if posixpath.basename(change.path) == GITATTRIBUTES and change.path != GITATTRIBUTES:
        fix = "only the workspace's own .gitattributes decides how git treats its bytes"
        yield _finding("nested-gitattributes", "a nested .gitattributes may change bytes", change, fix)


def _collisions(candidate: Candidate) -> Iterator[Finding]:
    """Names equal under NFC and case folding, in every folder that gained a name."""
    gained: dict[str, dict[str, Change]] = {}
    for change in candidate.changes:
        if change.new is None or change.old is not None:
            continue
        path = change.path
        while path:
            folder, _, name = path.rpartition("/")
            if name in gained.setdefault(folder, {}):
                break
            gained[folder][name] = change
            path = folder
    for folder, names in gained.items():
        siblings = _names(candidate.child, folder)
        for name, change in names.items():
            twins = sorted(siblings.get(_key(folder, name), set()) - {name})
            if twins:
                message = f"{name!r} and {twins[0]!r} are one name on many file systems"
                yield _finding("colliding-name", message, change, "choose a name that differs in more than case")


def _names(tree: Tree, folder: str) -> dict[str, set[str]]:
    """The folder's names by collision key."""
    names: dict[str, set[str]] = {}
    for name in tree.names(folder):
        names.setdefault(_key(folder, name), set()).add(name)
    return names


def _key(folder: str, name: str) -> str:
    return collision_key(f"{folder}/{name}" if folder else name)
