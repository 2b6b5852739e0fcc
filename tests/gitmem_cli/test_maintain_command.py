"""`maintain`, and that it begins by itself in the background (`cli.md`, Workspace)."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest

from workspaces import make

if TYPE_CHECKING:
    from pathlib import Path

    from running import Gitmem


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    workspace = make(tmp_path / "w")
    workspace.remember("Ada likes tea.", "people/ada.md", time="2024-03-15")
    workspace.close()
    return tmp_path / "w"


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[bytes]]:
    """The processes that were begun in the background, in a world where two objects are many."""
    processes: list[subprocess.Popen[bytes]] = []

    class Noted(subprocess.Popen[bytes]):
        def __init__(self, command: list[str], **rest: object) -> None:
            super().__init__(command, **rest)  # type: ignore[call-overload]
            if "maintain" in command:
                processes.append(self)

    monkeypatch.setattr(subprocess, "Popen", Noted)
    monkeypatch.setattr("gitmem.store.maintenance.MANY_OBJECTS", 2)
    monkeypatch.setattr("gitmem.store.maintenance.SAMPLE", tuple(f"{number:02x}" for number in range(256)))
    return processes


def test_it_packs_and_says_so(gitmem: Gitmem, folder: Path) -> None:
    answer = gitmem("maintain", cwd=folder)
    assert answer.status == 0
    assert answer.out.startswith("packed  objects and refs  ")
    told = gitmem("maintain", "--json", cwd=folder).json
    assert list(told) == ["ok", "actions", "before", "after"]
    assert told["after"] == {"loose": 0, "loose_bytes": 0, "packs": 1}


def test_without_git_it_is_exit_7(
    gitmem: Gitmem, folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    answer = gitmem("maintain", "--json", cwd=folder)
    assert (answer.status, answer.code) == (7, "GIT_UNAVAILABLE")


def test_auto_does_nothing_where_little_waits(gitmem: Gitmem, folder: Path) -> None:
    answer = gitmem("maintain", "--auto", "--json", cwd=folder).json
    assert answer["started"] is False
    assert "nothing is due" in gitmem("maintain", "--auto", cwd=folder).out
    assert not (folder / ".git/gitmem/maintain.lock").exists()


def test_auto_packs_in_the_background_and_not_again_at_once(
    gitmem: Gitmem, folder: Path, begun: list[subprocess.Popen[bytes]]
) -> None:
    assert gitmem("maintain", "--auto", cwd=folder).out.startswith("packing in the background: about ")
    (process,) = begun
    assert process.wait(60) == 0
    log = folder / ".git/gitmem/log/maintain.log"
    assert log.read_text().startswith("packed  objects and refs  ")
    assert log.stat().st_mode & 0o777 == 0o600
    assert len(list((folder / ".git/objects/pack").glob("*.pack"))) == 1
    assert gitmem("remember", "Ada plays chess.", "--topic", "people/ada.md", cwd=folder).status == 0
    assert len(begun) == 1


def test_a_write_begins_it_and_reading_does_not(
    gitmem: Gitmem, folder: Path, begun: list[subprocess.Popen[bytes]]
) -> None:
    assert gitmem("get", "topics/people/ada.md", cwd=folder).status == 0
    assert gitmem("-c", "gitmem.maintain.auto=false", "turn", "add", "chat/a", "hello", cwd=folder).status == 0
    assert begun == []
    assert gitmem("remember", "Ada plays chess.", "--topic", "people/ada.md", cwd=folder).status == 0
    (process,) = begun
    assert process.wait(60) == 0
    os.utime(folder / ".git/gitmem/maintain.lock", (0, 0))
    for number in range(3):
        gitmem("turn", "add", "chat/a", f"hello {number}", cwd=folder)
    assert len(begun) == 2
    assert begun[1].wait(60) == 0
