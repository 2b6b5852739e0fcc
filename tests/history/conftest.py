"""A new workspace for each test that writes, and one history for those that only look."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from stories import tell
from workspaces import make

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.workspace import Workspace
    from stories import Story


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return make(tmp_path / "workspace")


@pytest.fixture(scope="session")
def story(tmp_path_factory: pytest.TempPathFactory) -> Story:
    """One for all tests of a process: look, but do not write."""
    return tell(tmp_path_factory.mktemp("story") / "workspace")
