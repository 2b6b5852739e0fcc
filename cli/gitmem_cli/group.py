"""The `gitmem` group: global options, and commands that are imported when they run."""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gitmem_cli import render
from gitmem_cli.invocation import Invocation, parse_overrides
from gitmem_cli.table import ALIASES, COMMANDS, SECTIONS

if TYPE_CHECKING:
    from collections.abc import Sequence


class Commands(click.Group):
    """The commands of the table, each imported when it is asked for."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """Every command in the order of the help."""
        return list(COMMANDS)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command with this name or alias; ``None`` when there is none."""
        entry = COMMANDS.get(ALIASES.get(cmd_name, cmd_name))
        if entry is None:
            return None
        found: click.Command = import_module(entry.module).command
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does, with the nearest name where there is none."""
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            import difflib  # noqa: PLC0415 (only after a slip of the pen)

            near = difflib.get_close_matches(args[0], [*COMMANDS, *ALIASES], n=1)
            hint = f"did you mean {near[0]}?" if near else "`gitmem --help` lists the commands"
            ctx.fail(f"there is no command {args[0]}; {hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands section by section, importing none."""
        for title, entries in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name, entry.summary) for name, entry in entries.items()])


def _print_version(ctx: click.Context, _option: click.Parameter, wanted: bool) -> None:  # noqa: FBT001 (click calls it so)
    if wanted:
        from gitmem_cli.commands.version import gitmem_version  # noqa: PLC0415 (reading metadata is slow)

        click.echo(f"gitmem {gitmem_version()}")
        ctx.exit()


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "-C",
    "directory",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=".",
    help="Run as if started in DIR.",
)
@click.option("--profile", metavar="NAME", help="Keep state in ~/.gitmem-NAME instead of ~/.gitmem.")
@click.option("-c", "overrides", metavar="KEY=VALUE", multiple=True, help="Override a setting for this command.")
@click.option("--tier", type=click.Choice(["owner", "paired"]), default="owner", help="Whose authority to act with.")
@click.option("--no-color", is_flag=True, help="Print without colour.")
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version, help="Print the version."
)
@click.pass_context
def gitmem(  # noqa: PLR0913 (one parameter for each global option)
    ctx: click.Context,
    *,
    directory: Path,
    profile: str | None,
    overrides: Sequence[str],
    tier: str,
    no_color: bool,
) -> None:
    """Cited, versioned memory for language-model agents, kept in git.

    The workspace is the one DIR is inside of, else $GITMEM_WORKSPACE, else ~/.gitmem/memory.
    """
    ctx.color = render.color_of(os.environ, refused=no_color)
    ctx.obj = Invocation(
        directory, parse_overrides(overrides), os.environ, profile=profile, tier=tier, warn=render.warning
    )
