"""``gitmem mcp``: the memory for any client of the Model Context Protocol."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from gitmem_cli import render
from gitmem_cli.command import command as declare
from gitmem_cli.opening import open_workspace

if TYPE_CHECKING:
    from gitmem_cli.invocation import Invocation

_CLIENTS = ("claude-code", "claude-desktop", "codex", "cursor", "vscode")


@declare(
    "mcp",
    examples=["gitmem mcp", "gitmem mcp --tier paired", "gitmem mcp --print-config claude-code"],
    exits=(3, 4, 5, 6, 7),
)
@click.option("--tier", "own", type=click.Choice(["owner", "paired"]), help="Whose authority clients act with.")
@click.option("--print-config", "client", type=click.Choice(_CLIENTS), help="Print what a client needs to start it.")
def command(invocation: Invocation, *, own: str | None, client: str | None) -> None:
    """Serve the memory over standard input and output, until the client goes.

    Clients get the memory_* tools, the core and the topics, as the tier sees them; nobody can promote through it. Any
    number of clients may use one workspace. It needs the extra mcp: pip install 'gitmem-workspace[mcp]'.
    """
    asked = invocation if own is None else replace(invocation, tier=_narrower(invocation.tier, own))
    if client is not None:
        _print_config(asked, client)
        return
    asked.require_root()  # what is wrong is said before anything is loaded
    serving = _serving()
    from gitmem.request import Surface  # noqa: PLC0415 (as above)
    from gitmem_cli.commands.version import gitmem_version  # noqa: PLC0415 (reading metadata is slow)

    serving.serve(open_workspace(asked, Surface.TOOL), gitmem_version())  # type: ignore[attr-defined]  # a module


def _narrower(before: str, wanted: str) -> str:
    """Nobody gets more from the command's own option than from the global one."""
    return wanted if before == "owner" else before


def _serving() -> object:
    try:
        from gitmem.mcp_server import serving  # noqa: PLC0415 (the SDK takes a second to load)
    except ModuleNotFoundError as missing:
        from gitmem.errors import Code, Unavailable  # noqa: PLC0415 (as above)

        message = f"the extra mcp is not installed ({missing.name}): pip install 'gitmem-workspace[mcp]'"
        raise Unavailable(Code.STORAGE_UNAVAILABLE, message) from missing
    return serving


def _print_config(invocation: Invocation, client: str) -> None:
    from gitmem.mcp_server.clients import place_of, settings_of  # noqa: PLC0415 (only when it is asked for)

    root = invocation.require_root().absolute()
    program = shutil.which("gitmem", path=os.environ.get("PATH")) or sys.argv[0]
    tier = ["--tier", invocation.tier] if invocation.tier != "owner" else []
    click.echo(settings_of(client, [program, "-C", str(root), "mcp", *tier]))
    render.note(place_of(client))
