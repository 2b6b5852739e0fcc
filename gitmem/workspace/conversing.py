"""Conversations in, topics out."""

from __future__ import annotations

from gitmem.workspace.base import OpenWorkspace


class Conversing(OpenWorkspace):
    """The commands about conversations and writing of ``cli.md``."""
