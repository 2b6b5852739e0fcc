"""``gitmem backfill``: topics of what was archived and never written up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem_cli import render
from gitmem_cli.command import command as declare
from gitmem_cli.command import json_option
from gitmem_cli.opening import open_workspace
from gitmem_cli.progress import progress
from gitmem_cli.shown import count
from gitmem_cli.writing import exit_of_failure, writer_options

if TYPE_CHECKING:
    from gitmem.writer.backfill import BackfillAnswer
    from gitmem_cli.invocation import Invocation


@declare("backfill", examples=["gitmem backfill", "gitmem backfill --writer embedded --json"], exits=(1, 3, 4, 5, 7))
@writer_options
@json_option
def command(invocation: Invocation, *, writer: str | None, model: str | None, as_json: bool) -> int:
    """Write up every trusted message that no topic cites.

    Messages are uncited when they came with an adopted workspace, or when a writer found nothing in them. Each is
    given to the writer once, in batches of gitmem.writer.triggerTokens; what fails is begun with the next time.
    """
    with progress("Reading archives") as tick:
        answer = open_workspace(invocation).backfill(writer=writer, model=model, on_batch=tick)
    if as_json:
        render.document(answer)
    else:
        render.page((_line(answer),))
        if answer.failure is not None:
            render.warning(f"{answer.failure.reason_code}: {answer.failure.message}")
    return exit_of_failure(answer.failure)


def _line(answer: BackfillAnswer) -> str:
    if not answer.candidates:
        return "nothing to read: every trusted message is cited, or was read before"
    left = f", {answer.remaining:,} left for the next time" if answer.remaining else ""
    return f"read {answer.processed:,} of {count(answer.candidates, 'message')}{left}"
