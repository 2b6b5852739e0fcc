"""Whoever edits topics by itself, given a task and a workbench: a model with tools, a command, a test's double."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitmem.ids import BlockId
    from gitmem.writer.workbench import Workbench


@dataclass(frozen=True, slots=True)
class Prompt:
    """What an agent is told.

    ``rules`` is the project's own text: the task and the format. ``material`` is what it works on, records or topics:
    data that other people wrote, rendered so that no part of it can pass for a heading or for another record.
    ``shown`` are the blocks whose whole text stands in the material.
    """

    rules: str
    material: str
    shown: frozenset[BlockId] = frozenset()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an agent says of its finished work; the work itself is on the bench.

    ``nothing_to_record`` is its explicit statement that the material holds nothing for the memory (0.16); beside
    changes it means nothing. ``reasons`` says for a block that it removed why.
    """

    nothing_to_record: bool = False
    reasons: Mapping[BlockId, str] = field(default_factory=dict)


class Agent(Protocol):
    """Edits the topics on a bench."""

    @property
    def name(self) -> str:
        """The writer's kind, as in ``write --writer``."""
        ...

    @property
    def signature(self) -> str:
        """The kind and what it runs on, such as ``model openai:gpt``: the author of its commits."""
        ...

    def work(self, task: Prompt, bench: Workbench) -> Outcome:
        """Do the task by changing the bench. Raises ``GitmemError`` with one of the failure codes when it cannot."""
        ...
