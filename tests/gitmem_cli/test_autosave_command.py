"""`autosave` as people and programs see it (`cli.md`, History)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from workspaces import make

if TYPE_CHECKING:
    from pathlib import Path

    from running import Gitmem

ADA = "topics/people/ada.md"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    workspace = make(tmp_path / "w")
    workspace.remember("Ada likes tea.", "people/ada.md", time="2024-03-15")
    workspace.close()
    with (tmp_path / "w" / ADA).open("a") as topic:
        topic.write("\nhalf \x1b[31ma thought\n")
    return tmp_path / "w"


def test_text_is_kept_shown_compared_and_put_back(gitmem: Gitmem, folder: Path) -> None:
    typed = (folder / ADA).read_bytes()
    assert "autosave/1" in gitmem("autosave", "save", cwd=folder).out
    shown = gitmem("autosave", "show", "1", cwd=folder)
    assert "+half \\x1b[31ma thought" in shown.out
    assert "\x1b" not in shown.out
    assert gitmem("autosave", "diff", "1", cwd=folder).out.startswith("autosave/1 -> working directory")
    (folder / ADA).write_bytes(b"")
    put = gitmem("autosave", "restore", "1", cwd=folder)
    assert put.status == 0
    assert (folder / ADA).read_bytes() == typed
    assert put.out.splitlines()[0] == "put back 1 file, not committed"
    assert put.out.splitlines()[-1] == "back  gitmem autosave restore 1"
    assert "Nothing to do" in gitmem("autosave", "restore", "2", cwd=folder).out


def test_each_has_its_json(gitmem: Gitmem, folder: Path) -> None:
    told = ["name", "ref", "at", "revision", "subject", "kind"]
    assert list(gitmem("autosave", "save", "--json", cwd=folder).json["saved"]) == told
    assert list(gitmem("autosave", "--json", cwd=folder).json["autosaves"][0]) == told
    assert list(gitmem("autosave", "show", "1", "--json", cwd=folder).json) == [*told, "files"]
    assert list(gitmem("autosave", "diff", "1", "--json", cwd=folder).json)[:3] == ["from", "to", "claims"]
    (folder / ADA).write_bytes(b"")
    assert list(gitmem("autosave", "restore", "1", "--json", cwd=folder).json) == [
        *("ok", "of", "revision", "changed_files", "autosave", "go_back", "warnings"),
    ]
    assert gitmem("autosave", "prune", "--dry-run", "--json", cwd=folder).json == {
        "dry_run": True,
        "removed": [],
        "kept": 2,
    }


def test_a_memory_comes_back_as_by_restore(gitmem: Gitmem, folder: Path) -> None:
    block = gitmem("get", ADA, "--json", cwd=folder).json["blocks"][0]["id"]
    gitmem("rm", block, cwd=folder)
    kept = gitmem("autosave", cwd=folder).out.splitlines()[1]
    number = kept.split()[0].partition("/")[2]
    answer = gitmem("autosave", "restore", number, "--json", cwd=folder).json
    assert answer["ok"]
    assert [block["id"] for block in answer["claims"]["added"]] == [block]


def test_what_is_not_there_and_what_is_no_number(gitmem: Gitmem, folder: Path) -> None:
    for action in ("show", "diff", "restore"):
        assert gitmem("autosave", action, "7", cwd=folder).status == 4
        assert gitmem("autosave", action, "first", cwd=folder).status == 2


def test_prune_says_what_goes(gitmem: Gitmem, folder: Path) -> None:
    gitmem("autosave", "save", cwd=folder)
    settings = ("-c", "gitmem.autosave.keepDays=0", "-c", "gitmem.autosave.keepCount=0")
    dry = gitmem(*settings, "autosave", "prune", "--dry-run", cwd=folder)
    assert dry.out.splitlines()[-1] == "1 autosave would be removed, 0 kept"
    assert gitmem(*settings, "autosave", "prune", cwd=folder).out.splitlines()[-1] == "1 autosave removed, 0 kept"
    assert gitmem("autosave", "list", "--json", cwd=folder).json == {"autosaves": []}
