"""The hooks refuse secrets where the settings say so, and load nothing for it before there is one."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from workspaces import make

if TYPE_CHECKING:
    from pathlib import Path

    from running import Git

ADA = "topics/people/ada.md"
TOKEN = "ghp" + "_" + "A1b2C3d4E5f6" * 3


@pytest.fixture
def root(tmp_path: Path, git: Git) -> Path:
    """A workspace in which a secret is staged."""
    with make(tmp_path / "w") as workspace:
        workspace.remember("Ada lives in Basel.", ADA, time="2026-03")
    path = tmp_path / "w" / ADA
    path.write_text(path.read_text().replace("Basel", TOKEN))
    git(tmp_path / "w", "add", "-A")
    return tmp_path / "w"


def pre_commit(root: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *options, "-m", "gitmem_hooks", "pre-commit"]
    environ = {**os.environ, "GIT_INDEX_FILE": ".git/index"}
    return subprocess.run(command, cwd=root, env=environ, capture_output=True, encoding="utf-8", check=False)


def test_a_secret_is_told_and_let_pass_by_default(root: Path) -> None:
    done = pre_commit(root)
    assert (done.returncode, done.stdout) == (0, "")
    assert f"warning  {ADA}:3" in done.stderr
    assert TOKEN not in done.stderr


def test_it_is_refused_where_the_settings_say_so(root: Path, git: Git) -> None:
    git(root, "config", "gitmem.secrets", "error")
    assert pre_commit(root).returncode == 1
    git(root, "config", "--add", "gitmem.secretsAllow", hashlib.sha256(TOKEN.encode()).hexdigest())
    done = pre_commit(root)
    assert (done.returncode, done.stderr) == (0, "")
    git(root, "config", "--unset", "gitmem.secretsAllow")
    git(root, "config", "gitmem.secrets", "off")
    assert pre_commit(root).returncode == 0


def test_nothing_is_loaded_for_text_without_one(root: Path, git: Git) -> None:
    path = root / ADA
    path.write_text(path.read_text().replace(TOKEN, "Bern"))
    git(root, "add", "-A")
    done = pre_commit(root, "-X", "importtime")
    assert done.returncode == 0
    loaded = {line.split("|")[-1].strip() for line in done.stderr.splitlines() if line.startswith("import time:")}
    assert "gitmem.checks.secrets" in loaded
    assert loaded.isdisjoint({"detect_secrets", "requests"})
