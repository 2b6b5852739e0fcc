"""``gitmem get``: read one thing whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gitmem_cli import render
from gitmem_cli.command import command as declare
from gitmem_cli.command import json_option
from gitmem_cli.opening import open_workspace
from gitmem_cli.options import at_option

if TYPE_CHECKING:
    from gitmem_cli.invocation import Invocation


@declare(
    "get",
    examples=[
        "gitmem get topics/people/craig.md",
        "gitmem get topics/people/craig.md --heading 'Craig > Work'",
        "gitmem get f888f60e --at 2026-08-01",
        "gitmem get openprogram/sess-7f2a/msg_2f9b",
    ],
    exits=(1, 4, 5, 7),
)
@click.argument("what", metavar="PATH|BLOCK|SOURCE")
@click.option("--heading", metavar="H", help="Only the section of a topic under this heading; 'A > B' is B under A.")
@click.option("--block", metavar="ID", help="Only this block of a topic, with the footnotes that it cites.")
@at_option
@json_option
def command(  # noqa: PLR0913 (one parameter for each option)
    invocation: Invocation, what: str, *, heading: str | None, block: str | None, at: str | None, as_json: bool
) -> None:
    """Read a file, a section, a block, or an archived message.

    A block is named by its id (also ^id and path#^id, and the ids it absorbed), a message by its handle or by
    path#anchor. Archives are shown without the metadata comments of their frames.
    """
    answer = open_workspace(invocation).get(what, heading=heading, block=block, at=at)
    if as_json:
        render.document(answer)
        return
    render.page(map(render.visible, answer.content.removesuffix("\n").split("\n")))
    if answer.truncated:
        render.note(f"only the first {len(answer.content):,} characters are shown")
