"""``gitmem restore``: the topics of an earlier revision."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gitmem_cli.command import command as declare
from gitmem_cli.command import json_option
from gitmem_cli.going_back import show_way_back
from gitmem_cli.opening import open_workspace
from gitmem_cli.options import dry_run_option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem_cli.invocation import Invocation


@declare(
    "restore",
    examples=[
        "gitmem restore yesterday --dry-run",
        "gitmem restore autosave/1",
        "gitmem restore f21745e5ae56 topics/people/ada.md",
        "gitmem restore 2026-08-09 --block f888f60e",
    ],
    exits=(1, 2, 3, 4, 5, 7),
)
@click.argument("revision", metavar="REV")
@click.argument("paths", metavar="[PATH...]", nargs=-1)
@click.option("--block", metavar="ID", help="Only this block, where it stands now or else where it stood.")
@dry_run_option
@json_option
def command(  # noqa: PLR0913 (one parameter for each option)
    invocation: Invocation, revision: str, paths: Sequence[str], *, block: str | None, dry_run: bool, as_json: bool
) -> None:
    """Bring back the topics of an earlier revision.

    Exact, not additive: what came since goes from the topics (at or below PATH), in one transaction. Archived messages
    stay. The state before is kept as an autosave, and the answer says how to go back.
    """
    answer = open_workspace(invocation, in_person=True).restore(revision, paths, block=block, dry_run=dry_run)
    show_way_back(answer, as_json=as_json)
