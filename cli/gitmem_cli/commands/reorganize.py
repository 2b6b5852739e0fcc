"""``gitmem reorganize``: the nightly pass."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gitmem_cli import render
from gitmem_cli.claims import brief, totals
from gitmem_cli.command import command as declare
from gitmem_cli.command import json_option
from gitmem_cli.opening import open_workspace
from gitmem_cli.results import short, way_back
from gitmem_cli.shown import count, joined, styled
from gitmem_cli.writing import exit_of_failure, writer_options

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.writer.reorganize import ReorganizeAnswer
    from gitmem_cli.invocation import Invocation


@declare(
    "reorganize",
    examples=["gitmem reorganize --dry-run", "gitmem reorganize", "gitmem sleep --json"],
    exits=(1, 3, 4, 5, 7),
)
@writer_options
@click.option("--dry-run", is_flag=True, help="Show what would change, and change nothing.")
@json_option
def command(invocation: Invocation, *, writer: str | None, model: str | None, dry_run: bool, as_json: bool) -> int:
    """Put the topics in order: split, merge, move, repair links, and drop what is obsolete.

    The embedded writer repairs links, merges claims that were written twice, splits files of more than 24,000
    characters, and orders topics/core.md when not all of it is shown; it drops nothing. A pass is one transaction,
    which `gitmem undo` takes back. It has another name, `gitmem sleep`.
    """
    answer = open_workspace(invocation).reorganize(writer=writer, model=model, dry_run=dry_run)
    if as_json:
        render.document(answer)
    else:
        render.page(_lines(answer))
        if answer.failure is not None:
            render.warning(f"{answer.failure.reason_code}: {answer.failure.message}")
    return exit_of_failure(answer.failure)


def _lines(answer: ReorganizeAnswer) -> Iterator[str]:
    if not answer.changed_files:
        if answer.failure is None:
            yield f"{count(answer.topics, 'topic')} in order, nothing to do"
        return
    files = count(len(answer.changed_files), "file")
    if answer.dry_run:
        yield f"{styled('would change:', color='yellow')} {files}, {totals(answer.claims)}"
        yield from brief(answer.claims)
        return
    yield joined(
        (styled(f"revision {short(answer.revision)}", color="yellow"), f"changed {files}", totals(answer.claims))
    )
    for path in answer.changed_files:
        yield styled(path, color="cyan")
    for removal in answer.removed:
        yield joined((styled(f"- ^{removal.id}", color="red"), styled(removal.reason)))
    if answer.autosave is not None:
        yield from way_back(answer.autosave, f"gitmem undo {short(answer.revision)}")
