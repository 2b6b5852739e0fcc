"""What checks, edits and views ask about a memory, independent of who answers (``architecture.md`` section 5).

Two implementations answer, under one conformance suite: the catalogue (``gitmem.catalog``) and a plain scan
(``gitmem.facts.scan``). A staged change is laid over either with ``gitmem.facts.overlay``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.format.model import Claim, Record, Tier
    from gitmem.ids import BlockId, EvidenceId, SourceId, Target, TopicPath

Meaning = tuple[str | None, tuple[str, ...]]
"""What an evidence id stands for: its time and its sources' identities (resolved target, else the plain handle)."""


class Facts(Protocol):
    """Questions about one state of the memory. Every answer is exact for that state; none depends on file order."""

    def claims(self, block_id: BlockId) -> tuple[Claim, ...]:
        """Every claim that carries the id, as its own or as an alias; more than one is a defect."""
        ...

    def inbound(self, block_id: BlockId) -> tuple[Claim, ...]:
        """Claims that link to the id, ordered by path and ordinal."""
        ...

    def meanings(self, evidence_id: EvidenceId) -> frozenset[Meaning]:
        """Every meaning the id has in the workspace's topics; more than one is a conflict."""
        ...

    def defined(self, evidence_id: EvidenceId) -> frozenset[tuple[TopicPath, Meaning]]:
        """Which topics give the id a meaning, and which: ``meanings`` with the files that hold them."""
        ...

    def evidence_like(self, meaning: Meaning) -> tuple[EvidenceId, ...]:
        """Ids that already stand for this meaning, sorted."""
        ...

    def record(self, target: Target) -> Record | None:
        """The archived message a resolved link reaches."""
        ...

    def source(self, handle: SourceId) -> Record | None:
        """The archived message with this handle; a v2 frame wins over a legacy record (7.14)."""
        ...

    def sources(self, handle: SourceId) -> tuple[Record, ...]:
        """Every archived message with this handle, the one that ``source`` gives first."""
        ...

    def promoted(self, handle: SourceId) -> Tier | None:
        """The tier with which ``promotions.jsonl`` first vouches for the handle; ``None`` when nobody does."""
        ...

    def forgotten(self, handle: SourceId) -> bool:
        """Whether ``forgotten.jsonl`` names the handle's hash."""
        ...

    def citing(self, target: Target) -> tuple[Claim, ...]:
        """Claims with a footnote that reaches the target, ordered by path and ordinal."""
        ...

    def dated(self, when: str) -> tuple[Claim, ...]:
        """Claims with evidence of exactly this time (``YYYY``, ``YYYY-MM`` or ``YYYY-MM-DD``)."""
        ...

    def whens(self) -> Iterator[str]:
        """Every distinct event time."""
        ...

    def links(self) -> Iterator[tuple[TopicPath, BlockId, BlockId]]:
        """Every link between blocks: the linking claim's path and own id, and the id it names; in no order."""
        ...

    def links_in(self, path: TopicPath) -> tuple[Claim, ...]:
        """Claims anywhere whose links name a block of this file by the file's path (they follow a move)."""
        ...

    def of_topic(self, path: TopicPath) -> tuple[Claim, ...]:
        """The claims of one file in file order; empty when there is no such file."""
        ...

    def created(self, block_id: BlockId) -> int | None:
        """The id's place in the order of first appearance along first-parent history (0.6), ``None``: never existed.

        Ids that no longer stand anywhere keep their place, so this also answers "is the id taken?".
        """
        ...

    def created_count(self) -> int:
        """How many ids ever appeared; the place of the next new one."""
        ...

    def recent(self, limit: int) -> tuple[Claim, ...]:
        """The last ``limit`` claims by creation of their own id, oldest first."""
        ...
