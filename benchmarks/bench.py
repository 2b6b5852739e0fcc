"""Times of repeated calls, and the table they end in."""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class Measure:
    """One line of the results: what was measured, against what, and whether it keeps the limit.

    Times are medians in seconds; with another ``unit`` both are numbers of it. ``limit`` bounds ``time / against`` from
    above, or from below with ``at_least``.
    """

    number: str
    what: str
    seconds: float
    against_what: str
    against: float
    limit: float
    at_least: bool = False
    unit: str = "s"

    def shown(self, value: float) -> str:
        """A value as people read it."""
        return milliseconds(value) if self.unit == "s" else f"{value:,.1f} {self.unit}"

    @property
    def ratio(self) -> float:
        """How many times as long it takes (for ``at_least``: how many times faster it is)."""
        if self.at_least:
            return self.against / self.seconds
        return self.seconds / self.against

    @property
    def kept(self) -> bool:
        """Whether the limit is kept."""
        return self.ratio >= self.limit if self.at_least else self.ratio <= self.limit


def median_seconds(call: Callable[[], object], times: int) -> float:
    """The median of so many calls."""
    return statistics.median(timed(call) for _ in range(times))


def timed(call: Callable[[], object]) -> float:
    """How long one call takes."""
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


def table(measures: list[Measure]) -> str:
    """The measures as a Markdown table."""
    rows = [
        "| # | measure | time | against | time | ratio | limit | kept |",
        "| --- | --- | ---: | --- | ---: | ---: | ---: | --- |",
    ]
    for m in measures:
        sign = "≥" if m.at_least else "≤"
        rows.append(
            f"| {m.number} | {m.what} | {m.shown(m.seconds)} | {m.against_what} | {m.shown(m.against)} "
            f"| {m.ratio:.2f} | {sign} {m.limit:g} | {'yes' if m.kept else '**no**'} |"
        )
    return "\n".join(rows) + "\n"


def milliseconds(seconds: float) -> str:
    """A time as people read it."""
    return f"{seconds * 1000:,.1f} ms"
