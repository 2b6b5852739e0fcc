"""Who said it: the canonical speaker-id encoding and the label in a record's header (``behaviours.md`` 8.1 to 8.3)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote, unquote_to_bytes

from gitmem.errors import Code, InvalidRequest
from gitmem.format.text import one_line

MAX_HEADER_CHARS = 64
"""How many characters of a display name, and of an id, a header shows."""

_JOINERS = "\u200c\u200d"
_HEADER = str.maketrans({"[": "(", "]": ")", ":": "\N{FULLWIDTH COLON}"})
_ENCODED = re.compile(r"(?:[A-Za-z0-9_.~]|%[0-9A-F]{2})*")


class Speaker(NamedTuple):
    """The identity of a record; ``trusted`` when a frame's marker establishes it (``formats.md``)."""

    id: str | None
    display: str | None
    trusted: bool


NOBODY = Speaker(None, None, trusted=False)


@lru_cache(maxsize=4096)
def normalize_display(text: str | None) -> str:
    """Normalize a display name, id or role for a header: ``""`` when nothing visible is left (8.2, 8.3)."""
    cleaned = one_line(text or "").translate(_HEADER)[:MAX_HEADER_CHARS].rstrip(" ")
    return "" if not cleaned.strip(_JOINERS) else cleaned


def speaker_label(display: str | None, speaker_id: str | None, role: str) -> str:
    """Give the label before the colon: ``display (id)``, the half that exists, or the role."""
    name, ident = normalize_display(display), normalize_display(speaker_id)
    if name and ident:
        return f"{name} ({ident})"
    return name or ident or normalize_display(role) or "unknown"


@lru_cache(maxsize=4096)
def encode_speaker_id(speaker_id: str) -> str:
    """Encode a stable platform id; canonical: UTF-8 percent-encoding that leaves letters, digits and ``_ . ~``.

    Raises ``InvalidRequest`` for an id that is not Unicode text.
    """
    try:
        return quote(speaker_id, safe="").replace("-", "%2D")
    except UnicodeEncodeError as error:
        raise InvalidRequest(Code.INVALID_ARGUMENT, f"the speaker id {speaker_id!r} is not Unicode text") from error


@lru_cache(maxsize=4096)
def decode_speaker_id(encoded: str) -> str | None:
    """Decode a marker's text; ``None`` when it is not the canonical encoding of anything (7.5)."""
    if not _ENCODED.fullmatch(encoded):
        return None
    try:
        decoded = unquote_to_bytes(encoded).decode()
    except UnicodeDecodeError:
        return None
    return decoded if encode_speaker_id(decoded) == encoded else None


def speaker_marker(display: str | None, speaker_id: str | None) -> str | None:
    """Give the text of a frame's ``speaker-id`` comment: ``""`` for a display-only identity, ``None`` for nobody."""
    if speaker_id is not None and normalize_display(speaker_id):
        return encode_speaker_id(speaker_id)
    return "" if normalize_display(display) else None


def speaker_of(label: str, speaker_id: str | None) -> Speaker:
    """Read the identity back from a header's label and the decoded marker (``None``: the frame has no marker)."""
    if speaker_id is None:
        return NOBODY
    if not speaker_id:
        return Speaker(None, label, trusted=True) if label else NOBODY
    ident = normalize_display(speaker_id)
    if not ident:
        return NOBODY
    if label == ident:
        return Speaker(speaker_id, None, trusted=True)
    return Speaker(speaker_id, label.removesuffix(f" ({ident})"), trusted=True)
