"""One memory for all tests that only read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from reading_memory import ADA, lay_out, pets
from workspaces import make

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.workspace import Workspace
    from running import Git


@pytest.fixture(scope="session")
def memory(tmp_path_factory: pytest.TempPathFactory, git: Git) -> Iterator[Workspace]:
    """Nobody writes to it. Its newest commit was made with plain git, so that the views are one behind."""
    folder = tmp_path_factory.mktemp("read") / "w"
    workspace = make(folder, adopt=lay_out(tmp_path_factory.mktemp("given")))
    with (folder / ADA).open("ab") as topic:
        topic.write(pets())
    git(folder, "commit", "-q", "--no-verify", "-a", "-m", "by hand")
    yield workspace
    workspace.close()
