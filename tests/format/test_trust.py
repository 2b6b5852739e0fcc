"""The source-meta token: canonical, both shapes, nothing else (behaviours.md 7.6)."""

from __future__ import annotations

import base64
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.errors import InvalidRequest
from gitmem.format.model import Tier, TrustMetadata, TrustState
from gitmem.format.trust import decode_metadata, encode_metadata

TEXT = st.none() | st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
METADATA = st.builds(TrustMetadata, st.sampled_from(TrustState), TEXT, TEXT, st.none() | st.sampled_from(Tier))


def token(fields: object, **style: object) -> str:
    options: dict[str, object] = {"sort_keys": True, "separators": (",", ":")} | style
    text = json.dumps(fields, **options)  # type: ignore[arg-type]
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


CURRENT = {
    "authority_tier": "owner",
    "principal_id": "p1",
    "speaker_kind": "human",
    "trust_state": "trusted",
    "version": 1,
}
OLDER = {
    "origin_scope": "local-owner",
    "principal_id": "p1",
    "speaker_kind": "human",
    "trust_state": "trusted",
    "version": 1,
}


def test_metadata_is_compact_sorted_json_in_unpadded_base64() -> None:
    metadata = TrustMetadata(TrustState.TRUSTED, "human", "p1", Tier.OWNER)
    assert encode_metadata(metadata) == token(CURRENT)
    assert "=" not in encode_metadata(metadata)


@given(METADATA)
def test_metadata_reads_back(metadata: TrustMetadata) -> None:
    assert decode_metadata(encode_metadata(metadata)) == metadata


@pytest.mark.parametrize(("scope", "tier"), [("local-owner", Tier.OWNER), ("legacy-unknown", None), ("group", None)])
def test_the_older_shape_is_read_and_kept(scope: str, tier: Tier | None) -> None:
    older = token(OLDER | {"origin_scope": scope})
    metadata = decode_metadata(older)
    assert metadata == TrustMetadata(TrustState.TRUSTED, "human", "p1", tier, scope)
    assert encode_metadata(metadata) == older


def test_text_beyond_ascii_is_read_in_either_spelling() -> None:
    fields = CURRENT | {"principal_id": "日本"}
    assert decode_metadata(token(fields)) == decode_metadata(token(fields, ensure_ascii=False)) is not None


@pytest.mark.parametrize(
    "bad",
    [
        "",
        "!!",
        "a",
        token(CURRENT) + "=",
        token(CURRENT) + "A",
        token(CURRENT, sort_keys=False, separators=(", ", ": ")),
        token(dict(reversed(CURRENT.items())), sort_keys=False),
        token(CURRENT | {"more": 1}),
        token({k: v for k, v in CURRENT.items() if k != "version"}),
        token(CURRENT | {"version": 2}),
        token(CURRENT | {"version": True}),
        token(CURRENT | {"version": 1.0}),
        token(CURRENT | {"authority_tier": "admin"}),
        token(CURRENT | {"authority_tier": ["owner"]}),
        token(CURRENT | {"trust_state": "maybe"}),
        token(CURRENT | {"trust_state": None}),
        token(CURRENT | {"principal_id": 7}),
        token(CURRENT | {"principal_id": "\ud800"}),
        token(CURRENT | {"speaker_kind": {}}),
        token(OLDER | {"origin_scope": None}),
        token(OLDER | {"authority_tier": "owner"}),
        token([CURRENT]),
        base64.urlsafe_b64encode(b"\xff\xfe{}").decode().rstrip("="),
        base64.urlsafe_b64encode(b"[" * 30_000).decode().rstrip("="),
    ],
)
def test_anything_else_is_no_metadata(bad: str) -> None:
    assert decode_metadata(bad) is None


def test_metadata_that_is_not_unicode_is_refused() -> None:
    with pytest.raises(InvalidRequest):
        encode_metadata(TrustMetadata(TrustState.PENDING, None, "\ud800", None))
