"""Who can put a memory in order, and what it is given for that (``behaviours.md`` 0.19, 10.12)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from gitmem.facts.base import Facts
    from gitmem.store.tree import Tree
    from gitmem.views.base import ViewSettings
    from gitmem.writer.base import Refusal, WriterResult


@dataclass(frozen=True, slots=True)
class Survey:
    """One state of the memory: its files, what is known of them, and what decides how its core is rendered."""

    tree: Tree
    facts: Facts
    settings: ViewSettings


@runtime_checkable
class Organizer(Protocol):
    """Proposes an edit of topics that brings in nothing new."""

    @property
    def name(self) -> str:
        """The writer's kind, as in ``reorganize --writer``."""
        ...

    @property
    def signature(self) -> str:
        """The kind and what it runs on: the author of its commits."""
        ...

    @property
    def costs(self) -> bool:
        """Whether asking costs money or minutes: what it has put in order is then not shown to it again unchanged."""
        ...

    def organize(self, survey: Survey, refusal: Refusal | None = None) -> WriterResult:
        """Propose an edit that cites nothing new, ``nothing_to_record`` when all is well.

        ``refusal`` is what became of its proposal, ``None`` the first time. Raises ``GitmemError`` with one of the
        failure codes when it has no proposal.
        """
        ...
