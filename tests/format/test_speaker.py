"""Who said it: header normalization and the canonical speaker-id."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.errors import InvalidRequest
from gitmem.format.speaker import (
    NOBODY,
    Speaker,
    decode_speaker_id,
    encode_speaker_id,
    normalize_display,
    speaker_label,
    speaker_marker,
    speaker_of,
)

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=90)


@pytest.mark.parametrize(  # behaviours.md 8.2
    ("display", "shown"),
    [
        ("Ada  \t\nLovelace ", "Ada Lovelace"),
        ("A\x00d\x1ba\x7f", "Ada"),
        ("[Ada]: x", "(Ada)\uff1a x"),
        ("A\u202eda\u200b", "Ada"),
        ("line\u2028two", "line two"),
        ("x" * 70, "x" * 64),
        ("x" * 63 + " yy", "x" * 63),
        ("👩\u200d💻", "👩\u200d💻"),
        (None, ""),
    ],
)
def test_a_name_is_normalized_for_the_header(display: str | None, shown: str) -> None:
    assert normalize_display(display) == shown


@pytest.mark.parametrize("nothing", ["", " ", "\x00\x01", "\u200b", "\u200d\u200c", "\u202e \ufeff"])
def test_an_identity_of_control_characters_is_none(nothing: str) -> None:  # behaviours.md 8.3
    assert normalize_display(nothing) == ""
    assert speaker_marker(nothing, nothing) is None
    assert speaker_label(nothing, nothing, "user") == "user"


@given(TEXT)
def test_normalizing_twice_changes_nothing(text: str) -> None:
    once = normalize_display(text)
    assert normalize_display(once) == once
    assert len(once) <= 64
    assert not set(once) & set("[]:\n\r\u2028\u2029")


@pytest.mark.parametrize(  # formats.md: the label is `display (id)`, the half that exists, or the role
    ("display", "ident", "role", "label"),
    [
        ("Ada", "7391", "user", "Ada (7391)"),
        ("Ada", None, "user", "Ada"),
        (None, "7391", "user", "7391"),
        (None, None, "assistant", "assistant"),
        (None, None, "\x00", "unknown"),
    ],
)
def test_the_label_is_what_is_known(display: str | None, ident: str | None, role: str, label: str) -> None:
    assert speaker_label(display, ident, role) == label


@pytest.mark.parametrize(  # behaviours.md 7.5
    ("ident", "encoded"),
    [("7391", "7391"), ("a-b", "a%2Db"), ("a_b.c~d", "a_b.c~d"), ("é/ x", "%C3%A9%2F%20x"), ("", "")],
)
def test_a_speaker_id_has_one_encoding(ident: str, encoded: str) -> None:
    assert encode_speaker_id(ident) == encoded
    assert decode_speaker_id(encoded) == ident


@pytest.mark.parametrize("encoded", ["%ZZ", "--", "a-b", "%2d", "%41", "a b", "é", "%C3", "%", "%2", "a/b"])
def test_any_other_encoding_is_none(encoded: str) -> None:  # behaviours.md 7.5
    assert decode_speaker_id(encoded) is None


@given(TEXT)
def test_a_speaker_id_reads_back(ident: str) -> None:
    assert decode_speaker_id(encode_speaker_id(ident)) == ident


def test_a_speaker_id_that_is_not_unicode_is_refused() -> None:
    with pytest.raises(InvalidRequest):
        encode_speaker_id("\ud800")


@given(st.one_of(st.none(), TEXT), st.one_of(st.none(), TEXT))
def test_identity_reads_back_from_label_and_marker(display: str | None, ident: str | None) -> None:
    marker = speaker_marker(display, ident)
    decoded = None if marker is None else decode_speaker_id(marker)
    speaker = speaker_of(speaker_label(display, ident, "user"), decoded)
    assert speaker.id == (ident if normalize_display(ident) else None)
    assert (speaker.display or "") == normalize_display(display)
    assert speaker.trusted is (marker is not None)


@pytest.mark.parametrize(
    ("label", "decoded", "speaker"),
    [
        ("user", "", Speaker(None, "user", trusted=True)),  # behaviours.md 7.5: display-only, whatever it is called
        ("", "", NOBODY),
        ("user", None, NOBODY),
        ("user", "\x00", NOBODY),
        ("Somebody", "7", Speaker("7", "Somebody", trusted=True)),
    ],
)
def test_a_marker_alone_establishes_identity(label: str, decoded: str | None, speaker: Speaker) -> None:
    assert speaker_of(label, decoded) == speaker
