"""``relations.json``: which blocks name which (``behaviours.md`` 0.5, ``formats.md`` "Derived views")."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gitmem.facts.base import Facts
    from gitmem.ids import BlockId


def render(facts: Facts) -> bytes:
    """Every block that has links, sorted, one block a line, so that a diff names the block."""
    outbound: dict[BlockId, set[BlockId]] = {}
    backlinks: dict[BlockId, set[BlockId]] = {}
    for _, source, target in facts.links():
        outbound.setdefault(source, set()).add(target)
        backlinks.setdefault(target, set()).add(source)
    parts = (f'"backlinks": {_object(backlinks)}', f'"outbound": {_object(outbound)}')
    return ("{\n" + ",\n".join(parts) + "\n}\n").encode()


def _object(links: dict[BlockId, set[BlockId]]) -> str:
    if not links:
        return "{}"
    lines = (f"{json.dumps(block)}: {json.dumps(sorted(links[block]))}" for block in sorted(links))
    return "{\n" + ",\n".join(lines) + "\n}"
