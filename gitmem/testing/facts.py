"""The conformance suite of the ``Facts`` protocol: subclass it, say how facts come from files, run it with pytest."""

# ruff: noqa: D102, PLR2004, S101  (a suite of tests: names state outcomes, expected values are literals)

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from gitmem.format.frame import HEADER, render_frame
from gitmem.format.layout import FORGOTTEN, PROMOTIONS
from gitmem.format.model import Tier
from gitmem.ids import BlockId, EvidenceId, SourceId, Target, TopicPath

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from gitmem.facts.base import Facts

ARCHIVE = "sources/chat/_v2/t.md"
LEGACY = "sources/chat/t.md"


def answers(  # noqa: PLR0913  (one argument for each kind of name that questions are about)
    facts: Facts,
    *,
    ids: Iterable[str] = (),
    evidence: Iterable[str] = (),
    targets: Iterable[str] = (),
    handles: Iterable[str] = (),
    topics: Iterable[str] = (),
    whens: Iterable[str] = (),
) -> dict[tuple[str, object], object]:
    """What an implementation answers to all that may be asked about these names, to compare it with another's."""
    found: dict[tuple[str, object], object] = {
        ("whens", None): tuple(facts.whens()),
        ("links", None): sorted(facts.links()),
        ("created_count", None): facts.created_count(),
    }
    for limit in (0, 1, 3, 1000):
        found["recent", limit] = facts.recent(limit)
    for name in evidence:
        found["defined", name] = facts.defined(EvidenceId(name))
        found["meanings", name] = facts.meanings(EvidenceId(name))
        for meaning in facts.meanings(EvidenceId(name)):
            found["evidence_like", meaning] = facts.evidence_like(meaning)
    for question, names in _about(ids, targets, handles, topics, whens):
        for name in names:
            found[question, name] = getattr(facts, question)(name)
    return found


def _about(
    ids: Iterable[str], targets: Iterable[str], handles: Iterable[str], topics: Iterable[str], whens: Iterable[str]
) -> Iterator[tuple[str, Iterable[str]]]:
    for names, questions in (
        (ids, ("claims", "inbound", "created")),
        (targets, ("citing", "record")),
        (handles, ("source", "sources", "promoted", "forgotten")),
        (topics, ("links_in", "of_topic")),
        (whens, ("dated",)),
    ):
        asked = tuple(names)
        for question in questions:
            yield question, asked


def archive_of(*frames: tuple[str, str]) -> bytes:
    """A v2 archive of (handle, body) pairs, said by ``user`` without a time."""
    rendered = (
        render_frame(handle=SourceId(handle), timestamp=None, role="user", body=body) for handle, body in frames
    )
    return HEADER + b"".join(rendered)


def _anchor(handle: str) -> str:
    return f"source-{hashlib.sha256(handle.encode()).hexdigest()[:16]}"


def _topic(title: str, *blocks: str, definitions: str = "") -> bytes:
    return f"# {title}\n\n{chr(10).join(f'{block}{chr(10)}' for block in blocks)}\n{definitions}".encode()


_M1, _M2 = SourceId("chat/t/m1"), SourceId("chat/t/m2")
_T1, _T2 = (Target(f"{ARCHIVE}#{_anchor(handle)}") for handle in (_M1, _M2))
_ONE = f"[^e-1]: Time: `2024-05-01`; Sources: [one](../{_T1})\n"
_TWO = f"[^e-2]: Time: `undated`; Sources: [two](../{_T2})\n"
A, B = TopicPath("topics/a.md"), TopicPath("topics/b.md")

FIRST: Mapping[str, bytes] = {
    ARCHIVE: archive_of((_M1, "one")),
    A: _topic("A", "First.[^e-1] ^a1", "Second.[^e-1] ^a2", definitions=_ONE),
}
"""One topic of two blocks that cite one message."""

SECOND: Mapping[str, bytes] = {
    ARCHIVE: archive_of((_M1, "one"), (_M2, "two")),
    LEGACY: f'<a id="{_anchor(_M1)}"></a>\n[2024-01-01] user: old one [{_M1}]\n'.encode(),
    PROMOTIONS: json.dumps(
        {
            "at": "2026-08-10T12:00:00+00:00",
            "principal_id": "p",
            "source_id": _M1,
            "speaker_id": "s",
            "tier": "owner",
        },
        sort_keys=True,
        separators=(",", ":"),
    ).encode()
    + b"\n",
    FORGOTTEN: json.dumps(
        {"at": "2026-08-10T12:00:00+00:00", "handle_sha256": hashlib.sha256(b"chat/t/gone").hexdigest()},
        sort_keys=True,
        separators=(",", ":"),
    ).encode()
    + b"\n",
    A: _topic("A", "Second, changed.[^e-1] ^a1 ^a2", definitions=_ONE),
    B: _topic("B", "See [A](a.md#^a2).[^e-2] ^b1", "Again.[^e-1] ^b2", definitions=_TWO + _ONE),
}
"""A day later: ``a1`` merged into ``a2``, a topic that links to it, a legacy twin, a promotion, something forgotten."""


class FactsConformance(ABC):
    """What every implementation of ``Facts`` must answer after the states ``FIRST`` and ``SECOND``."""

    @abstractmethod
    def facts_after(self, *states: Mapping[str, bytes]) -> Facts:
        """Give the facts of the last of these states, each a commit on the one before."""

    def test_an_id_finds_its_claim_by_alias_too(self) -> None:
        facts = self.facts_after(FIRST, SECOND)
        assert [claim.id for claim in facts.claims(BlockId("a1"))] == ["a2"]
        assert facts.claims(BlockId("a1")) == facts.claims(BlockId("a2")) == facts.of_topic(A)
        assert facts.claims(BlockId("nobody")) == ()

    def test_a_claim_keeps_all_that_its_file_says(self) -> None:
        claim = self.facts_after(FIRST, SECOND).of_topic(B)[0]
        assert (claim.path, claim.ordinal, claim.line, claim.headings) == (B, 0, 3, ("B",))
        assert (claim.content, claim.links) == ("See [A](a.md#^a2).", ("a2",))
        assert [(e.id, e.when, e.sources[0].resolved) for e in claim.evidence] == [("e-2", None, _T2)]

    def test_links_are_found_from_both_ends(self) -> None:
        facts = self.facts_after(FIRST, SECOND)
        assert [claim.id for claim in facts.inbound(BlockId("a2"))] == ["b1"]
        assert list(facts.links()) == [(B, "b1", "a2")]
        assert [claim.id for claim in facts.links_in(A)] == ["b1"]
        assert facts.links_in(B) == ()

    def test_evidence_is_found_by_id_and_by_meaning(self) -> None:
        facts = self.facts_after(FIRST, SECOND)
        meaning = ("2024-05-01", (_T1,))
        assert facts.meanings(EvidenceId("e-1")) == {meaning}
        assert facts.defined(EvidenceId("e-1")) == {(A, meaning), (B, meaning)}
        assert facts.evidence_like(meaning) == ("e-1",)
        assert facts.evidence_like((None, (_T1,))) == ()
        assert facts.meanings(EvidenceId("e-9")) == frozenset()

    def test_a_frame_wins_over_a_legacy_record_of_its_handle(self) -> None:  # behaviours.md 7.14
        facts = self.facts_after(FIRST, SECOND)
        assert [record.path for record in facts.sources(_M1)] == [ARCHIVE, LEGACY]
        assert facts.source(_M1) == facts.record(_T1)
        legacy = facts.record(Target(f"{LEGACY}#{_anchor(_M1)}"))
        assert legacy is not None
        assert not legacy.framed
        assert facts.source(SourceId("chat/t/m9")) is None

    def test_ledgers_are_read(self) -> None:
        facts = self.facts_after(FIRST, SECOND)
        assert facts.promoted(_M1) is Tier.OWNER
        assert facts.promoted(_M2) is None
        assert facts.forgotten(SourceId("chat/t/gone"))
        assert not facts.forgotten(_M1)

    def test_claims_are_found_by_what_they_cite_and_when(self) -> None:
        facts = self.facts_after(FIRST, SECOND)
        assert [claim.id for claim in facts.citing(_T1)] == ["a2", "b2"]
        assert [claim.id for claim in facts.dated("2024-05-01")] == ["a2", "b2"]
        assert facts.dated("2024-05") == ()
        assert list(facts.whens()) == ["2024-05-01"]

    def test_creation_is_first_appearance(self) -> None:  # behaviours.md 0.6
        facts = self.facts_after(FIRST, SECOND)
        assert [facts.created(BlockId(name)) for name in ("a1", "a2", "b1", "b2")] == [0, 1, 2, 3]
        assert facts.created(BlockId("nobody")) is None
        assert facts.created_count() == 4
        assert [claim.id for claim in facts.recent(2)] == ["b1", "b2"]
        assert [claim.id for claim in facts.recent(9)] == ["a2", "b1", "b2"]
        assert facts.recent(0) == ()

    def test_what_a_change_removed_is_gone_and_its_ids_stay_taken(self) -> None:
        facts = self.facts_after(FIRST, SECOND, {ARCHIVE: SECOND[ARCHIVE]})
        assert list(facts.links()) == []
        assert list(facts.whens()) == []
        assert facts.of_topic(A) == facts.citing(_T1) == facts.claims(BlockId("a2")) == ()
        assert facts.meanings(EvidenceId("e-1")) == frozenset()
        assert facts.promoted(_M1) is None
        assert facts.created(BlockId("b2")) == 3
        assert facts.created_count() == 4
