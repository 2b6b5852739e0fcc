"""``gitmem autosave``: what was kept before something destructive."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gitmem_cli import render
from gitmem_cli.claims import moment
from gitmem_cli.command import command as declare
from gitmem_cli.command import json_option
from gitmem_cli.opening import open_workspace
from gitmem_cli.results import short

if TYPE_CHECKING:
    from gitmem_cli.invocation import Invocation


@declare("autosave", examples=["gitmem autosave list", "gitmem autosave list --json"], exits=(4, 5, 7))
@click.argument("action", type=click.Choice(["list"]), default="list")
@json_option
def command(invocation: Invocation, action: str, *, as_json: bool) -> None:  # noqa: ARG001 (there is one so far)
    """List the states that were kept before destructive commands.

    The newest is autosave/1; every command that takes a REV takes that name: gitmem diff autosave/1, gitmem restore
    autosave/1. Plain git knows each by its ref.
    """
    answer = open_workspace(invocation).autosaves()
    if as_json:
        render.document(answer)
        return
    rows = [(kept.name, moment(kept.at), short(kept.revision), kept.subject, kept.ref) for kept in answer.autosaves]
    render.table(("name", "kept", "revision", "subject", "ref"), rows)
