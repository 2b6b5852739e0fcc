"""At most 35 blocks per 100 turns and prose of 0.4 of the bodies on long inputs, however they are cut."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gitmem.writer.base import Batch, Written
from gitmem.writer.limits import QUOTING, Allowance, allowance
from talks import talk


def test_a_long_input_has_the_rates() -> None:
    assert allowance(Batch(talk(*["x" * 10] * 100))) == Allowance(35, 400)
    assert allowance(Batch(talk(*["x" * 10] * 419))) == Allowance(146, 1676)


def test_a_short_talk_may_be_written_down_whole() -> None:
    assert allowance(Batch(talk("x" * 10))) == Allowance(20, 10 + QUOTING)
    assert allowance(Batch(talk(*["x" * 10] * 20))) == Allowance(23, 20 * (10 + QUOTING))


def test_a_part_of_a_long_input_has_its_rates() -> None:
    assert allowance(Batch(talk(*["x" * 10] * 10), input_turns=100)) == Allowance(3, 40)
    spent = Written(turns=90, body_bytes=900, blocks=30, prose_bytes=400)
    assert allowance(Batch(talk(*["x" * 10] * 10), 100, spent)) == Allowance(5, 0)


def test_characters_that_have_no_bytes_are_counted_too() -> None:
    assert allowance(Batch(talk("\ud800é"))).prose_bytes == 3 + QUOTING


@given(st.lists(st.integers(1, 40), min_size=1, max_size=30))
def test_however_an_input_is_cut_the_whole_keeps_the_limits(sizes: list[int]) -> None:
    total = sum(sizes)
    written = Written()
    for size in sizes:
        allowed = allowance(Batch(talk(*["x" * 10] * size), total, written))
        written = Written(
            written.turns + size,
            written.body_bytes + 10 * size,
            written.blocks + allowed.blocks,
            written.prose_bytes + allowed.prose_bytes,
        )
    whole = allowance(Batch(talk(*["x" * 10] * total)))
    assert (written.blocks, written.prose_bytes) == (whole.blocks, whole.prose_bytes)
    assert total < 100 or (written.blocks <= 0.35 * total and written.prose_bytes <= 4 * total)
