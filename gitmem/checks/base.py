"""The ``Check`` protocol and what a check is given (``architecture.md`` section 5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.errors import Code, Finding
    from gitmem.facts.base import Facts
    from gitmem.request import Request
    from gitmem.store.tree import Change, Tree


@dataclass(frozen=True, slots=True)
class Candidate:
    """A change that wants to become a commit.

    ``changes`` are the paths that differ between ``parent`` and ``child``; a whole-tree check passes the empty tree as
    parent. ``touched`` are the paths the request itself edited: findings on other paths are reported as warnings
    (0.9). ``merged`` are the other parents of a merge. ``request`` is ``None`` outside transactions. ``is_root``: the
    child is a root commit made by ``init``, the only place where legacy archives may enter.
    """

    parent: Tree
    child: Tree
    changes: tuple[Change, ...]
    parent_facts: Facts
    child_facts: Facts
    merged: tuple[Tree, ...] = ()
    request: Request | None = None
    is_root: bool = False
    added_targets: frozenset[str] = frozenset()


class Check(Protocol):
    """One rule: a module of this package satisfies it with three names.

    ``NAME`` is the check's name, ``CODE`` the failure code that an error-level finding of it gives the envelope.
    """

    NAME: str
    CODE: Code

    def run(self, candidate: Candidate) -> Iterator[Finding]:
        """Findings in path and line order; never raises for what a file holds."""
        ...
