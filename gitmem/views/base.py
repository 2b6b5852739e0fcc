"""What the views share: their settings, and which of them a change reaches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class ViewSettings:
    """What decides the bytes of a view besides the memory: from the tracked ``.gitmem`` (0.14).

    ``core_max_tokens`` counts o200k_base tokens, ``recent_limit`` rows. ``fits(text, tokens)`` says whether a text has
    at most so many tokens; it is injected, because counting loads a large vocabulary that most calls never need.
    """

    core_max_tokens: int
    recent_limit: int
    fits: Callable[[str, int], bool]


@dataclass(frozen=True, slots=True)
class Affected:
    """The views that a change can reach: event times whose timeline files may differ, and the three single files."""

    whens: frozenset[str]
    core: bool
    recent: bool
    relations: bool
