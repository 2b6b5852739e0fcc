"""Claims, records and meanings as the database keeps them: JSON for what is read back, hashes for what is sought."""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING

from gitmem.format.model import CitedEvidence, Claim, Record, SourceLink, Tier, TrustMetadata, TrustState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.facts.base import Meaning
    from gitmem.ids import TopicPath

_ENCODE = json.JSONEncoder(ensure_ascii=True, separators=(",", ":"), check_circular=False).encode
_DAY = re.compile(r"(\d{4}-\d{2}-\d{2})(?!\d)", re.ASCII)


def key(text: str) -> int:
    """A 64-bit hash, signed as SQLite has it."""
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little", signed=True)


def packed(value: object) -> str:
    """The one JSON text of a value."""
    return _ENCODE(value)


# --- claims


def pack_claim(claim: Claim, reaches: Sequence[str]) -> str:
    """Everything that a claim says apart from where in which file; equal texts are the same claim."""
    evidence = [
        [e.id, e.when, e.clause, [[link.label, link.target, link.resolved] for link in e.sources]]
        for e in claim.evidence
    ]
    return packed([claim.id, claim.aliases, claim.headings, claim.content, evidence, claim.links, reaches])


def unpack_claim(path: TopicPath, ordinal: int, line: int, data: str) -> Claim:
    """The claim of a row."""
    own, aliases, headings, content, evidence, links, _ = json.loads(data)
    return Claim(
        id=own,
        aliases=tuple(aliases),
        path=path,
        ordinal=ordinal,
        line=line,
        headings=tuple(headings),
        content=content,
        evidence=tuple(
            CitedEvidence(name, when, clause, tuple(SourceLink(*link) for link in sources))
            for name, when, clause, sources in evidence
        ),
        links=tuple(links),
    )


def reaches_of(data: str) -> tuple[str, ...]:
    """The topic paths that a packed claim's links go to."""
    return tuple(json.loads(data)[-1])


# --- meanings


def pack_meaning(meaning: Meaning) -> str:
    """A meaning as text."""
    return packed(meaning)


def unpack_meaning(data: str) -> Meaning:
    """The meaning of a row."""
    when, sources = json.loads(data)
    return when, tuple(sources)


# --- records


def pack_record(record: Record) -> str:
    """Everything about a record but its path."""
    trust = record.metadata
    metadata = trust and [
        trust.trust_state,
        trust.speaker_kind,
        trust.principal_id,
        trust.authority_tier,
        trust.legacy_scope,
    ]
    return packed(
        [
            record.handle,
            record.anchor,
            record.line,
            record.start,
            record.end,
            record.body_start,
            record.body_end,
            record.timestamp,
            record.label,
            record.speaker_id,
            record.speaker_display,
            record.speaker_trusted,
            metadata,
            record.framed,
        ]
    )


def unpack_record(path: str, data: str) -> Record:
    """The record of a row."""
    handle, anchor, *places, timestamp, label, speaker_id, display, trusted, metadata, framed = json.loads(data)
    line, start, end, body_start, body_end = places
    return Record(
        handle=handle,
        path=path,
        anchor=anchor,
        line=line,
        start=start,
        end=end,
        body_start=body_start,
        body_end=body_end,
        timestamp=timestamp,
        label=label,
        speaker_id=speaker_id,
        speaker_display=display,
        speaker_trusted=trusted,
        metadata=None if metadata is None else _unpack_metadata(*metadata),
        framed=framed,
    )


def _unpack_metadata(
    state: str, kind: str | None, principal: str | None, tier: str | None, scope: str | None
) -> TrustMetadata:
    return TrustMetadata(TrustState(state), kind, principal, None if tier is None else Tier(tier), scope)


def day_of(timestamp: str) -> str | None:
    """The calendar day that a record's timestamp starts with, as written."""
    found = _DAY.match(timestamp)
    return found[1] if found else None
