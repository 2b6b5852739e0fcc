"""``gitmem browse``: what there is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gitmem_cli import render
from gitmem_cli.command import command as declare
from gitmem_cli.command import json_option
from gitmem_cli.opening import open_workspace
from gitmem_cli.options import at_option

if TYPE_CHECKING:
    from gitmem_cli.invocation import Invocation


@declare(
    "browse",
    examples=["gitmem browse", "gitmem browse topics/people", "gitmem browse sources -n 20 --json"],
    exits=(1, 4, 5, 7),
)
@click.argument("prefix", default="")
@click.option("-n", "limit", metavar="N", type=click.IntRange(1), help="Most files to list.  [default: 200]")
@at_option
@json_option
def command(invocation: Invocation, prefix: str, *, limit: int | None, at: str | None, as_json: bool) -> None:
    """List topics and archives with how much each holds.

    PREFIX is the start of a path; views are listed where it names them (timeline, core.md).
    """
    answer = open_workspace(invocation).browse(prefix, limit=limit, at=at)
    if as_json:
        render.document(answer)
        return
    rows = [
        (entry.path, entry.kind, f"{entry.blocks:,}", f"{entry.records:,}", entry.title) for entry in answer.entries
    ]
    render.table(("path", "kind", "blocks", "messages", "title"), rows)
    if answer.truncated:
        render.note(f"{len(rows):,} of {answer.total:,} files are shown; -n shows more")
