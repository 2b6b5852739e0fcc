"""A workspace with git's hooks installed, and git run in it as people do."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from workspaces import make

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ADA, BO = "topics/people/ada.md", "topics/people/bo.md"


@dataclass(frozen=True)
class Hooked:
    """One workspace (or linked worktree) of a test."""

    root: Path

    def run(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Git, whatever it ends with."""
        who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.invalid", "-c", "core.editor=true")
        command = ["env", *(f"{name}={value}" for name, value in environment.items()), "git", *who, *arguments]
        return subprocess.run(command, cwd=self.root, capture_output=True, encoding="utf-8", check=False)

    def git(self, *arguments: str) -> str:
        """What git printed; it must have gone well."""
        done = self.run(*arguments)
        assert done.returncode == 0, f"git {' '.join(arguments)}: {done.stderr}"
        return done.stdout.removesuffix("\n")

    def subjects(self, count: int = 1, *options: str) -> list[str]:
        """The newest commits; ``D`` stands for a derive commit."""
        found = self.git("log", f"-{count}", "--format=%s", *options).split("\n")
        return ["D" if subject.startswith("views: derive from ") else subject for subject in found]

    def read(self, path: str) -> str:
        return (self.root / path).read_bytes().decode()

    def write(self, path: str, text: str) -> None:
        (self.root / path).write_bytes(text.encode())

    def replace(self, path: str, old: str, new: str) -> None:
        """Edit a file by hand."""
        assert old in self.read(path)
        self.write(path, self.read(path).replace(old, new))

    def append(self, path: str, text: str) -> None:
        self.write(path, self.read(path) + text)

    def own_hook(self, name: str, script: str) -> Path:
        """A hook of the user's."""
        hook = self.root / ".git" / "hooks" / name
        hook.write_text(f"#!/bin/sh\n{script}\n")
        hook.chmod(0o755)
        return hook


@pytest.fixture(scope="session")
def _template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("hooked") / "memory"
    workspace = make(root)
    workspace.remember("Ada lives in Basel.", ADA, time="2026-03")
    workspace.remember("Bo plays chess.", BO, time="2026-03")
    workspace.install_hooks(root / ".git" / "hooks", sys.executable)
    workspace.memory()
    workspace.close()
    return root


@pytest.fixture
def hooked(_template: Path, tmp_path: Path) -> Hooked:
    """A workspace with two topics and all hooks."""
    shutil.copytree(_template, tmp_path / "memory", symlinks=True)
    return Hooked(tmp_path / "memory")


@pytest.fixture
def at() -> Callable[[Path], Hooked]:
    """The same for another folder."""
    return Hooked
