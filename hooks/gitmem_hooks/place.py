"""Which repository git runs a hook for; never one around it that happens to be a workspace."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from gitmem.store.repository import is_repository, open_repository

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitmem.store.repository import Repo

_OF_GIT = frozenset(
    {
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_COMMON_DIR",
        "GIT_DIR",
        "GIT_INDEX_FILE",
        "GIT_NAMESPACE",
        "GIT_OBJECT_DIRECTORY",
        "GIT_PREFIX",
        "GIT_QUARANTINE_PATH",
        "GIT_WORK_TREE",
    }
)


def repository() -> Repo:
    """The workspace that the hook is run in. Raises ``NotFound`` (``WORKSPACE_NOT_FOUND``) where there is no memory."""
    here = Path.cwd()
    named = os.environ.get("GIT_DIR")
    folder = here if named is None or is_repository(here) else here / named
    return open_repository(folder, fsync=True)


def index_file() -> Path | None:
    """The index that is being committed: in ``git commit -- PATH`` and ``-a`` not the worktree's own."""
    named = os.environ.get("GIT_INDEX_FILE")
    return Path(named) if named else None


def without_git(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment for another program, which finds its repository and index by itself."""
    return {name: value for name, value in environ.items() if name not in _OF_GIT}
