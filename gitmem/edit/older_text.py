"""Whether somebody's text of a topic knows what the memory says by now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.format.claim import compare
from gitmem.format.topic import claims_of, parse_topic

if TYPE_CHECKING:
    from gitmem.format.model import Claim
    from gitmem.ids import BlockId, TopicPath


def is_older(path: TopicPath, *, base: bytes, committed: bytes, typed: bytes) -> bool:
    """Whether a text that was begun from ``base`` lacks what came into the file from there to ``committed``.

    It lacks a claim that was added, still has one that was removed, or says of a changed one what was said before.
    """
    before, now, text = (_claims(path, data) for data in (base, committed, typed))
    since = compare(before.values(), now.values())
    return (
        any(claim.id not in text for claim in since.added)
        or any(claim.id in text for claim in since.removed)
        or any(_same(text.get(changed.after.id), changed.before) for changed in since.changed)
    )


def _claims(path: TopicPath, data: bytes) -> dict[BlockId, Claim]:
    return {claim.id: claim for claim in claims_of(parse_topic(path, data.decode("utf-8", "replace")))}


def _same(one: Claim | None, other: Claim) -> bool:
    return one is not None and (one.content, one.evidence) == (other.content, other.evidence)
