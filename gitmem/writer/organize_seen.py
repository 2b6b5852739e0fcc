"""Which state of the memory an organizer has left, so that a night in which nothing came in costs nothing.

Runtime state, best effort: what cannot be kept is looked at again.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from typing import TYPE_CHECKING

from gitmem.format.layout import GITMEM
from gitmem.store.state_files import read_state, write_state

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.store.tree import Tree

FILE = "organized.json"
_VERSION = 1


def fingerprint(tree: Tree) -> str:
    """What an organizer looks at: the topics, and what decides how the core is rendered."""
    lines = [f"{entry.oid} {entry.path}" for entry in tree.entries("topics")]
    settings = tree.entry(GITMEM)
    lines.append("" if settings is None else str(settings.oid))
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


class SeenStates:
    """The last state of each organizer, by its signature, in ``.git/gitmem``."""

    def __init__(self, folder: Path) -> None:
        """``folder`` is the runtime folder."""
        self._path = folder / FILE

    def holds(self, signature: str, state: str) -> bool:
        """Whether an organizer left this state, or found nothing to do in it."""
        return self._states().get(signature) == state

    def keep(self, signature: str, state: str) -> None:
        """Remember it."""
        with suppress(OSError):
            held = {"version": _VERSION, "states": {**self._states(), signature: state}}
            write_state(self._path, json.dumps(held).encode())

    def _states(self) -> dict[str, object]:
        try:
            held = json.loads(read_state(self._path) or b"{}")
        except (OSError, ValueError, RecursionError):
            return {}
        states = held.get("states") if isinstance(held, dict) and held.get("version") == _VERSION else None
        return states if isinstance(states, dict) else {}
