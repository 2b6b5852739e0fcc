"""Event times: relative dates are resolved against the message's own date (behaviours.md 1.2, 10.7)."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.format.evidence import valid_when
from gitmem.writer.dates import event_time, find_time, message_date

MONDAY = date(2023, 5, 8)


@pytest.mark.parametrize(
    ("sentence", "when"),
    [
        ("I went there yesterday.", "2023-05-07"),
        ("I met her last night.", "2023-05-07"),
        ("I did it this morning.", "2023-05-08"),
        ("We leave tomorrow.", "2023-05-09"),
        ("The day before yesterday I slept.", "2023-05-06"),
        ("We leave the day after tomorrow.", "2023-05-10"),
        ("I'm flying to Rome next Friday.", "2023-05-12"),
        ("We met last Friday.", "2023-05-05"),
        ("Last Fri I took my kids to a workshop.", "2023-05-05"),
        ("I'll see her on Friday.", "2023-05-12"),
        ("I\u2019ll see her on Friday.", "2023-05-12"),
        ("We met on Friday.", "2023-05-05"),
        ("The meeting is on Friday.", "2023-05-12"),
        ("I have been here since Monday.", "2023-05-01"),
        ("I ran a race last week.", "2023-05-01"),
        ("It was the week before last.", "2023-04-24"),
        ("I went hiking last weekend.", "2023-05-06"),
        ("We went camping two weekends ago.", "2023-04-24"),
        ("I'm going this weekend.", "2023-05-13"),
        ("We go camping next month.", "2023-06"),
        ("I'm going to a conference this month.", "2023-05"),
        ("I painted it last year.", "2022"),
        ("I started three years ago.", "2020"),
        ("A friend made it ten years ago.", "2013"),
        ("A couple of days ago I fell.", "2023-05-06"),
        ("We got a dog a few weeks ago.", "2023-05"),
        ("She moved a few months ago.", "2023"),
        ("I'm moving in two weeks.", "2023-05-22"),
        ("I started in 2019.", "2019"),
        ("I have lived here since 2016.", "2016"),
        ("I visited Paris in May 2019.", "2019-05"),
        ("I was born on March 3, 1990.", "1990-03-03"),
        ("The 5th of June 2023 is the day.", "2023-06-05"),
        ("The deadline is 2024-04-15.", "2024-04-15"),
        ("My birthday is on 14 June.", "2023-06-14"),
        ("My anniversary is May 3.", "2023-05-03"),
        ("We stay there from 3 to 7 June.", "2023-06-03"),
        ("We stayed there May 3-7, 2021.", "2021-05-03"),
        ("The fair is May 20\u201322.", "2023-05-20"),
        ("We stay from the 3rd to the 7th of June 2024.", "2024-06-03"),
        ("We stay from 8 to 20 June.", "2023-06-08"),
        ("We stay from the 8th through the 20th of June.", "2023-06-08"),
        ("We stay from Thursday 8 to Tuesday 20 June.", "2023-06-08"),
        ("We stay from 8 up to 20 June 2024.", "2024-06-08"),
        ("We stay from 8 June to 20 June.", "2023-06-08"),
        ("We stay 8\u201120 June.", "2023-06-08"),
        ("The fair is on 8/9 June.", "2023-06-08"),
        ("I work on 8, 9 and 11 June.", "2023-06-08"),
        ("I work on June 8, 9 and 11.", "2023-06-08"),
        ("We need somebody to water the raised beds in July.", "2023-07"),
        ("We need help in December.", "2023-12"),
        ("I should see a dentist in December.", "2023-12"),
        ("I'd like to visit Rome in December.", "2023-12"),
        ("The shop is closed in December.", "2022-12"),  # nothing says which, so the nearest
        ("The lease ends in July.", "2023-07"),
        ("I spent 400 euros in July.", "2022-07"),
        ("We finally finished it in December.", "2022-12"),
        ("I have painted the beds in July.", "2022-07"),
        ("I booked a table for Friday.", "2023-05-12"),
        ("I decided to come by train on Friday evening.", "2023-05-12"),
        ("A boat for six on 20 May, booked by Ada.", "2023-05-20"),
        ("Noted: a boat for six on 20 May.", "2023-05-20"),
        ("My anniversary may be May 3.", "2024-05-03"),
        ("We agreed to meet in December.", "2023-12"),
        ("We're going to Spain in July.", "2023-07"),
        ("I went to Spain in July.", "2022-07"),
        ("Last summer we went to Greece.", "2022"),
        ("Next summer I'm going to Peru.", "2024"),
        ("我明天去北京。", "2023-05-09"),
        ("我们上周五见面了。", "2023-05-05"),
        ("下周三开会。", "2023-05-17"),
        ("我周三去北京。", "2023-05-10"),
        ("我2019年毕业。", "2019"),
        ("我2019年5月毕业。", "2019-05"),
        ("我2019年5月4日毕业。", "2019-05-04"),
        ("三年前我搬到上海。", "2020"),
        ("5月3日是我的生日。", "2023-05-03"),
        ("来週の金曜日に会います。", "2023-05-19"),
        ("昨日行きました。", "2023-05-07"),
        ("어제 갔어요.", "2023-05-07"),
        ("3년 전에 왔어요.", "2020"),
        ("Ich war gestern in Bonn.", "2023-05-07"),
        ("Ich bin vor 3 Wochen eingezogen.", "2023-04-17"),
        ("Wir heiraten am 3. Juni 2024.", "2024-06-03"),
        ("Je pars la semaine prochaine.", "2023-05-15"),
        ("Ayer compré una bicicleta.", "2023-05-07"),
        ("Я вчера был дома.", "2023-05-07"),
    ],
)
def test_a_named_time_is_the_event_time(sentence: str, when: str) -> None:
    assert event_time(sentence, MONDAY) == when


@pytest.mark.parametrize(
    "sentence",
    [
        "I feel great.",
        "We may go there.",
        "I may march on.",
        "I sat in the sun.",
        "I go running every Friday.",
        "I have 2 dogs.",
        "I read it in two weeks.",
        "It feels like just yesterday.",
        "I was there in 1066.",
        "It happened on 31 February 2020.",
        "I like 1990年代 music.",
    ],
)
def test_without_a_time_it_is_the_day_it_was_said(sentence: str) -> None:
    assert event_time(sentence, MONDAY) == "2023-05-08"


def test_without_a_timestamp_only_complete_dates_are_known() -> None:
    assert event_time("I started in 2019.", None) == "2019"
    assert event_time("I was born on March 3, 1990.", None) == "1990-03-03"
    assert event_time("I went there yesterday.", None) is None
    assert event_time("I live in Rome.", None) is None


def test_the_first_of_several_times_counts() -> None:
    assert event_time("I moved in 2019 and married last year.", MONDAY) == "2019"


@pytest.mark.parametrize(
    ("timestamp", "day"),
    [
        ("2023-05-08T13:56:00", MONDAY),
        ("2023-05-08", MONDAY),
        ("20230508", MONDAY),
        ("2023-05-08T23:30:00-05:00", MONDAY),  # 10.7: in its own offset
        ("2023-05-08T10:00:00Z", MONDAY),
        ("1683550000", MONDAY),
        ("1683550000.25", MONDAY),
        ("1:56 pm on 8 May, 2023", MONDAY),
        ("5/8/23, 1:56 PM", MONDAY),
        ("0001-01-01", date(1, 1, 1)),
        ("garbage", None),
        ("99999999999999999999", None),
        ("", None),
        (None, None),
    ],
)
def test_the_date_of_a_message(timestamp: str | None, day: date | None) -> None:
    assert message_date(timestamp) == day


@pytest.mark.parametrize("base", [date(1, 1, 1), date(1, 1, 3), date(9999, 12, 31), date(2024, 2, 29)])
@pytest.mark.parametrize("sentence", ["I went last week.", "我上周一去了。", "We go next year.", "It is on May 3."])
def test_the_ends_of_the_calendar_do_no_harm(base: date, sentence: str) -> None:
    when = event_time(sentence, base)
    assert when is not None
    assert valid_when(when)


@given(st.text(alphabet=st.sampled_from("0123456789/-. MayJunelastnxwkgo年月日前週")))
def test_any_text_gives_a_valid_time(text: str) -> None:
    when = event_time(text, MONDAY)
    assert when is not None
    assert valid_when(when)
    found = find_time(text)
    assert found is None or 0 <= found.start <= found.end <= len(text)
