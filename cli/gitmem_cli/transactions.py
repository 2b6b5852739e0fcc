"""How transactions look to people (``T`` in ``cli.md``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem_cli.claims import moment
from gitmem_cli.results import short
from gitmem_cli.shown import GAP, count, joined, styled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.history.transactions import Origin, TransactionAnswer


def heading(told: TransactionAnswer) -> Iterator[str]:
    """Which commit, when, by whom, and its subject."""
    yield joined(
        (
            styled(short(told.revision), color="yellow"),
            styled(moment(told.at)),
            styled(told.author.name, color="green"),
            styled(told.writer or "git", dim=True),
        )
    )
    yield f"{GAP}{styled(told.subject, bold=True)}"


def archived(told: TransactionAnswer) -> Iterator[str]:
    """How many messages came with it."""
    if told.sources_added:
        yield GAP + styled(f"archived {count(len(told.sources_added), 'message')}", dim=True)


def origin_line(what: str, origin: Origin | None) -> str:
    """One commit in one line, and what it did."""
    if origin is None:
        return styled(f"{what} a commit that is not here", dim=True)
    return joined(
        (
            styled(what, dim=True),
            styled(short(origin.revision), color="yellow"),
            styled(moment(origin.at)),
            styled(origin.author, color="green"),
            styled(origin.subject),
        )
    )
