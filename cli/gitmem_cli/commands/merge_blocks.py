"""``gitmem merge-blocks``: several blocks become one."""

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
    "merge-blocks",
    examples=["gitmem merge-blocks f888f60e d49a9218", "gitmem merge-blocks f888f60e d49a9218 93718f31 --json"],
    exits=(1, 3, 4, 5, 7),
)
@click.argument("keep", metavar="KEEP")
@click.argument("absorb", metavar="ABSORB...", nargs=-1, required=True)
@message_option
@json_option
def command(invocation: Invocation, keep: str, absorb: Sequence[str], *, message: str | None, as_json: bool) -> None:
    """Fold blocks into one that says the same.

    The prose of KEEP stays, with the evidence of all of them; the ids of the others lead to it from then on, and links
    to them follow. The state before is kept as an autosave.
    """
    workspace = open_workspace(invocation)
    show_result(workspace, workspace.merge_blocks(keep, absorb, message), as_json=as_json)
