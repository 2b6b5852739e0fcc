"""Single values of a turn: texts, handles, times (cli.md, Inputs; behaviours.md 0.29, 7.9, 7.10, 10.7)."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitmem.conversations.adding import content_id
from gitmem.conversations.model import SessionId
from gitmem.interop.reading import (
    Fault,
    Place,
    Unreadable,
    file_name,
    session_problem,
    sound_handle,
    sound_text,
)
from gitmem.interop.times import time_of

SESSION = SessionId("import", "chat")


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (None, None),
        ("", None),
        (0, "1970-01-01T00:00:00+00:00"),
        (1695326273, "2023-09-21T19:57:53+00:00"),
        (1695326273.969279, "2023-09-21T19:57:53.969279+00:00"),
        (-1, "1969-12-31T23:59:59+00:00"),
        ("2026-08-09", "2026-08-09"),
        ("2026-08-09T10:00:00+08:00", "2026-08-09T10:00:00+08:00"),
        ("2026-08-09T10:00:00Z", "2026-08-09T10:00:00Z"),
        ("2026-08-09 10:00", "2026-08-09 10:00"),
        (" 2026-08-09\n", "2026-08-09"),
        ("1695326273.5", "2023-09-21T19:57:53.500000+00:00"),
    ],
)
def test_times_become_iso_or_stay_as_given(given: object, kept: str | None) -> None:
    # behaviours.md 10.7, 0.29
    assert time_of(given) == kept


@pytest.mark.parametrize(
    "given",
    [
        True,
        [],
        {},
        "soon",
        "2026-W32-1",
        "20260809",
        "2026-02-30",
        "2026-08-09\n10:00",
        "2026-08-09]10:00",
        1e300,
        -1e12,
        1695326273968,
        float("nan"),
        float("inf"),
        10**400,
        "\u0662026-08-09",
        -62135596801,
    ],
)
def test_what_is_no_time_is_refused(given: object) -> None:
    with pytest.raises(Unreadable) as caught:
        time_of(given)
    assert caught.value.code is Fault.BAD_TIME


@pytest.mark.parametrize("text", ["", "plain", "a\r\nb \u2028 \x00".replace("\x00", ""), "\U0001f600", "\x1b[31m"])
def test_texts_that_an_archive_can_hold_are_taken_as_they_are(text: str) -> None:
    assert sound_text(text, "content") == text


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ("a\0b", Fault.BAD_TEXT),
        ("a\ud83d", Fault.BAD_TEXT),
        (7, Fault.BAD_FIELD),
        (None, Fault.BAD_FIELD),
        ([], Fault.BAD_FIELD),
    ],
)
def test_other_texts_are_refused(value: object, code: Fault) -> None:
    with pytest.raises(Unreadable) as caught:
        sound_text(value, "content")
    assert caught.value.code is code
    assert str(caught.value).startswith("content ")


@pytest.mark.parametrize("name", ["[x]", "<x", "x>", "a\nb", "\u200b", ""])
def test_ids_that_make_no_handle_are_refused(name: str) -> None:
    # behaviours.md 7.9, 7.10
    with pytest.raises(Unreadable) as caught:
        sound_handle(SESSION, name)
    assert caught.value.code is Fault.BAD_ID


def test_ids_may_hold_slashes_and_letters_of_any_script() -> None:
    assert sound_handle(SESSION, "a/b \u00e9\u4e2d") == "a/b \u00e9\u4e2d"


@pytest.mark.parametrize(
    "session",
    [
        SessionId("a/b", "c"),
        SessionId("a", "b/c"),
        SessionId("..", "c"),
        SessionId("a", "."),
        SessionId("promotions.jsonl", "c"),
        SessionId("con", "c"),
        SessionId("a", "x" * 250),
        SessionId("", "c"),
        SessionId("a", ""),
    ],
)
def test_conversations_that_no_archive_or_ref_can_be_named_for_are_refused(session: SessionId) -> None:
    # behaviours.md 7.9, architecture.md 2
    assert session_problem(session)
    with pytest.raises(Unreadable) as caught:
        sound_handle(session, "m1")
    assert caught.value.code is Fault.BAD_SESSION


def test_ordinary_conversations_have_no_problem() -> None:
    assert session_problem(SessionId("telegram", "-1001 caf\u00e9.x")) is None


def test_an_id_is_made_of_content_and_ordinal() -> None:
    assert content_id("hello", 1) == content_id("hello", 1)
    assert len({content_id("hello", 1), content_id("hello", 2), content_id("hullo", 1)}) == 3
    assert sound_handle(SESSION, content_id("\u4e2d[]", 7))


def test_a_file_name_that_is_no_text_is_shown_anyway() -> None:
    assert file_name(Path("a\udce9.jsonl")) == "a?.jsonl"


def test_a_report_says_where_it_is() -> None:
    found = Place("x.jsonl", line=3, item="message 7").error(Fault.BAD_ID, "why")
    assert (found.file, found.line, found.item, found.code, found.message) == (
        "x.jsonl",
        3,
        "message 7",
        "bad-id",
        "why",
    )
