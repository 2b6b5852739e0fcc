"""Token counts of files, remembered by content: counting loads a vocabulary that takes a third of a second."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING

from gitmem import tokens
from gitmem.store.state_files import write_state

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.ids import Oid

FILE = "tokens.json"
_KEPT = 64


def count_tokens(folder: Path, content: Oid, text: str) -> int:
    """The o200k_base tokens of a text; ``content`` is its blob's id, ``folder`` the memory's runtime folder.

    What cannot be read or written there is counted again.
    """
    path = folder / FILE
    known = _read(path)
    if content not in known:
        known[content] = tokens.count(text)
        _write(path, dict(list(known.items())[-_KEPT:]))
    return known[content]


def _read(path: Path) -> dict[str, int]:
    try:
        found = json.loads(path.read_text("ascii"))
    except (OSError, ValueError):
        return {}
    if not isinstance(found, dict):
        return {}
    return {key: value for key, value in found.items() if type(value) is int}


def _write(path: Path, known: dict[str, int]) -> None:
    with suppress(OSError):  # a count that is not remembered is counted again
        write_state(path, json.dumps(known).encode())
