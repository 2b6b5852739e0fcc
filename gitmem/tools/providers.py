"""The tools as each provider's API takes them; plain JSON values, and no SDK."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gitmem.tools.base import Tool


def openai_tools(tools: Iterable[Tool]) -> list[dict[str, Any]]:
    """For ``tools`` of OpenAI's chat completions, and of what is compatible with them."""
    return [
        {
            "type": "function",
            "function": {"name": tool.name, "description": tool.description, "parameters": tool.schema},
        }
        for tool in tools
    ]


def anthropic_tools(tools: Iterable[Tool]) -> list[dict[str, Any]]:
    """For ``tools`` of Anthropic's messages."""
    return [{"name": tool.name, "description": tool.description, "input_schema": tool.schema} for tool in tools]


def gemini_declarations(tools: Iterable[Tool]) -> list[dict[str, Any]]:
    """For ``functionDeclarations`` of Gemini, whose types are in capitals (3.15)."""
    return [
        {"name": tool.name, "description": tool.description, "parameters": _capitals(tool.schema)} for tool in tools
    ]


def _capitals(schema: dict[str, Any]) -> dict[str, Any]:
    found = {**schema, "type": schema["type"].upper()}
    if "properties" in found:
        found["properties"] = {name: _capitals(one) for name, one in found["properties"].items()}
    if "items" in found:
        found["items"] = _capitals(found["items"])
    return found
