"""From a claim to the words it rests on, and to the commits that archived and wrote both (``cli.md``, ``why``)."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from typing import TYPE_CHECKING

from gitmem.answers import BlockAnswer, block_answer
from gitmem.facts.trust import record_tier, record_trust
from gitmem.format.layout import TOPICS, is_topic
from gitmem.format.topic import claims_of
from gitmem.history.life import life, writers
from gitmem.history.named import claims_named

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from gitmem.format.model import CitedEvidence, Claim, Record, SourceLink
    from gitmem.memory import Memory


@dataclass(frozen=True, slots=True)
class SourceAnswer:
    """One message that a claim cites.

    ``text`` is its body exactly as archived, ``line`` where its header stands in ``path``. A link that reaches no
    archived message has its target as ``id`` and nothing else. ``archived_by`` is the commit that brought it.
    """

    id: str
    path: str | None = None
    line: int | None = None
    timestamp: str | None = None
    role: str | None = None
    text: str | None = None
    speaker_id: str | None = None
    speaker_display: str | None = None
    speaker_trusted: bool = False
    trust_state: str | None = None
    tier: str | None = None
    archived_by: str | None = None


@dataclass(frozen=True, slots=True)
class EvidenceAnswer:
    """One footnote: its id, its event time and its messages in the order they are cited."""

    id: str
    when: str | None
    sources: tuple[SourceAnswer, ...]


@dataclass(frozen=True, slots=True)
class ExplainedAnswer(BlockAnswer):
    """A claim with its evidence; ``written_by`` first wrote it, ``changed_by`` changed it since, oldest first."""

    evidence: tuple[EvidenceAnswer, ...] = ()
    written_by: str | None = None
    changed_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WhyAnswer:
    """The claims that were asked for, each explained; none when no claim holds the text."""

    revision: str | None
    fresh: bool
    results: tuple[ExplainedAnswer, ...]


def why(memory: Memory, block: str) -> WhyAnswer:
    """Explain a block (or every block of a topic file).

    Raises ``NotFound``: ``MEMORY_NOT_FOUND`` or ``PATH_NOT_FOUND``.
    """
    return _answer(memory, claims_named(memory, block))


def why_text(memory: Memory, text: str) -> WhyAnswer:
    """Explain every claim whose prose holds the text, in any case and however its blanks and lines fall."""
    return _answer(memory, _saying(memory, text))


def _answer(memory: Memory, claims: Iterable[Claim]) -> WhyAnswer:
    messages = _Messages(memory)
    explained = tuple(_explained(memory, claim, messages) for claim in claims)
    return WhyAnswer(memory.revision, memory.fresh, explained)


def _explained(memory: Memory, claim: Claim, messages: _Messages) -> ExplainedAnswer:
    shown = block_answer(memory.facts, claim)
    wrote = writers(life(memory.view.history, claim.id))
    return ExplainedAnswer(
        **{field.name: getattr(shown, field.name) for field in fields(shown)},
        evidence=tuple(messages.evidence(claim)),
        written_by=wrote[0].commit if wrote else None,
        changed_by=tuple(link.commit for link in wrote[1:]),
    )


class _Messages:
    """Reads cited messages; each archive once, however many of its messages are cited (1.12)."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._bytes: Callable[[str], bytes | None] = cache(memory.snapshot.read)

    def evidence(self, claim: Claim) -> Iterator[EvidenceAnswer]:
        footnotes: dict[str, CitedEvidence] = {}
        for cited in claim.evidence:
            footnotes.setdefault(cited.id, cited)
        for cited in footnotes.values():
            yield EvidenceAnswer(cited.id, cited.when, tuple(self._source(link) for link in cited.sources))

    def _source(self, link: SourceLink) -> SourceAnswer:
        facts = self._memory.facts
        record = None if link.resolved is None else facts.record(link.resolved)
        if record is None:
            return SourceAnswer(link.resolved or link.target)
        tier = record_tier(facts, record)
        archived = self._memory.view.history.archived(record.handle)
        return SourceAnswer(
            id=record.handle,
            path=record.path,
            line=record.line,
            timestamp=record.timestamp,
            role=_role(record),
            text=self._text(record),
            speaker_id=record.speaker_id,
            speaker_display=record.speaker_display,
            speaker_trusted=record.speaker_trusted,
            trust_state=record_trust(facts, record).value,
            tier=None if tier is None else tier.value,
            archived_by=None if archived is None else archived.commit,
        )

    def _text(self, record: Record) -> str:
        data = self._bytes(record.path) or b""
        return data[record.body_start : record.body_end].decode("utf-8", "replace")


def _role(record: Record) -> str:
    """A header names the speaker, else the role (8.2); a speaker's role follows from what kind of speaker it is."""
    if not record.speaker_trusted:
        return record.label
    kind = record.metadata.speaker_kind if record.metadata is not None else None
    return "user" if kind in {None, "human"} else str(kind)


def _saying(memory: Memory, text: str) -> Iterator[Claim]:
    """Files that do not even hold the words are not parsed."""
    wanted = _flat(text)
    for entry in memory.snapshot.entries(TOPICS) if wanted else ():
        whole = (memory.snapshot.read(entry.path) or b"").decode("utf-8", "replace").casefold()
        holds = is_topic(entry.path) and all(word in whole for word in wanted.split())
        topic = memory.snapshot.topic(entry.path) if holds else None
        yield from (claim for claim in (claims_of(topic) if topic else ()) if wanted in _flat(claim.content))


def _flat(text: str) -> str:
    return " ".join(text.casefold().split())
