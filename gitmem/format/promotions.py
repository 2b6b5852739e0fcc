"""The two ledgers below ``sources/``: pending sources vouched for, and handles erased for good (``formats.md``).

Both are JSON Lines that only ever grow by whole lines. A line is compact ASCII-escaped JSON with sorted keys and has
one spelling: it must re-encode to itself.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, TypeVar

from gitmem.errors import Code, InvalidRequest
from gitmem.format.instant import instant
from gitmem.format.layout import is_handle
from gitmem.format.model import Defect, Tier
from gitmem.ids import SourceId

if TYPE_CHECKING:
    from collections.abc import Callable

Entry = TypeVar("Entry")

_DIGEST = re.compile(r"[0-9a-f]{64}")
_AT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Promotion:
    """One source vouched for (``behaviours.md`` 0.4): when (ISO time with offset), which, and by whose authority."""

    at: str
    principal_id: str
    source_id: SourceId
    speaker_id: str | None
    tier: Tier


@dataclass(frozen=True, slots=True)
class Forgotten:
    """One handle that was erased and may not come back, known by its SHA-256 only."""

    at: str
    handle_sha256: str


def handle_sha256(handle: SourceId) -> str:
    """Give the digest under which a forgotten handle is remembered."""
    return hashlib.sha256(handle.encode()).hexdigest()


def render_promotion(promotion: Promotion) -> bytes:
    """Give the promotion's line, LF included. Raises ``InvalidRequest`` for values that could not be read back."""
    return _render(asdict(promotion), promotion, _promotion)


def render_forgotten(entry: Forgotten) -> bytes:
    """Give the forgotten handle's line, LF included. Raises ``InvalidRequest`` as ``render_promotion`` does."""
    return _render(asdict(entry), entry, _forgotten)


def parse_promotions(data: bytes) -> tuple[tuple[Promotion, ...], Defect | None]:
    """Read ``promotions.jsonl`` up to the first line that is not sound, and say what is wrong there."""
    return _parse(data, _promotion)


def parse_forgotten(data: bytes) -> tuple[tuple[Forgotten, ...], Defect | None]:
    """Read ``forgotten.jsonl`` up to the first line that is not sound, and say what is wrong there."""
    return _parse(data, _forgotten)


def _render(fields: dict[str, object], entry: Entry, read: Callable[[dict[str, object]], Entry | None]) -> bytes:
    if read(fields) != entry:
        raise InvalidRequest(Code.INVALID_ARGUMENT, f"not a line that could be read back: {fields}")
    return _line(fields)


def _line(fields: dict[str, object]) -> bytes:
    return (json.dumps(fields, sort_keys=True, separators=(",", ":")) + "\n").encode()


def _parse(data: bytes, read: Callable[[dict[str, object]], Entry | None]) -> tuple[tuple[Entry, ...], Defect | None]:
    entries: list[Entry] = []
    lines = data.split(b"\n")
    for number, line in enumerate(lines[:-1], 1):
        fields = _load(line)
        entry = None if fields is None else read(fields)
        if entry is None:
            return tuple(entries), Defect("bad-line", "the line is not a canonical entry", number)
        entries.append(entry)
    if lines[-1]:
        return tuple(entries), Defect("incomplete-line", "the last line has no end", len(lines))
    return tuple(entries), None


def _load(line: bytes) -> dict[str, object] | None:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return fields if isinstance(fields, dict) and _line(fields) == line + b"\n" else None


def _promotion(fields: dict[str, object]) -> Promotion | None:
    if set(fields) != {"at", "principal_id", "source_id", "speaker_id", "tier"}:
        return None
    at, principal, source = fields["at"], fields["principal_id"], fields["source_id"]
    speaker, tier = fields["speaker_id"], fields["tier"]
    if not (_is_time(at) and isinstance(principal, str) and principal and isinstance(source, str)):
        return None
    if not is_handle(source) or not (speaker is None or isinstance(speaker, str)) or tier not in ("owner", "paired"):
        return None
    return Promotion(str(at), principal, SourceId(source), speaker, Tier(tier))


def _forgotten(fields: dict[str, object]) -> Forgotten | None:
    if set(fields) != {"at", "handle_sha256"}:
        return None
    at, digest = fields["at"], fields["handle_sha256"]
    if not (_is_time(at) and isinstance(digest, str) and _DIGEST.fullmatch(digest)):
        return None
    return Forgotten(str(at), digest)


def _is_time(value: object) -> bool:
    return isinstance(value, str) and _AT.fullmatch(value) is not None and instant(value) is not None
