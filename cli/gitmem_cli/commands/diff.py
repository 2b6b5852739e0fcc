"""``gitmem diff``: what two states say differently."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gitmem_cli import render
from gitmem_cli.claims import full, stat_lines, totals
from gitmem_cli.command import command as declare
from gitmem_cli.command import json_option
from gitmem_cli.opening import open_workspace
from gitmem_cli.options import words_option
from gitmem_cli.results import short
from gitmem_cli.shown import joined, styled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.history.diff import DiffAnswer, StatAnswer
    from gitmem_cli.invocation import Invocation


@declare(
    "diff",
    examples=[
        "gitmem diff",
        "gitmem diff 2026-08-09",
        "gitmem diff 'last monday' HEAD --words",
        "gitmem diff autosave/1 --stat",
    ],
    exits=(4, 5, 7),
)
@click.argument("before", metavar="[A", required=False)
@click.argument("after", metavar="[B]]", required=False)
@click.option("--stat", is_flag=True, help="Only how many claims of each file differ.")
@words_option
@json_option
def command(  # noqa: PLR0913 (one parameter for each option)
    invocation: Invocation, before: str | None, after: str | None, *, stat: bool, words: bool, as_json: bool
) -> None:
    """Compare what two revisions say, claim by claim.

    A is compared with B, or with the current revision. Without A the current revision is compared with the working
    directory. A..B is understood too.
    """
    if before is not None and after is None and ".." in before:
        first, _, last = before.partition("..")
        before, after = first or "HEAD", last or "HEAD"
    answer = open_workspace(invocation).diff(before, after)
    if as_json:
        render.document(answer)
    else:
        render.page(diff_lines(answer, stat=stat, words=words))


def diff_lines(answer: DiffAnswer, *, stat: bool, words: bool) -> Iterator[str]:
    """A difference for people."""
    names = " -> ".join(_name(name) for name in (answer.from_, answer.to))
    yield joined((styled(names, color="yellow"), styled(totals(answer.claims), bold=True)))
    if stat:
        yield from stat_lines(answer.stat) if answer.stat else ()
        return
    yield from full(answer.claims, words=words)
    for handle in answer.sources_added:
        yield joined((styled("archived", dim=True), styled(handle)))
    yield from (
        styled(f"  {line.path}: only its layout differs", dim=True) for line in answer.stat if not _claims(line)
    )


def _name(name: str | None) -> str:
    """A revision's short id, or what is compared instead of one."""
    return "nothing" if name is None else name if " " in name or "/" in name else short(name)


def _claims(line: StatAnswer) -> int:
    return line.added + line.changed + line.moved + line.merged + line.removed
