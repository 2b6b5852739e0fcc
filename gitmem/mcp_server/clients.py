"""What each client wants in its settings, to start the server."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

CLIENTS = ("claude-code", "claude-desktop", "codex", "cursor", "vscode")
NAME = "gitmem"


def settings_of(client: str, command: Sequence[str]) -> str:
    """The snippet to paste (for Claude Code, the command to run). Raises ``KeyError`` for a client not listed."""
    program, *arguments = command
    started = {"command": program, "args": arguments}
    return {
        "claude-code": lambda: shlex.join(("claude", "mcp", "add", NAME, "--", *command)),
        "claude-desktop": lambda: _json({"mcpServers": {NAME: started}}),
        "cursor": lambda: _json({"mcpServers": {NAME: started}}),
        "vscode": lambda: _json({"servers": {NAME: {"type": "stdio", **started}}}),
        "codex": lambda: _toml(program, arguments),
    }[client]()


def place_of(client: str) -> str:
    """Where the snippet goes, for people."""
    return {
        "claude-code": "run this command",
        "claude-desktop": "claude_desktop_config.json (Settings, Developer, Edit Config)",
        "cursor": ".cursor/mcp.json in the project, or ~/.cursor/mcp.json",
        "vscode": ".vscode/mcp.json in the folder that is open",
        "codex": "~/.codex/config.toml",
    }[client]


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


def _toml(program: str, arguments: Sequence[str]) -> str:
    """TOML's basic strings are JSON's, but for DEL."""
    return f"[mcp_servers.{NAME}]\ncommand = {_string(program)}\nargs = [{', '.join(map(_string, arguments))}]"


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
