"""The named points of publishing, where the kill tests interrupt it (``architecture.md`` section 3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

POINTS = (
    "flush",
    "rename-objects",
    "autosave-ref",
    "index-new",
    "journal",
    "index-lock",
    "head-read",
    "ref-move",
    "first-file",
    "last-file",
    "index-rename",
    "journal-delete",
)
"""What publishing does, in order; ``ref-move`` is the commit point."""

STEPS = tuple(f"{when}-{point}" for point in POINTS for when in ("before", "after"))
"""Every name that ``on_step`` is called with: ``before-flush``, ``after-flush``, ..."""

OnStep = Callable[[str], None]


def no_step(_name: str) -> None:
    """Watch nothing."""


@contextmanager
def step(on_step: OnStep, point: str) -> Iterator[None]:
    """Call ``on_step`` before the point and, unless it failed, after it."""
    on_step(f"before-{point}")
    yield
    on_step(f"after-{point}")
