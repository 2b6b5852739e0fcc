"""Marks as text, and which of them count (``behaviours.md`` 0.3, 0.16, 9.2)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from gitmem.conversations.model import Mark
from gitmem.ids import Oid, WorkspaceId

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_LINE = re.compile(r"(w-[0-9a-f]{8}) ([0-9a-f]{40})")


@lru_cache(maxsize=4096)
def parse_marks(text: str) -> tuple[Mark, ...]:
    """Read a note: one mark a line, sorted, each once. Other lines are somebody else's and say nothing."""
    found = (_LINE.fullmatch(line) for line in text.split("\n"))
    return tuple(sorted({Mark(WorkspaceId(line[1]), Oid(line[2])) for line in found if line}))


def render_mark(mark: Mark) -> str:
    """Give the line of a note, without its LF."""
    return f"{mark.workspace} {mark.commit}"


def add_mark(text: str, mark: Mark) -> str:
    """Append a mark to a note's text; what stands there stays, and a mark that stands there is not repeated."""
    line = render_mark(mark)
    if line in text.split("\n"):
        return text
    start = text if not text or text.endswith("\n") else f"{text}\n"
    return f"{start}{line}\n"


@dataclass(frozen=True)
class Standing:
    """Decides which marks count: those of one workspace whose memory commit is part of the memory read now.

    ``is_ancestor`` says whether a memory commit is the tip or one of its ancestors; it is asked once per commit.
    """

    workspace: WorkspaceId
    is_ancestor: Callable[[Oid], bool]
    _known: dict[Oid, bool] = field(default_factory=dict, repr=False, compare=False)

    def counts(self, marks: Iterable[Mark]) -> bool:
        """Whether one of the marks says that this memory has written the turn."""
        return any(self._stands(mark.commit) for mark in marks if mark.workspace == self.workspace)

    def _stands(self, commit: Oid) -> bool:
        if commit not in self._known:
            self._known[commit] = self.is_ancestor(commit)
        return self._known[commit]
