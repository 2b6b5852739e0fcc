"""``gitmem log``: the transactions, newest first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gitmem_cli import render
from gitmem_cli.claims import brief
from gitmem_cli.command import command as declare
from gitmem_cli.command import json_option
from gitmem_cli.opening import open_workspace
from gitmem_cli.shown import GAP
from gitmem_cli.transactions import archived, heading

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.history.log import LogAnswer
    from gitmem_cli.invocation import Invocation


@declare(
    "log",
    examples=[
        "gitmem log",
        "gitmem log topics/people/ada.md -n 5",
        "gitmem log f888f60e --json",
        "gitmem log --writer background --since 'last monday' --until yesterday",
    ],
    exits=(4, 5, 7),
)
@click.argument("target", metavar="[PATH|BLOCK]", required=False)
@click.option("--writer", metavar="W", help="Only what came through W: cli, hand, background, restore, undo, ...")
@click.option("--author", metavar="A", help="Only what was caused by somebody whose name or address holds A.")
@click.option("--authority", metavar="T", help="Only what was done with the authority of tier T.")
@click.option("--since", metavar="T", help="Only from T on: a date, a time, or words such as 'last friday'.")
@click.option("--until", metavar="T", help="Only up to the end of T.")
@click.option("-n", "limit", metavar="N", type=click.IntRange(1), default=20, help="Most transactions.  [default: 20]")
@json_option
def command(invocation: Invocation, target: str | None, *, as_json: bool, limit: int, **filters: str | None) -> None:
    """List transactions, each with the claims it changed.

    The newest comes first. PATH is a file or a folder, BLOCK an id, also of a block that is gone. Signs are those of
    commit messages: + added, ~ changed, > moved, = merged, - removed.
    """
    answer = open_workspace(invocation).log(target, limit=limit, **filters)
    if as_json:
        render.document(answer)
        return
    render.page(_lines(answer))
    if answer.truncated:
        render.warning(f"older transactions match too; -n shows more than {limit}")


def _lines(answer: LogAnswer) -> Iterator[str]:
    for told in answer.transactions:
        yield from heading(told)
        yield from (f"{GAP}{line}" for line in brief(told.claims))
        yield from archived(told)
        yield ""
