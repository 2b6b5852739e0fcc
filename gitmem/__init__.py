"""gitmem: a git-native memory workspace for language-model agents and for the people who audit them.

``from gitmem import Workspace`` is the way in; names are loaded when they are first used, so that importing the
package costs nothing (PEP 562).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gitmem.authority import IN_PERSON, NOBODY, OWNER, PAIRED, Authority
    from gitmem.config import Config
    from gitmem.errors import GitmemError
    from gitmem.format.model import Tier
    from gitmem.request import Person
    from gitmem.workspace import Caller, Workspace

__all__ = [
    "IN_PERSON",
    "NOBODY",
    "OWNER",
    "PAIRED",
    "Authority",
    "Caller",
    "Config",
    "GitmemError",
    "Person",
    "Tier",
    "Workspace",
]

_HOMES = {
    "IN_PERSON": "gitmem.authority",
    "NOBODY": "gitmem.authority",
    "OWNER": "gitmem.authority",
    "PAIRED": "gitmem.authority",
    "Authority": "gitmem.authority",
    "Caller": "gitmem.workspace",
    "Config": "gitmem.config",
    "GitmemError": "gitmem.errors",
    "Person": "gitmem.request",
    "Tier": "gitmem.format.model",
    "Workspace": "gitmem.workspace",
}


def __getattr__(name: str) -> object:
    """Load a public name from its module. Raises ``AttributeError`` for any other."""
    if name not in _HOMES:
        message = f"module 'gitmem' has no attribute {name!r}"
        raise AttributeError(message)
    from importlib import import_module  # noqa: PLC0415  (only when a name is used)

    return getattr(import_module(_HOMES[name]), name)
