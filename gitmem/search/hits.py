"""What a result says: a block or an archived message, with who said it and how far it may be believed."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from gitmem.facts.trust import claim_refs, claim_trust, claim_visibility, record_tier, record_trust
from gitmem.format.model import Tier
from gitmem.search.messages import Messages, when_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from gitmem.catalog.corpus import Corpus
    from gitmem.facts.base import Facts
    from gitmem.format.model import Claim, Record
    from gitmem.memory import Memory
    from gitmem.search.ranking import Ranked

BLOCK = "block"
SOURCE = "source"


@dataclass(frozen=True, slots=True)
class Hit:
    """One result. A message's ``id`` is its handle, its ``content`` what was said, without header and comments.

    ``when`` is a block's first event time, or the time of a message as archived. ``refs`` are handles: those a block
    cites, or the message's own.
    """

    id: str
    kind: str
    path: str
    line: int
    headings: tuple[str, ...]
    when: str | None
    content: str
    score: float
    refs: tuple[str, ...]
    speaker_id: str | None
    speaker_display: str | None
    speaker_trusted: bool
    trust_state: str
    visibility: str


@dataclass(frozen=True, slots=True)
class ExplainedHit(Hit):
    """A result with the words of the query, as they are indexed, and how often each stands in it."""

    terms: Mapping[str, int]


def tell(memory: Memory, corpus: Corpus, ranked: Sequence[Ranked], *, explain: bool) -> Iterator[Hit]:
    """What ranked documents say, in their order."""
    documents = {document.id: document for document in corpus.documents(one.document for one in ranked)}
    messages = Messages(memory.snapshot)
    for one in ranked:
        document = documents[one.document]
        if document.claim is not None:
            hit = _block(memory.facts, document.claim, one.score)
        elif document.record is not None:
            hit = _source(memory.facts, document.record, messages.body(document.record), one.score)
        else:
            continue
        yield _explained(hit, one) if explain else hit


def record_visibility(facts: Facts, record: Record) -> Tier:
    """Who may see a message: everybody paired when it is of that tier, else the owner (part 8)."""
    return Tier.PAIRED if record_tier(facts, record) is Tier.PAIRED else Tier.OWNER


def _block(facts: Facts, claim: Claim, score: float) -> Hit:
    return Hit(
        id=claim.id,
        kind=BLOCK,
        path=claim.path,
        line=claim.line,
        headings=claim.headings,
        when=next(iter(claim.whens), None),
        content=claim.content,
        score=score,
        refs=claim_refs(facts, claim),
        speaker_id=None,
        speaker_display=None,
        speaker_trusted=False,
        trust_state=claim_trust(facts, claim).value,
        visibility=claim_visibility(facts, claim).value,
    )


def _source(facts: Facts, record: Record, body: str, score: float) -> Hit:
    return Hit(
        id=record.handle,
        kind=SOURCE,
        path=record.path,
        line=record.line,
        headings=(),
        when=when_of(record),
        content=body,
        score=score,
        refs=(record.handle,),
        speaker_id=record.speaker_id,
        speaker_display=record.speaker_display,
        speaker_trusted=record.speaker_trusted,
        trust_state=record_trust(facts, record).value,
        visibility=record_visibility(facts, record).value,
    )


def _explained(hit: Hit, ranked: Ranked) -> ExplainedHit:
    return ExplainedHit(**{field.name: getattr(hit, field.name) for field in fields(hit)}, terms=dict(ranked.terms))
