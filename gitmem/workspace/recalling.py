"""History: what the memory believed, who made it so, and going back."""

from __future__ import annotations

from gitmem.workspace.base import OpenWorkspace


class Recalling(OpenWorkspace):
    """The history commands of ``cli.md``."""
