"""`gitmem context`, `gitmem log --injected`, and every command while memory is switched off (14.8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
import pytest

from gitmem.backend import Host, get_backend
from gitmem.format.model import Tier
from gitmem_cli.group import gitmem as group
from workspaces import ME, QUICK, make

if TYPE_CHECKING:
    from pathlib import Path

    from running import Gitmem


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    workspace = make(tmp_path / "w")
    workspace.remember("Ada's tracker is due on Friday.", "core.md", time="2024-03-15")
    workspace.remember("Ada likes green tea.", "people/ada.md", time="2024-03-15")
    workspace.close()
    return tmp_path / "w"


def test_context_prints_what_a_model_would_be_given(gitmem: Gitmem, folder: Path) -> None:
    plain = gitmem("context", "who", "likes", "tea?", cwd=folder)
    answer = gitmem("context", "who likes tea?", "--json", cwd=folder)
    assert plain.out == answer.json["text"] + "\n"
    assert set(answer.json) == {"revision", "fresh", "core", "results", "text", "blocks"}
    assert "due on Friday" in gitmem("context", cwd=folder).out
    assert gitmem("context", "--at", "HEAD~9", cwd=folder).status == 4
    assert gitmem("--tier", "paired", "context", "tea", cwd=folder).out == ""


def test_log_says_when_a_claim_was_given(gitmem: Gitmem, folder: Path) -> None:
    block, other = (
        gitmem("search", word, "--topics-only", "--json", cwd=folder).json["results"][0]["id"]
        for word in ("tea", "tracker")
    )
    nothing = gitmem("log", "--injected", block, cwd=folder)
    assert (nothing.status, "is not known: nothing is recorded here" in nothing.out) == (0, True)
    get_backend(Host(folder, ME.author, QUICK)).search("tea", "chat/talk", Tier.OWNER)
    told = gitmem("log", "--injected", block, "--json", cwd=folder).json
    assert set(told) == {"id", "aliases", "since", "injections"}
    assert [one["session"] for one in told["injections"]] == ["chat/talk"]
    plain = gitmem("log", "--injected", block, cwd=folder)
    assert "chat/talk" in plain.out
    assert f"unknown before {told['since']}" in plain.err
    never = gitmem("log", "--injected", other, cwd=folder)
    assert f"^{other} was given to no model; unknown before {told['since']}" in never.out
    unheld = gitmem("log", "--injected", "deadbeef", "--json", cwd=folder)
    assert (unheld.status, unheld.code) == (4, "MEMORY_NOT_FOUND")
    path = gitmem("log", "--injected", "topics/people/ada.md", "--json", cwd=folder)
    assert (path.status, path.code) == (2, "INVALID_ARGUMENT")
    assert gitmem("log", "--injected", cwd=folder).status == 2


ARGUMENTS = {
    "autosave": ["list"],
    "blame": ["people/ada.md"],
    "edit": ["people/ada.md"],
    "forget": ["chat/mixed/pair1", "--yes"],
    "get": ["people/ada.md"],
    "grep": ["tea"],
    "history": ["deadbeef"],
    "hooks": ["status"],
    "ingest": ["."],
    "merge-blocks": ["09993bd8", "deadbeef"],
    "mv": ["people/ada.md", "people/eve.md"],
    "promote": ["--list"],
    "remember": ["Ada likes tea.", "--topic", "x"],
    "restore": ["HEAD~1"],
    "rm": ["people/ada.md"],
    "search": ["tea"],
    "show": ["HEAD"],
    "turn": ["list"],
    "update": ["--base", "HEAD", "--changes", "payload.json"],
    "watch": ["--once"],
    "why": ["deadbeef"],
}


def test_switched_off_every_command_says_so_and_touches_nothing(gitmem: Gitmem, tmp_path: Path) -> None:  # 14.8
    (tmp_path / "payload.json").write_text("[]")
    before = sorted(tmp_path.rglob("*"))
    for command in group.list_commands(click.Context(group)):
        if command not in {"config", "version", "mcp"}:
            answer = gitmem("-c", "gitmem.backend=none", command, *ARGUMENTS.get(command, []), "--json", cwd=tmp_path)
            if answer.status == 2:  # a command without --json
                answer = gitmem("-c", "gitmem.backend=none", command, *ARGUMENTS.get(command, []), cwd=tmp_path)
            assert (command, answer.status) == (command, 5)
    assert gitmem("-c", "gitmem.backend=none", "config", "gitmem.backend", cwd=tmp_path).out == "none\n"
    assert sorted(tmp_path.rglob("*")) == before
