"""The workspace: what ``import gitmem`` gives, and what the command line calls (``architecture.md`` section 6).

Each method is one call of the library; parts that only some methods need are imported by those, and ``Caller`` when it
is first used (PEP 562), which readers never do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.workspace.editing import Editing
from gitmem.workspace.hooking import Hooking
from gitmem.workspace.reading import Reading
from gitmem.workspace.recalling import Recalling
from gitmem.workspace.vouching import Vouching
from gitmem.workspace.watching import Watching
from gitmem.workspace.writing import Writing

if TYPE_CHECKING:
    from gitmem.workspace.caller import Caller

__all__ = ["Caller", "Workspace"]


class Workspace(Editing, Writing, Reading, Recalling, Vouching, Watching, Hooking):
    """One memory, with everything that the command line can do."""


def __getattr__(name: str) -> object:
    """Load ``Caller``. Raises ``AttributeError`` for any other name."""
    if name not in __all__:
        message = f"module 'gitmem.workspace' has no attribute {name!r}"
        raise AttributeError(message)
    from gitmem.workspace import caller  # noqa: PLC0415  (only when a name is used)

    return getattr(caller, name)
