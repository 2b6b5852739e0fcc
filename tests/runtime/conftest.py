"""A new workspace for each test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from workspaces import make

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.workspace import Workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return make(tmp_path / "workspace")


@pytest.fixture
def folder(workspace: Workspace) -> Path:
    """Where the files of the memory are."""
    return workspace.repo.path
