"""JSON schemas in the subset that OpenAI, Anthropic and Gemini all take as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from gitmem.tools.base import Schema


def text(description: str) -> Schema:
    """A string."""
    return {"type": "string", "description": description}


def number(description: str) -> Schema:
    """A whole number; its bounds stand in the description, and are checked by what it is passed to."""
    return {"type": "integer", "description": description}


def switch(description: str) -> Schema:
    """True or false."""
    return {"type": "boolean", "description": description}


def choice(description: str, values: Iterable[str]) -> Schema:
    """One of these strings."""
    return {"type": "string", "description": description, "enum": list(values)}


def list_of(item: Schema, description: str) -> Schema:
    """A list."""
    return {"type": "array", "description": description, "items": item}


def record(properties: Mapping[str, Schema], required: Iterable[str] = (), description: str = "") -> Schema:
    """An object with these keys."""
    needed = list(required)
    return {
        "type": "object",
        **({"description": description} if description else {}),
        "properties": dict(properties),
        **({"required": needed} if needed else {}),  # older drafts know no empty list
    }


MAX_TOKENS = number("How many tokens the answer may have, 150 to 20000; 4000 when left out.")
AT = text("An earlier revision: a commit id, or a date such as 2026-08-09 for the state at the end of that day.")
