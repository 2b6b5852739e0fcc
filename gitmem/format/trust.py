"""The ``source-meta`` token of a frame: who vouched for a message when it was archived (``behaviours.md`` 7.6)."""

from __future__ import annotations

import base64
import binascii
import json
import re
from functools import lru_cache
from typing import TypeGuard

from gitmem.errors import Code, InvalidRequest
from gitmem.format.model import Tier, TrustMetadata, TrustState
from gitmem.format.text import SURROGATE

_TOKEN = re.compile(r"[A-Za-z0-9_-]+")
_KEYS = {"authority_tier", "principal_id", "speaker_kind", "trust_state", "version"}
_OLDER_KEYS = {"origin_scope", "principal_id", "speaker_kind", "trust_state", "version"}
_TIER_OF_SCOPE = {"local-owner": Tier.OWNER}


@lru_cache(maxsize=1024)
def encode_metadata(metadata: TrustMetadata) -> str:
    """Encode as unpadded URL-safe base64 of compact JSON with sorted keys; the older shape keeps its ``origin_scope``.

    Raises ``InvalidRequest`` when a value is not Unicode text.
    """
    token = _encode(_fields(metadata), ascii_only=True)
    if decode_metadata(token) is None:
        raise InvalidRequest(Code.INVALID_ARGUMENT, "the authority of a source must be Unicode text")
    return token


@lru_cache(maxsize=1024)
def decode_metadata(token: str) -> TrustMetadata | None:
    """Decode a token; ``None`` when it does not re-encode to itself, or has neither of the two known shapes.

    Text beyond ASCII is accepted escaped, as ``encode_metadata`` writes it, and as UTF-8.
    """
    fields = _load(token)
    if fields is None or token not in {_encode(fields, ascii_only=True), _encode(fields, ascii_only=False)}:
        return None
    return _metadata(fields)


def _fields(metadata: TrustMetadata) -> dict[str, object]:
    fields: dict[str, object] = {
        "principal_id": metadata.principal_id,
        "speaker_kind": metadata.speaker_kind,
        "trust_state": metadata.trust_state.value,
        "version": 1,
    }
    if metadata.legacy_scope is not None:
        return fields | {"origin_scope": metadata.legacy_scope}
    return fields | {"authority_tier": metadata.authority_tier and metadata.authority_tier.value}


def _encode(fields: dict[str, object], *, ascii_only: bool) -> str:
    text = json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=ascii_only)
    return base64.urlsafe_b64encode(text.encode(errors="replace")).decode().rstrip("=")


def _load(token: str) -> dict[str, object] | None:
    if not _TOKEN.fullmatch(token):
        return None
    try:
        fields = json.loads(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)))
    except (binascii.Error, ValueError, RecursionError):
        return None
    return fields if isinstance(fields, dict) else None


def _metadata(fields: dict[str, object]) -> TrustMetadata | None:
    principal, kind, state = fields.get("principal_id"), fields.get("speaker_kind"), fields.get("trust_state")
    if type(fields.get("version")) is not int or fields["version"] != 1 or state not in ("trusted", "pending"):
        return None
    if not (_is_text(principal) and _is_text(kind)):
        return None
    scope, tier = fields.get("origin_scope"), fields.get("authority_tier")
    if set(fields) == _OLDER_KEYS and _is_text(scope) and scope is not None:
        return TrustMetadata(TrustState(state), kind, principal, _TIER_OF_SCOPE.get(scope), scope)
    if set(fields) == _KEYS and (tier is None or tier in ("owner", "paired")):
        return TrustMetadata(TrustState(state), kind, principal, None if tier is None else Tier(tier))
    return None


def _is_text(value: object) -> TypeGuard[str | None]:
    """Whether a value is absent, or text without lone surrogates."""
    return value is None or (isinstance(value, str) and SURROGATE.search(value) is None)
