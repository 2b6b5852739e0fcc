"""``gitmem write``: pending turns into topics."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gitmem_cli import render
from gitmem_cli.claims import full, totals
from gitmem_cli.command import command as declare
from gitmem_cli.command import json_option
from gitmem_cli.opening import open_workspace
from gitmem_cli.shown import count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.writer.write import WriteAnswer
    from gitmem_cli.invocation import Invocation


@declare(
    "write",
    examples=[
        "gitmem write --force",
        "gitmem write import/team --force --dry-run",
        "gitmem write --force --all-branches --json",
    ],
    exits=(1, 3, 4, 5, 7),
)
@click.argument("sessions", metavar="[SESSION]...", nargs=-1)
@click.option("--force", is_flag=True, help="Write what is left of each conversation, however short.")
@click.option("--all-branches", is_flag=True, help="With --force: the rest of side branches too.")
@click.option("--writer", metavar="W", help="Who writes: embedded.  [default: gitmem.writer.kind]")
@click.option("--dry-run", is_flag=True, help="Show what would change, and change nothing.")
@json_option
def command(  # noqa: PLR0913 (one parameter for each option)
    invocation: Invocation,
    sessions: tuple[str, ...],
    *,
    force: bool,
    all_branches: bool,
    writer: str | None,
    dry_run: bool,
    as_json: bool,
) -> int:
    """Fold the turns that wait into topics, each claim citing the message it came from.

    SESSION is provider/thread; without one every conversation is looked at. A conversation is written when enough of
    it has come together (gitmem.writer.triggerTokens), or with --force. What was written is never written again.
    """
    workspace = open_workspace(invocation)
    answer = workspace.write(sessions, force=force, all_branches=all_branches, writer=writer, dry_run=dry_run)
    if as_json:
        render.document(answer)
    else:
        render.page(_lines(answer))
        if answer.failure is not None:
            render.warning(f"{answer.failure.reason_code}: {answer.failure.message}")
    return 0 if answer.failure is None else _exit(answer.failure.reason_code)


def _exit(code: str) -> int:
    from gitmem.errors import Code, failure  # noqa: PLC0415 (only when a batch failed)
    from gitmem_cli.errors import exit_of  # noqa: PLC0415 (only when a batch failed)

    return exit_of(failure(Code(code), ""))


def _lines(answer: WriteAnswer) -> Iterator[str]:
    verb = "would write" if answer.dry_run else "wrote"
    for batch in answer.batches:
        name = batch.session if batch.branch == "main" else f"{batch.session} ({batch.branch})"
        yield render.visible(
            f"{verb} {count(batch.turns, 'turn')} of {name}: {count(len(batch.block_ids), 'new claim')}"
        )
    if answer.batches:
        yield totals(answer.claims)
        yield from full(answer.claims, words=False)
    else:
        yield "nothing to write" if not answer.pending_turns else "nothing is due yet"
    if answer.pending_turns and not answer.dry_run:
        yield f"{count(answer.pending_turns, 'turn')} pending; `gitmem write --force --all-branches` writes them all"
