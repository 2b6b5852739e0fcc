"""``gitmem commit``: take the hand edits of the working directory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gitmem_cli.command import command as declare
from gitmem_cli.command import json_option
from gitmem_cli.opening import open_workspace
from gitmem_cli.options import message_option
from gitmem_cli.results import show_result

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem_cli.invocation import Invocation


@declare(
    "commit",
    examples=[
        "gitmem commit",
        "gitmem commit -m 'memory: Ada moved' topics/people/ada.md",
        "gitmem commit --amend",
    ],
    exits=(1, 3, 4, 5, 7),
)
@click.argument("paths", metavar="[PATH...]", nargs=-1)
@click.option("--amend", is_flag=True, help="Make your last commit anew with them; -m alone gives it another subject.")
@message_option
@json_option
def command(invocation: Invocation, paths: Sequence[str], *, amend: bool, message: str | None, as_json: bool) -> None:
    """Take what was typed into the files of the topics, in one transaction.

    Edited, new, renamed and deleted files, at or below PATH if there is one; staged or not. What the memory changed
    meanwhile is merged in, block by block. Labels such as [^e1] become evidence, new paragraphs get their ids, in the
    files too. A refusal leaves every file as it is.
    """
    workspace = open_workspace(invocation)
    result = workspace.commit_edits(paths, message=message, amend=amend)
    show_result(workspace, result, as_json=as_json, replaced=amend)
