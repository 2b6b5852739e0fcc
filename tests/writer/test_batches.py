"""Batches are leading turns that reach the threshold (behaviours.md 10.2, 10.3)."""

from __future__ import annotations

import pytest

from gitmem.errors import Code, InvalidRequest
from gitmem.writer.batches import batches, leading_batch
from talks import talk

SIX = talk(*["four word turn here"] * 6)


def count(text: str) -> int:
    return len(text.split())


def test_a_batch_ends_where_the_threshold_is_reached() -> None:  # behaviours.md 10.2; 0.25: any positive number
    assert leading_batch(SIX, 8, count) == SIX[:2]
    assert leading_batch(SIX, 9, count) == SIX[:3]


def test_below_the_threshold_there_is_none_unless_forced() -> None:
    # behaviours.md 10.2
    assert leading_batch(SIX, 25, count) == ()
    assert leading_batch(SIX, 25, count, force=True) == SIX
    assert leading_batch((), 8, count, force=True) == ()


def test_forcing_goes_on_until_nothing_is_left() -> None:
    # behaviours.md 10.3
    assert [len(batch) for batch in batches(SIX, 4, count, force=True)] == [1] * 6
    assert [len(batch) for batch in batches(SIX[:5], 8, count, force=True)] == [2, 2, 1]
    assert [len(batch) for batch in batches(SIX[:5], 8, count)] == [2, 2]


@pytest.mark.parametrize("threshold", [0, -1])
def test_a_threshold_below_one_is_refused(threshold: int) -> None:  # behaviours.md 0.25
    with pytest.raises(InvalidRequest) as refused:
        leading_batch(SIX, threshold, count)
    assert refused.value.code is Code.INVALID_ARGUMENT
