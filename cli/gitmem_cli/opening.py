"""Opening the workspace that a run of the command is about."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from gitmem.request import Surface
    from gitmem.workspace import Caller, Workspace
    from gitmem_cli.invocation import Invocation


def open_workspace(invocation: Invocation, surface: Surface | None = None) -> Workspace:
    """The workspace as its owner sees it, closed when the command ends; ``surface`` is the command line's own.

    Raises ``Disabled``, ``NotFound`` where there is no workspace, and ``Conflict`` when a recovery is due while
    somebody writes.
    """
    root = invocation.require_root()
    from gitmem.workspace import Workspace  # noqa: PLC0415 (loads libgit2)

    def caller() -> Caller:
        from gitmem.workspace import Caller  # noqa: PLC0415 (commands that only read ask for no author)

        return Caller(invocation.author) if surface is None else Caller(invocation.author, surface)

    workspace = Workspace.open(root, caller, invocation.config, os.environ)
    click.get_current_context().call_on_close(workspace.close)
    return workspace
