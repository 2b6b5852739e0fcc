"""Stretches of time that paragraphs are cut into."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.writer.organize_calendar import cells, is_cell_name, is_time, part_name, part_number

Item = tuple[str | None, int]


def cut(*items: Item, room: int = 10) -> list[tuple[str, list[Item]]]:
    found = cells(items, lambda item: item[0], lambda item: item[1], room)
    return [(cell.name, list(cell.items)) for cell in found]


def names(*items: Item, room: int = 10) -> list[str]:
    return [name for name, _ in cut(*items, room=room)]


def test_a_year_that_fits_is_one_stretch() -> None:
    assert cut(("2023-01-01", 5), ("2023-12-31", 5), ("2022", 3)) == [
        ("2022", [("2022", 3)]),
        ("2023", [("2023-01-01", 5), ("2023-12-31", 5)]),
    ]


def test_what_is_too_much_is_cut_finer_and_finer() -> None:
    assert names(("2023-01-01", 6), ("2023-05-01", 6)) == ["2023-q1", "2023-q2"]
    assert names(("2023-01-01", 6), ("2023-02-01", 6), ("2023-12-01", 9)) == ["2023-01", "2023-02", "2023-q4"]
    assert names(("2023-01-01", 6), ("2023-01-02", 6)) == ["2023-01-01", "2023-01-02"]
    assert names(*[("2023-01-01", 6)] * 3) == ["2023-01-01", "2023-01-01-part-2", "2023-01-01-part-3"]


def test_a_time_that_is_known_no_better_keeps_its_name() -> None:
    assert names(("2023", 6), ("2023-02-01", 6), ("2023-02", 6)) == ["2023", "2023-02", "2023-02-01"]


def test_what_has_no_time_comes_last_in_the_order_of_the_file() -> None:
    assert cut((None, 6), ("2023", 5), (None, 7), ("nonsense", 4)) == [
        ("2023", [("2023", 5)]),
        ("undated", [(None, 6)]),
        ("undated-part-2", [(None, 7)]),
        ("undated-part-3", [("nonsense", 4)]),
    ]


def test_an_item_that_is_too_large_stands_alone() -> None:
    assert names(("2023", 60), ("2023", 1)) == ["2023", "2023-part-2"]


@pytest.mark.parametrize("title", ["2024", "2024-03", "2024-03-05", "Undated", "undated"])
def test_headings_that_name_a_time(title: str) -> None:
    assert is_time(title)


@pytest.mark.parametrize("title", ["Work", "2024-3", "March 2024", "20245", "", "2024-03-05 10:00"])
def test_other_headings_name_a_subject(title: str) -> None:
    assert not is_time(title)


@pytest.mark.parametrize(("name", "base", "number"), [("2024-q1", "2024-q1", 1), ("undated-part-12", "undated", 12)])
def test_names_of_files_count_the_parts_of_a_stretch(name: str, base: str, number: int) -> None:
    assert part_number(name) == (base, number)
    assert part_name(base, number) == name
    assert is_cell_name(name)
    assert not is_cell_name(f"x-{name}")


DAYS = st.sampled_from([None, "2021", "2022-03", "2022-11", "2023-05-07", "2023-05-08", "2024-01-31"])


@given(st.lists(st.tuples(DAYS, st.integers(1, 9)), max_size=40))
def test_every_item_is_in_one_stretch_that_fits_and_names_differ(items: list[Item]) -> None:
    found = cut(*items, room=12)
    assert sorted(map(repr, items)) == sorted(repr(item) for _, held in found for item in held)
    assert all(sum(size for _, size in held) <= 12 for _, held in found)
    assert len({name for name, _ in found}) == len(found)
    assert all(map(is_cell_name, (name for name, _ in found)))
