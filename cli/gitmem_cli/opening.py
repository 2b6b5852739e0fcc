"""Opening the workspace that a run of the command is about."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from gitmem.request import Surface
    from gitmem.workspace import Caller, Workspace
    from gitmem_cli.invocation import Invocation


def open_workspace(
    invocation: Invocation, surface: Surface | None = None, *, recovering: bool = True, confirmed: bool = False
) -> Workspace:
    """The workspace as its owner sees it, closed when the command ends; ``surface`` is the command line's own.

    ``confirmed`` allows what only a person may do: whoever passes it asks on a terminal first. Without ``recovering``
    what an interrupted write left is not finished first.

    Raises ``Disabled``, ``NotFound`` where there is no workspace, and ``Conflict`` when a recovery is due while
    somebody writes.
    """
    root = invocation.require_root()
    from gitmem.workspace import Workspace  # noqa: PLC0415 (loads libgit2)

    def caller() -> Caller:
        from gitmem.request import Surface  # noqa: PLC0415 (commands that only read ask for no author)
        from gitmem.workspace import OWNER, Caller  # noqa: PLC0415 (as above)

        return Caller(invocation.author, surface or Surface.CLI, replace(OWNER, interactive=confirmed))

    workspace = Workspace.open(root, caller, invocation.config, os.environ, recovering=recovering)
    context = click.get_current_context()
    context.call_on_close(workspace.close)
    context.call_on_close(lambda: _maintain(invocation, workspace))  # before it is closed
    return workspace


def _maintain(invocation: Invocation, workspace: Workspace) -> None:
    """After a command that wrote, have the repository packed in the background where that is due."""
    if workspace.wrote or "conversations" in vars(workspace):  # which keeps objects of its own
        from gitmem_cli.background import offer  # noqa: PLC0415 (readers need it not)

        offer(invocation, workspace)
