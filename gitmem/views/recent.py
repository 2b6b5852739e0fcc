"""``recent_events.jsonl``: the blocks that came into the memory last (``behaviours.md`` 6.2)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from gitmem.facts.trust import claim_refs

if TYPE_CHECKING:
    from gitmem.facts.base import Facts
    from gitmem.format.model import Claim


def render(facts: Facts, limit: int) -> bytes:
    """The last ``limit`` claims by creation, oldest first, one JSON object a line; empty for an empty memory."""
    return "".join(json.dumps(_row(facts, claim), ensure_ascii=False) + "\n" for claim in facts.recent(limit)).encode()


def _row(facts: Facts, claim: Claim) -> dict[str, object]:
    refs = list(claim_refs(facts, claim))
    return {
        "memory_id": claim.id,
        "when": claim.whens[0] if claim.whens else None,
        "whens": list(claim.whens),
        "content": claim.content,
        "refs": refs,
        "source_refs": refs,
        "topic_path": claim.path,
        "headings": list(claim.headings),
        "created_order": facts.created(claim.id),
    }
