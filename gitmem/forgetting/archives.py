"""Archives and the ledger of promotions without what is erased; every other byte stays."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from gitmem.format.frame import HEADER, scan_v2
from gitmem.format.layout import is_v2_archive
from gitmem.format.legacy import scan_legacy
from gitmem.format.promotions import parse_promotions

if TYPE_CHECKING:
    from gitmem.forgetting.erased import Erased
    from gitmem.format.model import Record


class Cleaned(NamedTuple):
    """An archive's new bytes (``None``: nothing is left of it), and the records that went."""

    data: bytes | None
    gone: tuple[Record, ...]


def without_frames(path: str, data: bytes, erased: Erased) -> Cleaned:
    """The archive, v2 or legacy, without the frames of erased messages; what is no frame stays as it is."""
    framed = is_v2_archive(path)
    if framed and not erased.may_be_in_archive(data):
        return Cleaned(data, ())
    archive = scan_v2(path, data) if framed else scan_legacy(path, data)
    gone = tuple(record for record in archive.records if erased.record(record))
    kept, position = [], 0
    for record in gone:
        kept.append(data[position : record.start])
        position = record.end
    left = b"".join((*kept, data[position:]))
    is_empty = bool(gone) and (left.strip(b"\n") == HEADER.strip(b"\n") or not left.strip())
    return Cleaned(None if is_empty else left, gone)


def without_promotions(data: bytes, erased: Erased) -> bytes | None:
    """``promotions.jsonl`` without the lines of erased messages; ``None`` when none is left."""
    promotions, _ = parse_promotions(data)
    lines = data.split(b"\n")
    dropped = {number for number, entry in enumerate(promotions) if erased.has(entry.source_id)}
    left = b"\n".join(line for number, line in enumerate(lines) if number not in dropped)
    return left if left or not dropped else None
