"""Every command, where it lives and its one line of help, so that start-up imports only the one that runs.

The order is that of ``gitmem --help``; a test holds each line against the command's own docstring.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Entry:
    """One command: ``module`` is imported when it runs, and binds the command to the name ``command``."""

    module: str
    summary: str


SECTIONS: dict[str, dict[str, Entry]] = {
    "Workspace": {
        "status": Entry(
            "gitmem_cli.commands.status", "Say how the memory stands: what it holds, what is being edited, what waits."
        ),
        "config": Entry("gitmem_cli.commands.config", "List, read or set the local settings."),
        "version": Entry("gitmem_cli.commands.version", "Say which gitmem this is and what it stands on."),
    },
    "Reading": {
        "search": Entry(
            "gitmem_cli.commands.search", "Find blocks and archived messages by what they say, best first."
        ),
        "grep": Entry("gitmem_cli.commands.grep", "Find exact lines of topics and archived messages."),
        "get": Entry("gitmem_cli.commands.get", "Read a file, a section, a block, or an archived message."),
        "browse": Entry("gitmem_cli.commands.browse", "List topics and archives with how much each holds."),
    },
}

COMMANDS: dict[str, Entry] = {name: entry for entries in SECTIONS.values() for name, entry in entries.items()}

ALIASES: dict[str, str] = {}
"""Other names of commands; they are not listed."""
