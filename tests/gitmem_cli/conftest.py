"""Running the command line inside the test's process."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gitmem_cli.main import run
from running import Answer

if TYPE_CHECKING:
    from pathlib import Path

    from running import Git, Gitmem


@pytest.fixture
def gitmem(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, home: Path, tmp_path: Path) -> Gitmem:
    """Run ``gitmem`` with these arguments, in a folder outside every workspace unless ``cwd`` says otherwise."""
    assert home.is_dir()

    def call(*arguments: str, cwd: Path | None = None) -> Answer:
        monkeypatch.chdir(cwd or tmp_path)
        capfd.readouterr()
        status = run(arguments)
        return Answer(status, *capfd.readouterr())

    return call


@pytest.fixture
def workspace(tmp_path: Path, git: Git) -> Path:
    """The smallest thing that is recognized as a workspace: a repository that tracks ``.gitmem``."""
    folder = tmp_path / "workspace"
    folder.mkdir()
    git(folder, "init", "-q")
    (folder / ".gitmem").write_text("[gitmem]\n\tformat = 1\n")
    git(folder, "add", ".gitmem")
    git(folder, "commit", "-q", "-m", "memory: begin")
    return folder
