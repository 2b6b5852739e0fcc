"""``gitmem mv``: move blocks, or rename topic files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gitmem_cli.command import command as declare
from gitmem_cli.command import json_option
from gitmem_cli.inputs import topic_argument
from gitmem_cli.opening import open_workspace
from gitmem_cli.options import message_option
from gitmem_cli.results import show_result

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem_cli.invocation import Invocation


@declare(
    "mv",
    examples=[
        "gitmem mv f888f60e topics/projects/budget.md --heading 'Budget > Dates'",
        "gitmem mv topics/people/ada.md topics/people/ada-lovelace.md",
        "gitmem mv topics/people/ada.md topics/people/bob.md topics/family",
    ],
    exits=(1, 3, 4, 5, 7),
)
@click.argument("what", metavar="BLOCK|PATH...", nargs=-1, required=True)
@click.argument("to", metavar="DEST")
@click.option("--heading", metavar="H", help="Where blocks go in DEST; 'A > B' is B under A.")
@message_option
@json_option
def command(  # noqa: PLR0913 (one parameter for each option)
    invocation: Invocation, what: Sequence[str], to: str, *, heading: str | None, message: str | None, as_json: bool
) -> None:
    """Move blocks under a heading of a topic, or rename topics.

    DEST is a topic for blocks, a new name or a folder for files. Links to what moves, and its own links, follow; a
    topic that is left empty goes. A file that stands at DEST is not written over.
    """
    of_blocks = not any("/" in name or name.endswith(".md") for name in what)
    destination = topic_argument(to) if of_blocks else to
    workspace = open_workspace(invocation)
    result = workspace.move(what, destination, heading=heading, subject=message)
    show_result(workspace, result, as_json=as_json)
