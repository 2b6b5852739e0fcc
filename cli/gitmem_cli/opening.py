"""Opening the workspace that a run of the command is about."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from gitmem.policy.authority import Allow, decide

if TYPE_CHECKING:
    from gitmem.policy.authority import Capability
    from gitmem.request import Surface
    from gitmem.workspace import Caller, Workspace
    from gitmem_cli.invocation import Invocation


def open_workspace(
    invocation: Invocation, surface: Surface | None = None, *, recovering: bool = True, in_person: bool = False
) -> Workspace:
    """The workspace as the caller sees it, closed when the command ends; ``surface`` is the command line's own.

    ``in_person`` is for commands that only the owner may give, whose act they are: where a program must not stand in
    for a person, they ask on a terminal first. Without ``recovering`` what an interrupted write left is not finished
    first.

    Raises ``Disabled``, ``NotFound`` where there is no workspace, and ``Conflict`` when a recovery is due while
    somebody writes.
    """
    root = invocation.require_root()
    from gitmem.workspace import Workspace  # noqa: PLC0415 (loads libgit2)

    authority = invocation.authority(in_person=in_person)

    def caller() -> Caller:
        from gitmem.request import Surface  # noqa: PLC0415 (commands that only read ask for no author)
        from gitmem.workspace import Caller  # noqa: PLC0415 (as above)

        return Caller(invocation.author, surface or Surface.CLI, authority)

    workspace = Workspace.open(root, caller, invocation.config, os.environ, authority=authority, recovering=recovering)
    context = click.get_current_context()
    context.call_on_close(workspace.close)
    context.call_on_close(lambda: _maintain(invocation, workspace))  # before it is closed
    return workspace


def may(workspace: Workspace, capability: Capability) -> bool:
    """Whether the caller has it; for what is told beside an answer, and left out for those who may not see it."""
    return isinstance(decide(workspace.authority, capability), Allow)


def _maintain(invocation: Invocation, workspace: Workspace) -> None:
    """After a command that wrote, have the repository packed in the background where that is due."""
    if workspace.wrote or "conversations" in vars(workspace):  # which keeps objects of its own
        from gitmem_cli.background import offer  # noqa: PLC0415 (readers need it not)

        offer(invocation, workspace)
