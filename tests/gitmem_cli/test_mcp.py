"""`gitmem mcp --print-config`, and what is said where the server cannot begin (`cli.md`, Serving)."""

from __future__ import annotations

import json
import sys
import tomllib
from typing import TYPE_CHECKING

import pytest

from gitmem.mcp_server.clients import CLIENTS, settings_of
from gitmem_cli.commands import mcp
from workspaces import make

if TYPE_CHECKING:
    from pathlib import Path

    from running import Gitmem

COMMAND = ["/opt/my tools/gitmem", "-C", '/home/a "b"\\c\x7f/ü', "mcp", "--tier", "paired"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    make(tmp_path / "w").close()
    return tmp_path / "w"


@pytest.mark.parametrize("client", ["claude-desktop", "cursor", "vscode"])
def test_json_clients_get_the_command_as_it_is(client: str) -> None:
    (servers,) = json.loads(settings_of(client, COMMAND)).values()
    assert [servers["gitmem"]["command"], *servers["gitmem"]["args"]] == COMMAND


def test_codex_gets_toml() -> None:
    found = tomllib.loads(settings_of("codex", COMMAND))["mcp_servers"]["gitmem"]
    assert [found["command"], *found["args"]] == COMMAND


def test_claude_code_gets_a_command() -> None:
    import shlex  # noqa: PLC0415

    assert shlex.split(settings_of("claude-code", COMMAND)) == ["claude", "mcp", "add", "gitmem", "--", *COMMAND]


@pytest.mark.parametrize("client", CLIENTS)
def test_a_snippet_starts_this_workspace_for_this_tier(gitmem: Gitmem, folder: Path, client: str) -> None:
    answer = gitmem("--tier", "paired", "mcp", "--print-config", client, cwd=folder)
    assert answer.status == 0
    assert str(folder) in answer.out
    assert "paired" in answer.out
    assert answer.err  # where it goes
    assert "paired" not in gitmem("mcp", "--print-config", client, cwd=folder).out


def test_the_list_of_clients_is_one() -> None:
    assert mcp._CLIENTS == CLIENTS


def test_without_a_workspace_or_the_extra_it_is_said(
    gitmem: Gitmem, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert gitmem("mcp", cwd=tmp_path).status == 4
    assert gitmem("mcp", "--print-config", "cursor", cwd=tmp_path).status == 4
    monkeypatch.setitem(sys.modules, "gitmem.mcp_server.serving", None)
    answer = gitmem("mcp", cwd=folder)
    assert (answer.status, "gitmem-workspace[mcp]" in answer.err) == (7, True)
