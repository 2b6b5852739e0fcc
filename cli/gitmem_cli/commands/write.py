"""``gitmem write``: pending turns into topics."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gitmem_cli import render
from gitmem_cli.claims import full, number_of, totals
from gitmem_cli.command import command as declare
from gitmem_cli.command import json_option
from gitmem_cli.opening import open_workspace
from gitmem_cli.progress import progress
from gitmem_cli.shown import count
from gitmem_cli.writing import exit_of_failure, writer_options

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gitmem.workspace import Workspace
    from gitmem.writer.write import BatchAnswer, WriteAnswer
    from gitmem_cli.invocation import Invocation
    from gitmem_cli.progress import Tick


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
@writer_options
@click.option("--dry-run", is_flag=True, help="Show what would change, and change nothing.")
@json_option
def command(  # noqa: PLR0913 (one parameter for each option)
    invocation: Invocation,
    sessions: tuple[str, ...],
    *,
    force: bool,
    all_branches: bool,
    writer: str | None,
    model: str | None,
    dry_run: bool,
    as_json: bool,
) -> int:
    """Fold the turns that wait into topics, each claim citing the message it came from.

    SESSION is provider/thread; without one every conversation is looked at. A conversation is written when enough of
    it has come together (gitmem.writer.triggerTokens), or with --force. What was written is never written again.
    """
    workspace = open_workspace(invocation)
    with progress("Writing") as tick:
        answer = workspace.write(
            sessions,
            force=force,
            all_branches=all_branches,
            writer=writer,
            model=model,
            dry_run=dry_run,
            on_batch=_ticking(tick),
        )
    if as_json:
        render.document(answer)
    else:
        told = _lines(answer, force=force, chosen=bool(sessions), everywhere=all_branches)
        render.page((*told, *_pending(workspace)))
        for text in answer.warnings:
            render.warning(text)
        for failure in answer.failures:
            render.warning(f"{failure.session}: {failure.reason_code}: {failure.message}")
    return exit_of_failure(answer.failure)


def _ticking(tick: Tick) -> Callable[[BatchAnswer], None]:
    """Say which conversation was gone on with last, and how many turns were written so far."""
    turns = 0

    def after(batch: BatchAnswer) -> None:
        nonlocal turns
        turns += batch.turns
        tick(turns, detail=f"{batch.session}, {count(turns, 'turn')} so far")

    return after


def _lines(answer: WriteAnswer, *, force: bool, chosen: bool, everywhere: bool) -> Iterator[str]:
    """What was written, and what waits; with ``force`` and nothing ``chosen``, that is what side branches hold."""
    verb = "would write" if answer.dry_run else "wrote"
    for batch in answer.batches:
        name = batch.session if batch.branch == "main" else f"{batch.session} ({batch.branch})"
        yield render.visible(
            f"{verb} {count(batch.turns, 'turn')} of {name}: {count(len(batch.block_ids), 'new claim')}"
        )
    if answer.batches:
        if len(answer.batches) > 1 or number_of(answer.claims) != len(answer.claims.added):
            yield totals(answer.claims)
        yield from full(answer.claims, words=False)
    on_sides = force and not (chosen or everywhere) and answer.failure is None
    if not answer.batches and answer.failure is None:
        yield _nothing(answer, on_sides=on_sides)
    if answer.pending_turns and not answer.dry_run:
        where = " on side branches" if on_sides else ""
        way = "; `gitmem write --force --all-branches` writes them all" if answer.failure is None else ""
        yield f"{count(answer.pending_turns, 'turn')} pending{where}{way}"


def _nothing(answer: WriteAnswer, *, on_sides: bool) -> str:
    if not answer.pending_turns:
        return "nothing to write"
    if on_sides:
        return "nothing to write: only side branches wait, which --all-branches writes too"
    return "nothing is due yet"


def _pending(workspace: Workspace) -> Iterator[str]:
    """Say why messages that were archived may be missing from the topics."""
    workspace.memory()
    if number := workspace.catalog.statistics().pending:
        verb = "message is" if number == 1 else "messages are"
        them = "it" if number == 1 else "them"
        yield f"{number:,} archived {verb} pending: nobody vouches for {them}, so no topic cites {them}"
