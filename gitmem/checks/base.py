"""The ``Check`` protocol and what a check is given (``architecture.md`` section 5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from gitmem.format.layout import is_topic
from gitmem.policy.secrets import SecretPolicy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.errors import Code, Finding
    from gitmem.facts.base import Facts
    from gitmem.ids import Target
    from gitmem.policy.secrets import AskedPolicy
    from gitmem.request import Request
    from gitmem.store.tree import Change, Tree


@dataclass(frozen=True, slots=True)
class Candidate:
    """A change that wants to become a commit.

    ``changes`` are the paths that differ between ``parent`` and ``child``; a whole-tree check passes the empty tree as
    parent, so that everything counts as new. ``merged`` are the other parents of a merge. ``request`` is ``None``
    outside transactions; ``added_targets`` are the records that the transaction archived. ``is_root``: the child is
    the first commit, made by ``init``, the only place where legacy archives may enter. ``secrets`` gives what is done
    about secrets; it is asked when there is one.
    """

    parent: Tree
    child: Tree
    changes: tuple[Change, ...]
    parent_facts: Facts
    child_facts: Facts
    merged: tuple[Tree, ...] = ()
    request: Request | None = None
    is_root: bool = False
    added_targets: frozenset[Target] = frozenset()
    secrets: AskedPolicy = SecretPolicy

    def topic_changes(self) -> tuple[Change, ...]:
        """Changed topics that stand in the child."""
        return tuple(change for change in self.changes if change.new is not None and is_topic(change.path))


class Check(Protocol):
    """One rule: a module of this package satisfies it with three names.

    ``NAME`` is the check's name, ``CODE`` the failure code that an error-level finding of it gives the envelope.
    """

    NAME: str
    CODE: Code

    def run(self, candidate: Candidate) -> Iterator[Finding]:
        """Findings in path and line order; never raises for what a file holds."""
        ...


class RequestCheck(Protocol):
    """A rule that needs only the request: it runs before anything is staged."""

    NAME: str
    CODE: Code

    def run(self, request: Request) -> Iterator[Finding]:
        """Findings in the request's order."""
        ...
