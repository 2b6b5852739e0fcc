"""Workspaces whose conversations are kept in git, and by a host."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scribes import Noting
from talking import hosted
from workspaces import make

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.workspace import Workspace


@pytest.fixture(params=["git", "sqlite"])
def workspace(request: pytest.FixtureRequest, tmp_path: Path) -> Workspace:
    """A workspace with a store of its own, and one whose host keeps conversations in SQLite."""
    own = make(tmp_path / "w")
    if request.param == "git":
        return own
    own.close()
    return hosted(tmp_path)


@pytest.fixture
def writer() -> Noting:
    return Noting()
