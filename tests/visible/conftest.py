"""One memory for all tests that only read it, and everybody who may ask for it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from gitmem.authority import IN_PERSON, NOBODY, PAIRED
from gitmem.workspace import Workspace
from sharing import build
from workspaces import ME, QUICK

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

READERS = {"owner": IN_PERSON, "paired": PAIRED, "nobody": NOBODY}


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace of which a part is shared; nobody writes to it."""
    return build(tmp_path_factory.mktemp("shared") / "w")


@pytest.fixture(scope="session")
def readers(folder: Path) -> Iterator[Mapping[str, Workspace]]:
    """The workspace as each reader has it open."""
    opened = {
        name: Workspace.open(folder, replace(ME, authority=authority), QUICK) for name, authority in READERS.items()
    }
    yield opened
    for workspace in opened.values():
        workspace.close()
