"""``gitmem autosave``: states kept before something destructive, and text that is not committed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gitmem_cli import render
from gitmem_cli.claims import moment
from gitmem_cli.command import command as declare
from gitmem_cli.command import json_option
from gitmem_cli.opening import open_workspace
from gitmem_cli.results import short
from gitmem_cli.shown import joined, styled

if TYPE_CHECKING:
    from gitmem.history.autosaves import AutosavesAnswer, SavedAnswer
    from gitmem_cli.invocation import Invocation


@declare(
    "autosave",
    examples=["gitmem autosave list", "gitmem autosave save", "gitmem autosave list --json"],
    exits=(2, 3, 4, 5, 7),
)
@click.argument("action", metavar="[list|save]", type=click.Choice(["list", "save"]), default="list")
@json_option
def command(invocation: Invocation, action: str, *, as_json: bool) -> None:
    """List the states that were kept, or keep what is not committed.

    A state is kept before every destructive command; save keeps what the working directory holds beyond the memory. The
    newest is autosave/1, and every command that takes a REV takes that name: gitmem diff autosave/1, gitmem restore
    autosave/1. Plain git knows each by its ref.
    """
    workspace = open_workspace(invocation)
    answer = workspace.autosaves() if action == "list" else workspace.save_autosave()
    if as_json:
        render.document(answer)
    else:
        _show(answer)


def _show(answer: AutosavesAnswer | SavedAnswer) -> None:
    if hasattr(answer, "autosaves"):
        rows = [(kept.name, moment(kept.at), short(kept.revision), kept.subject, kept.ref) for kept in answer.autosaves]
        render.table(("name", "kept", "revision", "subject", "ref"), rows)
    elif answer.saved is None:
        render.line("Nothing to save: everything is committed.")
    else:
        render.page([joined((styled("kept", dim=True), styled(answer.saved.name), styled(answer.saved.ref)))])
