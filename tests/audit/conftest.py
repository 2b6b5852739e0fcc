"""A memory with two claims, its history, and git."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from workspaces import make

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.workspace import Workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    workspace = make(tmp_path / "workspace")
    workspace.remember("Ada likes tea.", "people/ada.md", time="2024-03-15")
    workspace.remember("Bob moved to Lisbon.", "people/bob.md", time="2023")
    return workspace


@pytest.fixture
def folder(workspace: Workspace) -> Path:
    """Where the files of the memory are."""
    return workspace.repo.path
