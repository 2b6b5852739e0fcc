"""``gitmem grep``: exact lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gitmem_cli import render
from gitmem_cli.command import command as declare
from gitmem_cli.command import json_option
from gitmem_cli.opening import open_workspace
from gitmem_cli.options import at_option, path_option
from gitmem_cli.shown import place

if TYPE_CHECKING:
    from gitmem_cli.invocation import Invocation


@declare(
    "grep",
    examples=[
        "gitmem grep 'budget tracker'",
        "gitmem grep -i flask --path topics/projects",
        "gitmem grep --regex '20[0-9]{2}-0[1-6]' --json",
    ],
    exits=(1, 4, 5, 7),
)
@click.argument("text")
@path_option
@click.option("-i", "ignore_case", is_flag=True, help="Upper and lower case are the same.")
@click.option("--regex", "is_regex", is_flag=True, help="TEXT is a regular expression; it may take 5 seconds.")
@at_option
@json_option
def command(  # noqa: PLR0913 (one parameter for each option)
    invocation: Invocation,
    text: str,
    *,
    path: str | None,
    ignore_case: bool,
    is_regex: bool,
    at: str | None,
    as_json: bool,
) -> None:
    """Find exact lines of topics and archived messages.

    Line numbers are those of the files; the comments that frame messages in archives are not looked at.
    """
    workspace = open_workspace(invocation)
    answer = workspace.grep(text, path=path, ignore_case=ignore_case, is_regex=is_regex, at=at)
    if as_json:
        render.document(answer)
        return
    render.page(f"{place(line.path, line.line)}:{render.visible(line.text)}" for line in answer.results)
    if answer.truncated:
        render.note(f"only the first {len(answer.results)} lines are shown; narrow it with --path")
