"""``gitmem rm``: delete blocks and topic files."""

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
    "rm",
    examples=["gitmem rm f888f60e", "gitmem rm topics/people/ada.md d49a9218 --json", "gitmem rm topics/drafts"],
    exits=(1, 3, 4, 5, 7),
)
@click.argument("what", metavar="BLOCK|PATH...", nargs=-1, required=True)
@message_option
@json_option
def command(invocation: Invocation, what: Sequence[str], *, message: str | None, as_json: bool) -> None:
    """Delete blocks and whole topics.

    A folder stands for all topics in it. What they rest on stays archived, and the state before is kept as an autosave.
    A block that others link to is not deleted. The id of a block that was merged into another takes only that id.
    """
    workspace = open_workspace(invocation)
    show_result(workspace, workspace.remove(what, message), as_json=as_json)
