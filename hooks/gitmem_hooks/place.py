"""Which repository git runs a hook for; never one around it that happens to be a workspace."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from gitmem.store.repository import is_repository, open_repository

if TYPE_CHECKING:
    from gitmem.store.repository import Repo


def repository() -> Repo:
    """The workspace that the hook is run in. Raises ``NotFound`` (``WORKSPACE_NOT_FOUND``) where there is no memory."""
    here = Path.cwd()
    named = os.environ.get("GIT_DIR")
    folder = here if named is None or is_repository(here) else here / named
    return open_repository(folder, fsync=True)
