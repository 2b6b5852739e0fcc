"""``gitmem blame``: who made each claim what it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gitmem_cli import render
from gitmem_cli.claims import moment
from gitmem_cli.command import command as declare
from gitmem_cli.command import json_option
from gitmem_cli.opening import open_workspace
from gitmem_cli.options import at_option
from gitmem_cli.results import short

if TYPE_CHECKING:
    from gitmem.history.blame import BlamedAnswer
    from gitmem_cli.invocation import Invocation


@declare(
    "blame",
    examples=["gitmem blame topics/people/ada.md", "gitmem blame f888f60e --at 2026-08-09 --json"],
    exits=(4, 5, 7),
)
@click.argument("what", metavar="PATH|BLOCK")
@at_option
@json_option
def command(invocation: Invocation, what: str, *, at: str | None, as_json: bool) -> None:
    """Say which commit made each claim what it is.

    That is the last one that changed its words or its evidence; moving a claim does not count. PATH is a topic or a
    folder of them.
    """
    answer = open_workspace(invocation).blame(what, at=at)
    if as_json:
        render.document(answer)
        return
    render.table(("commit", "when", "author", "block", "claim"), map(_row, answer.claims))


def _row(claim: BlamedAnswer) -> tuple[str, ...]:
    by = claim.by
    made = ("", "", "") if by is None else (short(by.revision), moment(by.at), by.author)
    return (*made, f"^{claim.id}", claim.content)
