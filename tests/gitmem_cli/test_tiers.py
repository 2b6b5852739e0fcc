"""`--tier paired`: what is answered, and what is not allowed (`cli.md`; `behaviours.md` part 8)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click
import pytest

from gitmem_cli.group import gitmem as group
from tiers import HIDDEN, SEEN, Shared, share
from workspaces import state

if TYPE_CHECKING:
    from pathlib import Path

    from running import Git, Gitmem


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Shared:
    return share(tmp_path_factory.mktemp("shared") / "w")


COMMANDS = [
    ["search", "tea"],
    ["search", "tea", "--explain"],
    ["search", "tea", "--at", "HEAD~1"],
    ["grep", "a"],
    ["grep", ".", "--regex"],
    ["get", "people/ada.md"],
    ["get", "sources/chat/_v2/mixed.md"],
    ["get", "core.shared.md"],
    ["get", f"topics/places/{HIDDEN.upper()}.md"],
    ["get", "core.md"],
    ["get", "timeline/2024/03/15.md"],
    ["get", "recent_events.jsonl"],
    ["get", "sources/promotions.jsonl"],
    ["get", ".gitmem"],
    ["browse"],
    ["browse", "timeline"],
    ["status"],
    ["why", "--text", "tea"],
    ["why", "topics/"],
    ["diff", "HEAD~6", "HEAD"],
    ["diff", "HEAD~6", "HEAD", "--stat"],
    ["diff", "HEAD~6", "HEAD", "--words"],
    ["diff"],
]


@pytest.mark.parametrize("as_json", [False, True])
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_no_byte_of_a_paired_answer_holds_what_is_hidden(
    shared: Shared, gitmem: Gitmem, command: list[str], *, as_json: bool
) -> None:
    answer = gitmem("--tier", "paired", *command, *(["--json"] if as_json else []), cwd=shared.folder)
    assert answer.status in {0, 4, 6}
    told = f"{answer.out}{answer.err}".casefold().replace(f"topics/places/{HIDDEN}", "")
    assert HIDDEN not in told
    assert all(block not in told for name, block in shared.ids.items() if name not in SEEN["paired"])


ALLOWED = {
    *("search", "grep", "get", "browse", "context", "status", "why", "history", "diff", "mcp"),
    *("remember", "update", "version"),
}
"""What a paired caller may do at all: read what is shared, and add."""

ARGUMENTS = {
    "autosave": ["list"],
    "blame": ["people/ada.md"],
    "commit": [],
    "config": [],
    "doctor": [],
    "edit": ["people/ada.md"],
    "forget": ["chat/mixed/pair1", "--yes"],
    "hooks": ["status"],
    "ingest": ["."],
    "merge-blocks": ["09993bd8", "deadbeef"],
    "mv": ["people/ada.md", "people/eve.md"],
    "promote": ["--list"],
    "restore": ["HEAD~1"],
    "rm": ["people/ada.md"],
    "show": ["HEAD"],
    "turn": ["list"],
    "watch": ["--once"],
}


def test_whatever_else_there_is_is_not_allowed(shared: Shared, gitmem: Gitmem) -> None:
    before = state(shared.folder)
    context = click.Context(group)
    for command in group.list_commands(context):
        if command not in ALLOWED:
            answer = gitmem("--tier", "paired", command, *ARGUMENTS.get(command, []), cwd=shared.folder)
            assert (command, answer.status) == (command, 6)
    assert state(shared.folder) == before


@pytest.fixture
def own(tmp_path: Path) -> Shared:
    return share(tmp_path / "w")


def test_a_paired_caller_adds(own: Shared, gitmem: Gitmem) -> None:
    for topic in ("people/new", "people/new", "places/harbour", f"places/{HIDDEN}"):
        said = ("remember", "Ada waters the plants.", "--topic", topic, "--time", "2024-05", "--json")
        answer = gitmem("--tier", "paired", *said, cwd=own.folder)
        assert answer.status == 0, answer.out
        assert HIDDEN not in answer.out.replace(f"places/{HIDDEN}", "")
        (block,) = answer.json["block_ids"].values()
        assert (
            gitmem("--tier", "paired", "get", block, "--json", cwd=own.folder).json["blocks"][0]["visibility"]
            == "paired"
        )
    assert gitmem("check", "--all", cwd=own.folder).status == 1  # what was committed past the checks stands


@pytest.mark.parametrize("as_json", [False, True])
def test_what_a_paired_caller_may_read_is_told_in_both_forms(shared: Shared, gitmem: Gitmem, *, as_json: bool) -> None:
    form = ["--json"] if as_json else []
    block = shared.ids["shared"]
    for command in (["why", block], ["history", block], ["get", block], ["browse"], ["status"], ["context"]):
        answer = gitmem("--tier", "paired", *command, *form, cwd=shared.folder)
        assert (command, answer.status, answer.err) == (command, 0, "")


def test_what_a_paired_caller_added_is_told_on_a_terminal(own: Shared, gitmem: Gitmem) -> None:
    # Told from what they may read: a write that is done must never be answered with a refusal.
    said = ("remember", "Ada waters the plants.", "--topic", "people/new", "--time", "2024-05")
    answer = gitmem("--tier", "paired", *said, cwd=own.folder)
    assert (answer.status, "topics/people/new.md" in answer.out) == (0, True), answer.err
    assert "Ada waters the plants." in answer.out


def test_a_paired_caller_changes_nothing_that_stands(own: Shared, gitmem: Gitmem, git: Git) -> None:
    base = git(own.folder, "rev-parse", "HEAD")
    destination = {"topic_path": "people/ada.md", "headings": ["Ada"], "position": "start"}
    source = {"source": "chat/mixed/pair1", "label": "said"}
    record = {"content": "Ada likes milk.", "time": "2024", "sources": [source]}
    shared_block = own.ids["shared"]
    refused = [
        ("--changes", [{"path": "topics/people/ada.md", "action": "delete"}]),
        ("--changes", [{"path": "topics/people/ada.md", "action": "write", "content": "# Ada\n"}]),
        ("--records", [{"op": "update_record", "memory_id": shared_block, **record}]),
        ("--records", [{"op": "delete_record", "memory_id": shared_block}]),
        ("--records", [{"op": "move_records", "memory_ids": [shared_block], "destination": destination}]),
        ("--records", [{"op": "create_record", **record, "destination": destination}]),
    ]
    before = state(own.folder)
    payload = own.folder.parent / "payload.json"
    for form, edit in refused:
        payload.write_text(json.dumps(edit))
        answer = gitmem("--tier", "paired", "update", "--base", base, form, str(payload), "--json", cwd=own.folder)
        assert (answer.status, answer.code) == (1, "APPEND_ONLY_REQUIRED"), edit
        assert HIDDEN not in answer.out
    assert state(own.folder) == before


@pytest.mark.parametrize("source", ["chat/own/own1", "chat/own/nobody"])
def test_a_paired_caller_cites_only_what_they_see(own: Shared, gitmem: Gitmem, source: str) -> None:
    said = ("remember", "Ada likes milk.", "--topic", "people/new", "--source", source, "--json")
    answer = gitmem("--tier", "paired", *said, cwd=own.folder)
    assert (answer.status, answer.code) == (1, "MISSING_SOURCE")
