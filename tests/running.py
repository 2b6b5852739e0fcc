"""The shapes of the fixtures that run programs."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from pathlib import Path


class Git(Protocol):
    """Runs git in a folder and returns what it printed, without the final LF; a failing git fails the test."""

    def __call__(self, cwd: Path, *arguments: str, stdin: str | None = None) -> str: ...


@dataclass(frozen=True)
class Answer:
    """What one run of ``gitmem`` ended with."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def code(self) -> str:
        return str(self.json["error"]["code"])


class Gitmem(Protocol):
    """Runs ``gitmem`` with these arguments, in a folder outside every workspace unless ``cwd`` says otherwise."""

    def __call__(self, *arguments: str, cwd: Path | None = None) -> Answer: ...
