"""The git program, as the library runs it."""

from __future__ import annotations

from gitmem.store.git_program import git_settings, run_git

__all__ = ["git_settings", "run_git"]
