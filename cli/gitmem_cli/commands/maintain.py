"""``gitmem maintain``: keep the repository small and quick."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from gitmem_cli import render
from gitmem_cli.command import command as declare
from gitmem_cli.command import json_option
from gitmem_cli.opening import open_workspace
from gitmem_cli.shown import joined, styled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.runtime.maintain import MaintainAnswer
    from gitmem_cli.background import StartedAnswer
    from gitmem_cli.invocation import Invocation

_POLITE = 10


@declare(
    "maintain", examples=["gitmem maintain", "gitmem maintain --auto", "gitmem maintain --json"], exits=(3, 4, 5, 7)
)
@click.option("--auto", is_flag=True, help="Only where many loose objects wait, and in the background.")
@click.option("--background", is_flag=True, hidden=True, help="Be polite to other processes.")
@json_option
def command(invocation: Invocation, *, auto: bool, background: bool, as_json: bool) -> None:
    """Pack the repository, and let go of what is no longer kept.

    Git packs objects and refs and notes which paths each commit changed; what nothing named for two weeks goes.
    Autosaves go by gitmem.autosave.keepDays and keepCount, proposals of writers after a week, events after 90 days.
    Others may write meanwhile. After a write that leaves many loose objects, --auto runs by itself, unless
    gitmem.maintain.auto is false; what it says is in .git/gitmem/log/maintain.log.
    """
    workspace = open_workspace(invocation)
    if auto:
        from gitmem_cli.background import maintain_when_due  # noqa: PLC0415 (only here)

        started = maintain_when_due(invocation, workspace)
        if as_json:
            render.document(started)
        else:
            render.line(_said(started))
        return
    if background:
        os.nice(_POLITE)
    answer = workspace.maintain()
    if as_json:
        render.document(answer)
    else:
        render.page(_lines(answer))


def _lines(answer: MaintainAnswer) -> Iterator[str]:
    for action in answer.actions:
        yield joined((styled(action.what, bold=True), styled(action.target, color="cyan"), styled(action.outcome)))


def _said(answer: StartedAnswer) -> str:
    waiting = f"about {answer.loose:,} loose objects, {answer.loose_bytes / 1e6:,.1f} MB"
    return f"{'packing in the background' if answer.started else 'nothing is due'}: {waiting}"
