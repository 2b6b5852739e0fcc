"""``gitmem edit``: one topic in an editor."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gitmem_cli import render
from gitmem_cli.command import command as declare
from gitmem_cli.command import json_option
from gitmem_cli.editor import edited
from gitmem_cli.inputs import topic_argument
from gitmem_cli.opening import open_workspace
from gitmem_cli.options import message_option
from gitmem_cli.results import show_result, show_warnings

if TYPE_CHECKING:
    from gitmem_cli.invocation import Invocation


@declare(
    "edit",
    examples=[
        "gitmem edit people/ada",
        "gitmem edit topics/people/ada.md -m 'memory: Ada moved'",
        "gitmem edit --retry people/ada",
    ],
    exits=(1, 3, 4, 5, 7),
)
@click.argument("path")
@click.option("--retry", is_flag=True, help="Open the text that was refused last, with the reasons above it.")
@message_option
@json_option
def command(invocation: Invocation, path: str, *, retry: bool, message: str | None, as_json: bool) -> None:
    """Edit a topic with your editor, and commit what comes back.

    The editor is git's: $GIT_EDITOR, core.editor, $VISUAL, $EDITOR. PATH may leave out topics/ and .md, and need not be
    there yet. It opens a copy, with what is typed in the working directory and not committed; where the memory changed
    the same block, both versions stand between markers. Refused text is kept, and --retry opens it again.
    """
    workspace = open_workspace(invocation)
    copy = workspace.staged_copy(topic_argument(path), retry=retry)
    with edited(workspace, copy) as text:
        result = workspace.commit_copy(copy, text, message=message)
    if result.memory_committed or as_json:
        show_result(workspace, result, as_json=as_json)
    else:
        show_warnings(result)
        render.line("unchanged")
