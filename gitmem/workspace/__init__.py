"""The workspace: what ``import gitmem`` gives, and what the command line calls (``architecture.md`` section 6).

Each method is one call of the library; parts that only some methods need are imported by those.
"""

from __future__ import annotations

from gitmem.workspace.base import OWNER, Caller
from gitmem.workspace.conversing import Conversing
from gitmem.workspace.reading import Reading
from gitmem.workspace.recalling import Recalling
from gitmem.workspace.writing import Writing

__all__ = ["OWNER", "Caller", "Workspace"]


class Workspace(Writing, Reading, Recalling, Conversing):
    """One memory, with everything that the command line can do."""
