"""What a refused change must leave as it was: refs, HEAD, index, objects, runtime state, working directory."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from workspaces import state

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@contextmanager
def byte_identical(folder: Path) -> Iterator[None]:
    """Fail when any file below a workspace differs after the block, or came or went.

    The runtime's lock, status and catalogue may change (``architecture.md`` section 3).
    """
    before = state(folder)
    yield
    after = state(folder)
    assert {path: after.get(path) for path in {*before, *after} if before.get(path) != after.get(path)} == {}
