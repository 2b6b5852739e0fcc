"""``gitmem show``: one transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gitmem_cli import render
from gitmem_cli.claims import full
from gitmem_cli.command import command as declare
from gitmem_cli.command import json_option
from gitmem_cli.opening import open_workspace
from gitmem_cli.options import signature_option, words_option
from gitmem_cli.shown import GAP, joined, styled
from gitmem_cli.transactions import heading

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.history.log import ShowAnswer
    from gitmem_cli.invocation import Invocation


@declare(
    "show",
    examples=["gitmem show HEAD", "gitmem show autosave/1 --words", "gitmem show yesterday --json"],
    exits=(4, 5, 7),
)
@click.argument("revision", metavar="REV")
@words_option
@signature_option
@json_option
def command(invocation: Invocation, revision: str, *, words: bool, show_signature: bool, as_json: bool) -> None:
    """Show one transaction with the claims it changed.

    REV is whatever git accepts, a date (the last revision by the end of that day), or autosave/N. A commit of derived
    views stands for the memory commit that they show.
    """
    answer = open_workspace(invocation).show(revision, signature=show_signature)
    if as_json:
        render.document(answer)
    else:
        render.page(_lines(answer, words=words))


def _lines(answer: ShowAnswer, *, words: bool) -> Iterator[str]:
    yield from heading(answer)
    yield ""
    yield from full(answer.claims, words=words)
    for handle in answer.sources_added:
        yield joined((styled("archived", dim=True), styled(handle)))
    yield ""
    yield from (f"{GAP}{styled(path, color='cyan')}" for path in answer.files)
