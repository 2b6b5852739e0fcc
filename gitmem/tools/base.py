"""What a tool is, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from gitmem.tools.budget import Budget
    from gitmem.workspace import Workspace

Schema = dict[str, Any]
"""A JSON schema of the kind that every provider takes: ``type``, ``description``, ``properties``, ``required``,
``items``, ``enum``; nothing else (``gitmem.tools.schema``)."""


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """``text`` is for a model, ``data`` the same as a JSON object with the keys of ``cli.md``.

    ``is_error``: nothing was done, and ``data`` is ``{code, message, path, retryable, details, findings}``.
    ``truncated``: there is more than fits into the budget, and the text says how to see it.
    """

    text: str
    data: Mapping[str, Any] = field(default_factory=dict)
    is_error: bool = False
    truncated: bool = False


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool; ``run`` is given arguments that fit the schema, and may raise ``GitmemError``.

    ``in_person``: offered only where a person decides (``Authority.interactive``).
    """

    name: str
    description: str
    schema: Schema
    run: Callable[[Workspace, Mapping[str, Any], Budget], ToolAnswer]
    in_person: bool = False
