"""The contract between a host and its memory, and the memories that keep it (``behaviours.md``, "backend hooks").

A host asks ``get_backend`` once, and calls its hooks: the start and the end of a conversation, before each turn, after
each turn, before its context is cut, by night.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gitmem.backend.base import Host, MemoryBackend
    from gitmem.backend.registry import backend_names, get_backend, register_backend, set_backend

__all__ = ["Host", "MemoryBackend", "backend_names", "get_backend", "register_backend", "set_backend"]

_HOMES = {"Host": "gitmem.backend.base", "MemoryBackend": "gitmem.backend.base"}


def __getattr__(name: str) -> object:
    """Load a public name. Raises ``AttributeError`` for any other."""
    if name not in __all__:
        message = f"module 'gitmem.backend' has no attribute {name!r}"
        raise AttributeError(message)
    from importlib import import_module  # noqa: PLC0415  (only when a name is used)

    return getattr(import_module(_HOMES.get(name, "gitmem.backend.registry")), name)
