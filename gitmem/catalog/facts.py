"""The catalogue's answers to the ``Facts`` protocol: each is a look-up by index, whatever the size of the memory."""

# ruff: noqa: D102  (the methods are documented in the protocol, gitmem.facts.base)

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.catalog.values import key, pack_meaning, unpack_claim, unpack_meaning, unpack_record
from gitmem.facts.order import precedence
from gitmem.format.model import Tier
from gitmem.format.promotions import handle_sha256

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.catalog.database import Reading, Value
    from gitmem.facts.base import Meaning
    from gitmem.format.model import Claim, Record
    from gitmem.ids import BlockId, EvidenceId, SourceId, Target, TopicPath

_CLAIM_COLUMNS = "file.path, claim.ordinal, claim.line, claim.data"
# CROSS JOIN keeps SQLite from turning the order round: the index of what is asked for comes first
_CLAIMS_BY = (
    f"SELECT {_CLAIM_COLUMNS} FROM {{table}} AS found"  # noqa: S608  (table and column come from this module)
    " CROSS JOIN claim ON claim.doc = found.doc CROSS JOIN file ON file.id = claim.file"
    " WHERE found.{column} = ? ORDER BY file.path, claim.ordinal"
)
_BY_ID = _CLAIMS_BY.format(table="ident", column="id")
_BY_LINK = _CLAIMS_BY.format(table="link", column="target")
_BY_REACH = _CLAIMS_BY.format(table="reach", column="path")
_BY_TARGET = _CLAIMS_BY.format(table="cite", column="target_key")
_BY_MOMENT = _CLAIMS_BY.format(table="dated", column="moment")
_OF_TOPIC = (
    f"SELECT {_CLAIM_COLUMNS} FROM file CROSS JOIN claim ON claim.file = file.id"  # noqa: S608
    " WHERE file.path = ? ORDER BY claim.ordinal"
)
_RECENT = (
    f"SELECT {_CLAIM_COLUMNS} FROM block INDEXED BY block_standing"  # noqa: S608
    " CROSS JOIN ident ON ident.id = block.id AND ident.own = 1"
    " CROSS JOIN claim ON claim.doc = ident.doc CROSS JOIN file ON file.id = claim.file"
    " WHERE block.standing > 0 AND block.created >= ? AND block.created < ?"
    " ORDER BY block.created DESC, file.path DESC, claim.ordinal DESC LIMIT ?"
)
_FOREVER = 1 << 62
_RECORDS_BY = (
    "SELECT file.path, record.data FROM record CROSS JOIN file ON file.id = record.file WHERE record.{column} = ?"
    " ORDER BY record.ordinal"
)
_BY_HANDLE = _RECORDS_BY.format(column="handle_key")
_BY_PLACE = _RECORDS_BY.format(column="target_key")
# from each moment to the next: a plain DISTINCT would read every claim's
_MOMENTS = """
WITH RECURSIVE step (moment) AS (
    SELECT min(moment) FROM dated
    UNION ALL SELECT (SELECT min(moment) FROM dated WHERE moment > step.moment) FROM step WHERE step.moment IS NOT NULL
)
SELECT moment FROM step WHERE moment IS NOT NULL
"""


class CatalogFacts:
    """``Facts`` of the commit that the database holds."""

    def __init__(self, reading: Reading) -> None:
        """Ask this state of the database."""
        self._reading = reading

    def claims(self, block_id: BlockId) -> tuple[Claim, ...]:
        return self._claims(_BY_ID, block_id)

    def inbound(self, block_id: BlockId) -> tuple[Claim, ...]:
        return self._claims(_BY_LINK, block_id)

    def meanings(self, evidence_id: EvidenceId) -> frozenset[Meaning]:
        return frozenset(meaning for _, meaning in self.defined(evidence_id))

    def defined(self, evidence_id: EvidenceId) -> frozenset[tuple[TopicPath, Meaning]]:
        rows = self._reading.rows(
            "SELECT path, data FROM meaning CROSS JOIN file ON file.id = meaning.file WHERE meaning.id = ?",
            (evidence_id,),
        )
        return frozenset((path, unpack_meaning(data)) for path, data in rows)

    def evidence_like(self, meaning: Meaning) -> tuple[EvidenceId, ...]:
        data = pack_meaning(meaning)
        rows = self._reading.rows(
            "SELECT DISTINCT id FROM meaning WHERE meaning_key = ? AND data = ? ORDER BY id", (key(data), data)
        )
        return tuple(evidence_id for (evidence_id,) in rows)

    def record(self, target: Target) -> Record | None:
        return next((record for record in self._records(_BY_PLACE, target) if record.target == target), None)

    def source(self, handle: SourceId) -> Record | None:
        return next(iter(self.sources(handle)), None)

    def sources(self, handle: SourceId) -> tuple[Record, ...]:
        found = (record for record in self._records(_BY_HANDLE, handle) if record.handle == handle)
        return tuple(sorted(found, key=precedence))

    def promoted(self, handle: SourceId) -> Tier | None:
        found = self._reading.row("SELECT tier FROM promoted WHERE handle = ?", (handle,))
        return None if found is None else Tier(found[0])

    def forgotten(self, handle: SourceId) -> bool:
        return self._reading.row("SELECT 1 FROM forgotten WHERE digest = ?", (handle_sha256(handle),)) is not None

    def citing(self, target: Target) -> tuple[Claim, ...]:
        return tuple(claim for claim in self._claims(_BY_TARGET, key(target)) if _cites(claim, target))

    def dated(self, when: str) -> tuple[Claim, ...]:
        return self._claims(_BY_MOMENT, when)

    def whens(self) -> Iterator[str]:
        return (moment for (moment,) in self._reading.rows(_MOMENTS))

    def links(self) -> Iterator[tuple[TopicPath, BlockId, BlockId]]:
        rows = self._reading.rows(
            "SELECT file.path, link.own, link.target FROM link CROSS JOIN file ON file.id = link.file"
        )
        return ((path, own, target) for path, own, target in rows)

    def links_in(self, path: TopicPath) -> tuple[Claim, ...]:
        return self._claims(_BY_REACH, path)

    def of_topic(self, path: TopicPath) -> tuple[Claim, ...]:
        return self._claims(_OF_TOPIC, path)

    def created(self, block_id: BlockId) -> int | None:
        row = self._reading.row("SELECT created FROM block WHERE id = ?", (block_id,))
        return None if row is None else row[0]

    def created_count(self) -> int:
        row = self._reading.row("SELECT max(created) FROM block")
        return 0 if row is None or row[0] is None else row[0] + 1

    def recent(self, limit: int) -> tuple[Claim, ...]:
        return self.recent_between(0, _FOREVER, max(limit, 0))

    def recent_between(self, first: int, end: int, limit: int = -1) -> tuple[Claim, ...]:
        """The last claims of which the own id's place in creation order is in a range; ``limit`` -1: all of them."""
        return self._claims(_RECENT, first, end, limit)[::-1]

    def _claims(self, sql: str, *values: Value) -> tuple[Claim, ...]:
        return tuple(unpack_claim(*row) for row in self._reading.rows(sql, values))

    def _records(self, sql: str, text: str) -> Iterator[Record]:
        return (unpack_record(path, data) for path, data in self._reading.rows(sql, (key(text),)))


def _cites(claim: Claim, target: Target) -> bool:
    return any(link.resolved == target for evidence in claim.evidence for link in evidence.sources)
