"""How transactions look to people (``T`` in ``cli.md``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem_cli.claims import moment
from gitmem_cli.results import short
from gitmem_cli.shown import GAP, count, joined, styled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.history.signatures import SignatureAnswer
    from gitmem.history.transactions import Origin, TransactionAnswer


_VERDICT_COLORS = {"good": "green", "bad": "red", "revoked": "red"}


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
    signature: SignatureAnswer | None = getattr(told, "signature", None)
    if signature is not None:
        yield f"{GAP}{_signature(signature)}"


def _signature(found: SignatureAnswer) -> str:
    if found.verdict == "none":
        return styled("not signed", dim=True)
    by = f" by {found.signer}" if found.signer else ""
    key = f" ({found.key})" if found.key else ""
    return styled(f"{found.verdict} signature{by}{key}", color=_VERDICT_COLORS.get(found.verdict, "yellow"))


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
