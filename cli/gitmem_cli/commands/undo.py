"""``gitmem undo``: the inverse of a transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gitmem_cli.command import command as declare
from gitmem_cli.command import json_option
from gitmem_cli.going_back import show_way_back
from gitmem_cli.opening import open_workspace
from gitmem_cli.options import dry_run_option

if TYPE_CHECKING:
    from gitmem_cli.invocation import Invocation


@declare(
    "undo",
    examples=["gitmem undo", "gitmem undo f21745e5ae56 --merge --dry-run", "gitmem undo HEAD~4 --json"],
    exits=(1, 3, 4, 5, 7),
)
@click.argument("revision", metavar="[REV]", required=False)
@click.option("--merge", is_flag=True, help="Where blocks were changed since, take back what that left alone.")
@dry_run_option
@json_option
def command(invocation: Invocation, revision: str | None, *, merge: bool, dry_run: bool, as_json: bool) -> None:
    """Take back one transaction, the last unless REV names another.

    Whatever came after it stays; where it changed the same blocks, nothing is undone and each of them is named. With
    --merge the words that the later change left alone are taken back, and blocks where both changed the same words
    stay. An undo can be undone. Archived messages stay. The state before is kept as an autosave.
    """
    show_way_back(
        open_workspace(invocation, in_person=True).undo(revision, merge=merge, dry_run=dry_run), as_json=as_json
    )
