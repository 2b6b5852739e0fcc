"""`gitmem config` lists, reads and sets the local settings (`cli.md`, `behaviours.md` 0.12, 0.14)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.config import SETTINGS

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from running import Git, Gitmem


def test_every_setting_is_listed_with_type_default_and_meaning(gitmem: Gitmem) -> None:
    listed = gitmem("config", "--json").json["settings"]
    assert [entry["key"] for entry in listed] == [known.key for known in SETTINGS]
    assert all(set(entry) == {"key", "value", "default", "type", "takes", "meaning"} for entry in listed)
    assert gitmem("config").out.count("\n") == len(SETTINGS)


def test_a_value_is_set_in_the_workspace_and_read_back(gitmem: Gitmem, workspace: Path, git: Git) -> None:
    assert gitmem("config", "gitmem.search.topK", "+8", cwd=workspace).status == 0
    assert git(workspace, "config", "--local", "gitmem.search.topK") == "8"
    assert gitmem("config", "GITMEM.search.TOPK", cwd=workspace).out == "8\n"
    assert gitmem("config", "gitmem.search.topK", "--json", cwd=workspace).json == {
        "key": "gitmem.search.topK",
        "value": 8,
    }


def test_without_a_workspace_the_users_own_config_is_set(
    gitmem: Gitmem, monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(home / "gitconfig"))
    assert gitmem("config", "gitmem.fsync", "no", "--json").json == {"key": "gitmem.fsync", "value": False}
    assert "fsync = false" in (home / "gitconfig").read_text()
    assert gitmem("config", "gitmem.fsync").out == "false\n"


def test_a_value_that_is_not_allowed_is_refused_and_not_stored(gitmem: Gitmem, workspace: Path) -> None:  # 16.9
    answer = gitmem("config", "gitmem.search.topK", "11", "--json", cwd=workspace)
    assert (answer.status, answer.code) == (2, "INVALID_ARGUMENT")
    assert gitmem("config", "gitmem.search.topK", cwd=workspace).out == "5\n"


def test_config_works_while_memory_is_switched_off(gitmem: Gitmem, workspace: Path) -> None:  # 0.12
    assert gitmem("config", "gitmem.backend", "none", cwd=workspace).status == 0
    assert gitmem("config", "gitmem.backend", cwd=workspace).out == "none\n"
    assert gitmem("config", "gitmem.backend", "local", cwd=workspace).status == 0
