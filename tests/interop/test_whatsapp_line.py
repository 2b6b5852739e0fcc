"""The beginning of a message as phones write it, in many languages."""

from __future__ import annotations

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.interop.whatsapp_line import MARKS, DateOrder, parse_header, split_sender

DAY, MONTH, YEAR = DateOrder.DAY_FIRST, DateOrder.MONTH_FIRST, DateOrder.YEAR_FIRST


@pytest.mark.parametrize(
    ("line", "order", "when"),
    [
        ("30/12/21, 22:01 - A: x", DAY, "2021-12-30T22:01"),
        ("12/30/2021, 10:01 PM - A: x", MONTH, "2021-12-30T22:01"),
        ("12/30/21, 10:01\u202fp.\u00a0m. - A: x", MONTH, "2021-12-30T22:01"),
        ("12/30/21, 12:01 AM - A: x", MONTH, "2021-12-30T00:01"),
        ("12/30/21, 12:01 pm - A: x", MONTH, "2021-12-30T12:01"),
        ("01/20/2019, 00:08 a. m. - A: x", MONTH, "2019-01-20T00:08"),
        ("30.12.21, 22:01 - A: x", DAY, "2021-12-30T22:01"),
        ("30.12.21 um 22:01 - A: x", DAY, "2021-12-30T22:01"),
        ("30/12/2021 à 22:01 - A: x", DAY, "2021-12-30T22:01"),
        ("30-12-21 22:01 - A: x", DAY, "2021-12-30T22:01"),
        ("30/12/21 22.01 - A: x", DAY, "2021-12-30T22:01"),
        ("2021-12-30, 22:01 - A: x", YEAR, "2021-12-30T22:01"),
        ("2021/12/30 下午10:01 - A: x", YEAR, "2021-12-30T22:01"),
        ("2021/12/30 上午10:01 - A: x", YEAR, "2021-12-30T10:01"),
        ("2021. 12. 30. 오후 10:01 - A: x", YEAR, "2021-12-30T22:01"),
        ("[30/12/21, 22:01:05] A: x", DAY, "2021-12-30T22:01:05"),
        ("\u200e[12/30/21, 10:01:05\u202fPM] A: x", MONTH, "2021-12-30T22:01:05"),
        ("[30.12.21, 22:01:05] A: x", DAY, "2021-12-30T22:01:05"),
        ("[2021-12-30 22:01:05] A: x", YEAR, "2021-12-30T22:01:05"),
        ("[2021/12/30 下午10:01:05] A: x", YEAR, "2021-12-30T22:01:05"),
        ("٣٠/١٢/٢٠٢١, ٢٢:٠١ - A: x", DAY, "2021-12-30T22:01"),
    ],
)
def test_a_message_begins_with_its_time(line: str, order: DateOrder, when: str) -> None:
    found = parse_header(line)
    assert found is not None
    assert (f"{found.day(order)}T{found.clock}", found.rest) == (when, "A: x")


@pytest.mark.parametrize(
    "line",
    [
        "",
        "hello",
        "[2026-01-01] Ada: hello",
        "30/12/21 - Ada: hello",
        "[22:01, 30/12/2021] Ada: hello",
        "30/12/21, 22:01 Ada: hello",
        "[30/12/21, 22:01:05 - Ada: hello",
        "30/12/21, 22:01] Ada: hello",
        "30/12-21, 22:01 - Ada: hello",
        "300/12/21, 22:01 - Ada: hello",
        "30/12/2122:01 - Ada: hello",
        " 30/12/21, 22:01 - Ada: hello",
        "30/12/21, 22:01 pmx - Ada: hello",
    ],
)
def test_other_lines_begin_none(line: str) -> None:
    assert parse_header(line) is None


@pytest.mark.parametrize(("line", "day"), [("31/02/21, 22:01 - A: x", False), ("30/12/21, 24:00 - A: x", True)])
def test_what_no_calendar_or_clock_shows_is_no_time(line: str, day: bool) -> None:
    found = parse_header(line)
    assert found is not None
    assert (found.day(DAY) is not None, found.clock is not None) == (day, not day)


@pytest.mark.parametrize(
    ("rest", "found"),
    [
        ("Ada: hello", ("Ada", "hello")),
        ("Ada: a: b", ("Ada", "a: b")),
        ("Ada:.", ("Ada", ".")),
        ("Ada changed the description to:", (None, "Ada changed the description to:")),
        ("Ada: ", ("Ada", "")),
        ("Ada :): hello", ("Ada :)", "hello")),
        ('Ada "Countess" L: hello', ('Ada "Countess" L', "hello")),
        ("\u202a+44 7700\u202c: hello", ("+44 7700", "hello")),
        ("~\u202fBo: hello", ("~\u202fBo", "hello")),
        ("Ada joined", (None, "Ada joined")),
        ("The chat begins at 10:30", (None, "The chat begins at 10:30")),
        ("Learn more at https://example.org", (None, "Learn more at https://example.org")),
        ('Ada named it "a: b"', (None, 'Ada named it "a: b"')),
        ("Ada named it \u201ca: b\u201d", (None, "Ada named it \u201ca: b\u201d")),
        (": hello", (None, ": hello")),
        ("\u200e: hello", (None, "\u200e: hello")),
        (f"{'a' * 121}: hello", (None, f"{'a' * 121}: hello")),
    ],
)
def test_a_name_ends_with_its_colon(rest: str, found: tuple[str | None, str]) -> None:
    assert split_sender(rest) == found


NAMES = st.text(
    st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"], exclude_characters=f'":\u201c\u201e\u00ab{MARKS}'),
    min_size=1,
    max_size=40,
).filter(lambda name: name == name.strip(" \u00a0\u202f"))
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n"), max_size=60)


@given(
    name=NAMES,
    text=TEXTS,
    when=st.datetimes(datetime.fromisoformat("2000-01-01"), datetime.fromisoformat("2099-12-31")),
    style=st.sampled_from(
        [
            (DAY, "{:%d/%m/%y, %H:%M} - ", "minutes"),
            (DAY, "[{:%d.%m.%Y, %H:%M:%S}] ", "seconds"),
            (MONTH, "{:%m/%d/%Y, %I:%M %p} - ", "minutes"),
            (MONTH, "\u200e[{:%m/%d/%y, %I:%M:%S\u202f%p}] ", "seconds"),
            (YEAR, "[{:%Y-%m-%d %H:%M:%S}] ", "seconds"),
        ]
    ),
)
def test_whatever_is_said_is_read_as_it_was_written(
    name: str, text: str, when: datetime, style: tuple[DateOrder, str, str]
) -> None:
    order, form, precision = style
    found = parse_header(f"{form.format(when)}{name}: {text}")
    assert found is not None
    assert f"{found.day(order)}T{found.clock}" == when.isoformat(timespec=precision)
    assert split_sender(found.rest) == (name, text)


@given(st.text())
def test_no_line_is_too_strange(line: str) -> None:
    found = parse_header(line)
    if found is not None:
        sender, text = split_sender(found.rest)
        assert line.endswith(text)
        assert sender is None or sender in line
