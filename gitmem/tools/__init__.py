"""The memory as tools of an agent: a name, a JSON schema and arguments in, a text and a JSON object out."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gitmem.tools.base import Tool, ToolAnswer
    from gitmem.tools.calling import call
    from gitmem.tools.registry import TOOLS, tools_for

__all__ = ["TOOLS", "Tool", "ToolAnswer", "call", "tools_for"]

_HOMES = {"Tool": "base", "ToolAnswer": "base", "call": "calling", "TOOLS": "registry", "tools_for": "registry"}


def __getattr__(name: str) -> object:
    """Load a public name. Raises ``AttributeError`` for any other."""
    if name not in _HOMES:
        message = f"module 'gitmem.tools' has no attribute {name!r}"
        raise AttributeError(message)
    from importlib import import_module  # noqa: PLC0415  (only when a name is used)

    return getattr(import_module(f"gitmem.tools.{_HOMES[name]}"), name)
