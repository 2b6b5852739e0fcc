"""How well a ranking finds what answers a question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

FEW, MANY = 5, 10


@dataclass(frozen=True, slots=True)
class Found:
    """Shares of the questions of which any, or every, answering turn is among the first; the mean reciprocal rank."""

    questions: int
    any_few: float
    any_many: float
    all_few: float
    all_many: float
    mrr: float

    def row(self) -> str:
        """The figures as cells of a table."""
        return " | ".join(
            f"{share:.3f}" for share in (self.any_few, self.any_many, self.all_few, self.all_many, self.mrr)
        )


HEADER = "any@5 | any@10 | all@5 | all@10 | MRR"


class Tally:
    """Collects rankings. A ranking is a list of results, each with the turns that it stands for."""

    def __init__(self) -> None:
        """No question yet."""
        self._scores: list[tuple[float, ...]] = []

    def add(self, ranking: Sequence[Iterable[str]], gold: frozenset[str]) -> None:
        """Score one question's ranking."""
        results = [frozenset(result) & gold for result in ranking]
        few, many = (frozenset().union(*results[:most]) for most in (FEW, MANY))
        rank = next((place for place, held in enumerate(results, start=1) if held), None)
        first = 1 / rank if rank else 0.0
        self._scores.append((bool(few), bool(many), few == gold, many == gold, first))

    def found(self) -> Found:
        """Give the means."""
        count = len(self._scores)
        return Found(count, *(sum(column) / count for column in zip(*self._scores, strict=True)))

    def __add__(self, other: Tally) -> Tally:
        """Both together."""
        both = Tally()
        both._scores = self._scores + other._scores
        return both
