"""What the documents take from the program: the commands with their help, and the settings."""
# ruff: noqa: INP001  (docs is a folder of documents, not a package)

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from gitmem.config import SETTINGS
from gitmem_cli.command import Documented, DocumentedGroup
from gitmem_cli.group import gitmem
from gitmem_cli.table import SECTIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

_WIDTH: Final = 100
_START = """\
# Commands

What `gitmem COMMAND --help` says, in one place; written by `make docs` from the commands themselves. Exit codes and
failure codes are explained in [codes.md](codes.md).
"""
_WORDS = """\
`REV` is whatever git accepts as a revision, a date (`2026-08-09`, `yesterday`: the last revision by the end of that
local day), or `autosave/N`. `BLOCK` is `id`, `^id`, `#^id` or `path#^id`; a `PATH` has a slash or ends in `.md`.
"""


def reference() -> str:
    """commands.md: every command's own help."""
    return "\n".join((_START, _fenced(_help(gitmem, "gitmem")), _WORDS, *_sections()))


def commands_table() -> str:
    """The README's table of commands."""
    rows = ["| command | does |", "| --- | --- |"]
    for title, entries in SECTIONS.items():
        rows.append(f"| **{title}** | |")
        rows += (f"| `{name}` | {entry.summary} |" for name, entry in entries.items())
    return "\n".join(rows)


def settings_table() -> str:
    """The README's table of local settings."""
    rows = ["| setting | default | takes | meaning |", "| --- | --- | --- | --- |"]
    for setting in SETTINGS:
        default = str(setting.default).lower() if isinstance(setting.default, bool) else setting.default
        rows.append(f"| `{setting.key}` | {default} | {setting.allowed} | {setting.meaning} |")
    return "\n".join(rows)


def _sections() -> Iterator[str]:
    for title, entries in SECTIONS.items():
        yield f"## {title}\n"
        for name in entries:
            command = gitmem.get_command(click.Context(gitmem), name)
            if not isinstance(command, Documented):
                message = f"{name} is not declared as a command is"
                raise TypeError(message)
            yield f"### gitmem {name}\n"
            yield _fenced(_help(command, f"gitmem {name}").partition("\nExit codes:\n")[0])
            yield f"Exits: {', '.join(map(str, command.exits))}.\n"
            if isinstance(command, DocumentedGroup):
                yield from _subcommands(name, command)


def _subcommands(name: str, group: DocumentedGroup) -> Iterator[str]:
    for part, command in group.commands.items():
        yield f"#### gitmem {name} {part}\n"
        yield _fenced(_help(command, f"gitmem {name} {part}").partition("\nExit codes:\n")[0])


def _help(command: click.Command, path: str) -> str:
    sizes = {"max_content_width": _WIDTH, "terminal_width": _WIDTH}
    with click.Context(command, info_name=path, **sizes, **gitmem.context_settings) as context:
        return command.get_help(context)


def _fenced(text: str) -> str:
    return f"```text\n{text.strip()}\n```\n"
