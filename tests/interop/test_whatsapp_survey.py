"""Whether the day or the month comes first is judged from all dates of a chat."""

from __future__ import annotations

import pytest

from gitmem.interop.whatsapp_line import DateOrder, parse_header
from gitmem.interop.whatsapp_survey import survey_of

DAY, MONTH, YEAR = DateOrder.DAY_FIRST, DateOrder.MONTH_FIRST, DateOrder.YEAR_FIRST


@pytest.mark.parametrize(
    ("dates", "order", "assumed"),
    [
        (["13/01/24, 10:00", "01/02/24, 10:00"], DAY, False),
        (["01/02/24, 10:00", "01/13/24, 10:00"], MONTH, False),
        (["01/02/24, 10:00", "02/01/24, 10:00", "03/01/24, 10:00"], MONTH, False),  # later in one order only
        (["10/01/24, 10:00", "02/02/24, 10:00"], DAY, False),
        (["05/05/24, 10:00", "06/06/24, 10:00"], DAY, False),  # the same days in both
        (["01/02/24, 10:00", "03/04/24, 10:00"], DAY, True),
        (["1/2/24, 10:00 AM", "3/4/24, 10:00 AM"], MONTH, True),
        (["1.2.24, 10:00 AM", "3.4.24, 10:00 AM"], DAY, True),
        (["2024-01-02, 10:00", "2024-03-04, 10:00"], YEAR, False),
        (["13/01/24, 10:00", "01/13/24, 10:00", "14/01/24, 10:00"], DAY, False),  # one of them is no date
        (["01/02/24, 25:00", "01/13/24, 10:00"], MONTH, False),
        (["01/02/24, 10:00", "[2024-01-13 10:00]"], DAY, True),  # another style is not looked at
    ],
)
def test_the_order_is_the_one_that_fits(dates: list[str], order: DateOrder, assumed: bool) -> None:
    lines = [f"{when} x" if when.startswith("[") else f"{when} - Ada: x" for when in dates]
    headers = [parse_header(line) for line in lines]
    assert all(headers)
    found = survey_of(header for header in headers if header)
    assert found is not None
    assert (found.order, found.assumed) == (order, assumed)


def test_nothing_shows_nothing() -> None:
    assert survey_of([]) is None
