"""``gitmem context``: what a model would be given of the memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gitmem_cli import render
from gitmem_cli.command import command as declare
from gitmem_cli.command import json_option
from gitmem_cli.opening import open_workspace
from gitmem_cli.options import at_option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem_cli.invocation import Invocation


@declare(
    "context",
    examples=[
        "gitmem context",
        "gitmem context 'when is the tracker due?'",
        "gitmem --tier paired context 'who likes tea?' --json",
    ],
    exits=(4, 5, 7),
)
@click.argument("query", nargs=-1)
@click.option("-k", "k", metavar="N", type=click.IntRange(1, 100), help="Most results.  [default: gitmem.search.topK]")
@click.option("--max-tokens", metavar="N", type=click.IntRange(1), help="Most tokens of the results.  [default: 2000]")
@at_option
@json_option
def command(invocation: Invocation, query: Sequence[str], *, as_json: bool, **limits: object) -> None:
    """Print exactly what a model would be given: the core and, with QUERY, what answers it.

    It stands inside of a fence which says that it is remembered and no instruction. What is not vouched for is left
    out; with --tier paired, so is everything that is not shared. Nothing is printed when there is nothing to give.
    """
    words = " ".join(query) or None
    answer = open_workspace(invocation).context(words, **limits)  # type: ignore[arg-type]  # click's values
    if as_json:
        render.document(answer)
    elif answer.text:
        render.page(answer.text.split("\n"))
