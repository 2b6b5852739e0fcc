"""The ledgers below sources/: one spelling a line, whole lines only (formats.md, behaviours.md 0.4)."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.errors import InvalidRequest
from gitmem.format.model import Tier
from gitmem.format.promotions import (
    Forgotten,
    Promotion,
    handle_sha256,
    parse_forgotten,
    parse_promotions,
    render_forgotten,
    render_promotion,
)
from gitmem.ids import SourceId

AT = "2026-08-10T12:00:00+00:00"
HANDLE = SourceId("telegram/g1/m3")
PROMOTION = Promotion(AT, "ada", HANDLE, "7391", Tier.OWNER)
LINE = render_promotion(PROMOTION)
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=15)


def test_a_promotion_is_one_compact_line_with_sorted_keys() -> None:
    assert LINE == (
        b'{"at":"2026-08-10T12:00:00+00:00","principal_id":"ada","source_id":"telegram/g1/m3",'
        b'"speaker_id":"7391","tier":"owner"}\n'
    )


def test_a_forgotten_handle_is_remembered_by_its_hash_only() -> None:
    digest = hashlib.sha256(b"telegram/g1/m3").hexdigest()
    entry = Forgotten(AT, handle_sha256(HANDLE))
    assert render_forgotten(entry) == f'{{"at":"{AT}","handle_sha256":"{digest}"}}\n'.encode()
    assert parse_forgotten(render_forgotten(entry) * 2) == ((entry, entry), None)


@given(TEXT.filter(bool), st.none() | TEXT, st.sampled_from(Tier))
def test_a_promotion_reads_back(principal: str, speaker: str | None, tier: Tier) -> None:
    promotion = Promotion(AT, principal, HANDLE, speaker, tier)
    assert parse_promotions(render_promotion(promotion)) == ((promotion,), None)


def test_an_empty_ledger_is_sound() -> None:
    assert parse_promotions(b"") == ((), None)
    assert parse_forgotten(b"") == ((), None)


@pytest.mark.parametrize(
    "bad",
    [
        b"\n",
        b"{}\n",
        b"[]\n",
        b"null\n",
        b"\xff\n",
        b"[" * 30_000 + b"\n",
        LINE.replace(b"\n", b"\r\n"),
        b" " + LINE,
        LINE.replace(b",", b", "),
        LINE.replace(b'"tier":"owner"', b'"tier":"admin"'),
        LINE.replace(b'"tier":"owner"', b'"tier":null'),
        LINE.replace(b'"tier":"owner"', b'"more":1,"tier":"owner"'),
        LINE.replace(b'"7391"', b"7391"),
        LINE.replace(b'"ada"', b'""'),
        LINE.replace(b'"ada"', b"null"),
        LINE.replace(b'"telegram/g1/m3"', b'"telegram/g1"'),
        LINE.replace(b'"telegram/g1/m3"', b"7"),
        LINE.replace(b"2026-08-10T12:00:00+00:00", b"2026-08-10"),
        LINE.replace(b"2026-08-10T12:00:00+00:00", b"2026-08-10T12:00:00"),
        LINE.replace(b"2026-08-10T12:00:00+00:00", b"2026-02-30T12:00:00Z"),
        LINE.replace(b'"2026-08-10T12:00:00+00:00"', b"0"),
        LINE.replace(b"ada", "日".encode()),
    ],
)
def test_reading_stops_at_the_first_line_that_is_not_sound(bad: bytes) -> None:
    promotions, defect = parse_promotions(LINE + bad + LINE)
    assert promotions == (PROMOTION,)
    assert defect is not None
    assert (defect.code, defect.line) == ("bad-line", 2)


def test_a_line_without_end_is_incomplete() -> None:
    promotions, defect = parse_promotions(LINE + LINE[:-1])
    assert promotions == (PROMOTION,)
    assert defect is not None
    assert (defect.code, defect.line) == ("incomplete-line", 2)


@pytest.mark.parametrize("line", [b'{"at":"2026-08-10T12:00:00Z"}\n', b'{"at":"x","handle_sha256":"0"}\n', LINE])
def test_a_forgotten_line_needs_time_and_hash(line: bytes) -> None:
    entries, defect = parse_forgotten(line)
    assert entries == ()
    assert defect is not None


def test_what_could_not_be_read_back_is_refused() -> None:
    with pytest.raises(InvalidRequest):
        render_promotion(Promotion("now", "ada", HANDLE, None, Tier.OWNER))
    with pytest.raises(InvalidRequest):
        render_forgotten(Forgotten(AT, "ABC"))
