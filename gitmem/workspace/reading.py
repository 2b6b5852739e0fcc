"""Reading the memory: search, exact lines, files, listings, and its state."""

from __future__ import annotations

from gitmem.workspace.base import OpenWorkspace


class Reading(OpenWorkspace):
    """The reading commands of ``cli.md``."""
