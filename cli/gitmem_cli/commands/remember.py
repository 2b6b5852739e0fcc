"""``gitmem remember``: one claim with its evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gitmem_cli.command import command as declare
from gitmem_cli.command import json_option
from gitmem_cli.inputs import STDIN, read_text, topic_argument
from gitmem_cli.opening import open_workspace
from gitmem_cli.results import show_result

if TYPE_CHECKING:
    from gitmem_cli.invocation import Invocation


@declare(
    "remember",
    examples=[
        "gitmem remember 'Ada lives in Basel.' --topic people/ada.md",
        "gitmem remember 'Ada moved to Basel.' --topic people/ada --heading 'Ada > Home' --time 2024-03",
        "gitmem remember 'Ada is vegetarian.' --topic people/ada.md --quote 'I have not eaten meat since school'",
    ],
    exits=(1, 3, 4, 5, 7),
)
@click.argument("text")
@click.option("--topic", metavar="PATH", required=True, help="The topic file; topics/ and .md may be left out.")
@click.option("--heading", metavar="H", help="Where in it; 'A > B' is B under A.  [default: its first heading]")
@click.option("--time", metavar="T", help="When it was so: YYYY, YYYY-MM, YYYY-MM-DD or undated.  [default: today]")
@click.option("--quote", metavar="Q", help="The words it rests on, archived with it.  [default: TEXT]")
@click.option("--source", metavar="ID", help="The archived message it rests on: provider/thread/message.")
@json_option
def command(  # noqa: PLR0913 (one parameter for each option)
    invocation: Invocation,
    text: str,
    *,
    topic: str,
    heading: str | None,
    time: str | None,
    quote: str | None,
    source: str | None,
    as_json: bool,
) -> None:
    """Write one claim with its evidence, in one transaction.

    TEXT is one paragraph, - reads it from standard input. What it rests on is archived as your own words, unless
    --source names a message that is archived already.
    """
    claim = read_text(invocation, text, "TEXT").strip() if text == STDIN else text
    workspace = open_workspace(invocation)
    result = workspace.remember(claim, topic_argument(topic), heading=heading, time=time, quote=quote, source=source)
    show_result(workspace, result, as_json=as_json)
