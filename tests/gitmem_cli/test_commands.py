"""Every command is declared, described and found in the same way (`cli.md`)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest

from gitmem_cli.command import ALWAYS, EXITS, Documented
from gitmem_cli.group import gitmem as group
from gitmem_cli.table import ALIASES, COMMANDS

if TYPE_CHECKING:
    from running import Gitmem


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_purpose_examples_and_exit_codes(gitmem: Gitmem, name: str) -> None:
    command = group.get_command(click.Context(group), name)
    assert isinstance(command, Documented)
    assert command.name == name
    assert command.short_help == COMMANDS[name].summary
    assert command.examples
    assert all(example.startswith("gitmem ") for example in command.examples)
    assert set(ALWAYS) <= set(command.exits) <= set(EXITS)
    answer = gitmem(name, "--help")
    assert answer.status == 0
    assert answer.out.startswith(f"Usage: gitmem {name} ")
    assert "Examples:" in answer.out
    assert "Exit codes:" in answer.out


def test_every_alias_leads_to_a_command() -> None:
    assert set(ALIASES.values()) <= set(COMMANDS)
    assert not set(ALIASES) & set(COMMANDS)


def test_texts_name_only_commands_there_are() -> None:
    root = Path(__file__).resolve().parents[2]
    texts = [path for folder in ("gitmem", "cli", "docs") for path in sorted((root / folder).rglob("*"))]
    named = {
        (name, path.name)
        for path in [root / "README.md", *texts]
        if path.suffix in {".py", ".md", ".sh"}
        for name in re.findall(r"`gitmem ([a-z][a-z-]+)", path.read_text())
    }
    assert named
    assert {(name, file) for name, file in named if name not in {*COMMANDS, *ALIASES}} == set()


def test_the_help_lists_every_command(gitmem: Gitmem) -> None:
    answer = gitmem("--help")
    assert answer.status == 0
    for name, entry in COMMANDS.items():
        assert name in answer.out
        assert entry.summary[:20] in answer.out
    assert group.list_commands(click.Context(group)) == list(COMMANDS)


def test_version_is_an_option_and_a_command(gitmem: Gitmem, monkeypatch: pytest.MonkeyPatch) -> None:
    version = gitmem("version", "--json").json
    assert gitmem("--version").out == f"gitmem {version['gitmem']}\n"
    assert f"gitmem {version['gitmem']}\n" in gitmem("version").out
    assert set(version) == {"gitmem", "python", "pygit2", "git"}
    monkeypatch.setenv("PATH", "")
    assert gitmem("version", "--json").json["git"] is None
    assert "git not installed" in gitmem("version").out


def test_a_tier_is_owner_or_paired(gitmem: Gitmem) -> None:
    assert gitmem("--tier", "paired", "version").status == 0
    assert gitmem("--tier", "owner", "version").status == 0
    assert gitmem("--tier", "root", "version").status == 2


def test_no_color_is_taken(gitmem: Gitmem) -> None:
    assert gitmem("--no-color", "version").status == 0
