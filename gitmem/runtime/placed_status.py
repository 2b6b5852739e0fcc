"""The state of a memory with its folder on this machine, which is told only when asked for (12.8)."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from gitmem.runtime.status import StatusAnswer

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True)
class PlacedStatusAnswer(StatusAnswer):
    """The state, and ``path``, the workspace's folder."""

    path: str


def placed(answer: StatusAnswer, path: Path) -> PlacedStatusAnswer:
    """The state with the folder."""
    return PlacedStatusAnswer(**{field.name: getattr(answer, field.name) for field in fields(answer)}, path=str(path))
