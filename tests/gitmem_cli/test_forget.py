"""`gitmem forget`: lists, asks twice, erases, proves (`cli.md`)."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from leaks import OTHER, SECRET, TOLD, Leak, leak, places, remember
from workspaces import state

if TYPE_CHECKING:
    from pathlib import Path

    from running import Gitmem


@pytest.fixture
def told(tmp_path: Path) -> Leak:
    found = leak(tmp_path / "all" / "w")
    found.workspace.close()
    return found


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Somebody who types these lines."""
    lines: list[str] = []
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    monkeypatch.setattr("click.termui.visible_prompt_func", lambda _prompt: lines.pop(0))
    return lines


def test_without_a_terminal_it_must_be_meant(told: Leak, gitmem: Gitmem) -> None:
    before = state(told.folder)
    for options in ([], ["--json"]):
        assert gitmem("forget", told.handle, *options, cwd=told.folder).status == 2
    assert state(told.folder) == before


def test_it_answers_with_the_proof(told: Leak, gitmem: Gitmem) -> None:
    answer = gitmem("forget", told.handle, "--yes", "--json", cwd=told.folder)
    assert answer.status == 0
    assert answer.json["ok"] is True
    assert answer.json["proof"]["traces"] == []
    assert answer.json["proof"]["objects"] > 0
    assert answer.json["sources"] == [told.handle]
    assert [(c["id"], c["after"]) for c in answer.json["claims"]] == [(told.block, None)]
    assert places(told.folder, SECRET) == []


def test_a_second_time_nothing_is_claimed_about_the_words(told: Leak, gitmem: Gitmem) -> None:
    note = told.folder / "note.txt"
    note.write_text(SECRET)
    first = gitmem("forget", told.handle, "--yes", cwd=told.folder)
    assert first.status == 1
    assert "note.txt (take it out of the file, or delete it)" in first.out
    second = gitmem("forget", told.handle, "--yes", cwd=told.folder)
    assert "not the words" in second.out
    assert "neither handle nor anchor was found" in second.out
    assert "nothing of it was found" not in second.out
    assert note.read_text() == SECRET


def test_a_dry_run_lists_what_would_go(told: Leak, gitmem: Gitmem) -> None:
    answer = gitmem("forget", told.handle, "--dry-run", cwd=told.folder)
    assert answer.status == 0
    assert f"^{told.block}" in answer.out
    assert SECRET in answer.out
    assert OTHER not in answer.out
    assert places(told.folder, SECRET) != []


def test_it_asks_twice(told: Leak, gitmem: Gitmem, terminal: list[str]) -> None:
    name = gitmem("status", "--json", cwd=told.folder).json["workspace_id"]
    for typed in (["n"], ["y", "w-00000000"]):
        terminal[:] = typed
        assert gitmem("forget", told.handle, cwd=told.folder).status == 1
        assert places(told.folder, SECRET) != []
    terminal[:] = ["y", name]
    answer = gitmem("forget", told.handle, cwd=told.folder)
    assert answer.status == 0
    assert "nothing of it was found" in answer.out
    assert places(told.folder, SECRET) == []


def test_it_asks_what_becomes_of_shared_claims(told: Leak, gitmem: Gitmem, terminal: list[str]) -> None:
    _, block = remember(told.workspace, TOLD)
    told.workspace.merge_blocks(block, [told.block])
    told.workspace.close()
    answer = gitmem("forget", told.handle, "--yes", "--json", cwd=told.folder)
    assert (answer.status, answer.code) == (2, "INVALID_ARGUMENT")
    name = gitmem("status", "--json", cwd=told.folder).json["workspace_id"]
    terminal[:] = ["remove", "y", name]
    assert gitmem("forget", told.handle, cwd=told.folder).status == 0
    assert places(told.folder, SECRET, TOLD, told.handle) != []  # Bob's own message is somebody else's
    assert TOLD not in (told.folder / "topics/people/ada.md").read_text()


def test_a_trace_is_a_failure(told: Leak, gitmem: Gitmem) -> None:
    (told.folder / "backup.txt").write_text(SECRET)
    answer = gitmem("forget", told.handle, "--yes", cwd=told.folder)
    assert answer.status == 1
    assert "backup.txt" in answer.out


def test_a_map_is_applied_elsewhere(told: Leak, gitmem: Gitmem, tmp_path: Path) -> None:
    import shutil  # noqa: PLC0415

    copy = tmp_path / "copy"
    shutil.copytree(told.folder, copy)
    made = gitmem("forget", told.handle, "--yes", "--json", cwd=told.folder).json["map"]
    file = str(told.folder / ".git/gitmem/forget" / made)
    answer = gitmem("forget", "--apply", file, "--yes", "--json", cwd=copy)
    assert answer.status == 0
    assert answer.json["differing"] == 0
    assert gitmem("forget", "--apply", file, "--yes", "--dry-run", cwd=copy).status == 2
    assert gitmem("forget", "--yes", cwd=copy).status == 2
