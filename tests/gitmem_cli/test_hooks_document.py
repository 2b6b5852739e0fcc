"""What docs/hooks.md has one type does what it says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from workspaces import make

if TYPE_CHECKING:
    from running import Git

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "hooks.md"


def test_its_commands_run_one_after_the_other(tmp_path: Path, git: Git) -> None:
    make(tmp_path / "w").close()
    commands = re.findall(r"^\$ (.*)$", DOCUMENT.read_text("utf-8"), re.MULTILINE)
    assert len(commands) == 7
    programs = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    for command in commands:
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=tmp_path / "w",
            env={**os.environ, "PATH": programs},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == 0, f"{command}: {done.stderr}"
    server = tmp_path / "w" / "memory.git"
    assert git(server, "rev-parse", "main") == git(tmp_path / "w", "rev-parse", "main")
    assert (server / "hooks" / "pre-receive").exists()
    assert not (tmp_path / "w" / ".git" / "hooks" / "pre-receive").exists()
