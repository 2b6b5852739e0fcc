"""The tools of an agent that has nothing but them (``behaviours.md`` part 15, 0.7): topics in, topics out, no shell.

Each tool is a name, a description, and parameters of the simplest JSON schema there is (one closed object of strings,
integers and booleans), which every provider takes, strict ones too. What a call does is told as MCP tells it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from gitmem.errors import GitmemError
from gitmem.format.text import SURROGATE
from gitmem.writer.agent import Outcome
from gitmem.writer.tools_calls import CALLS, Desk
from gitmem.writer.tools_table import TOOLS, ToolSpec

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitmem.writer.workbench import Workbench

_BY_NAME = {tool.name: tool for tool in TOOLS}
_TYPES: dict[str, type] = {"string": str, "integer": int, "boolean": bool}


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What one call came to. ``misused``: it was never carried out, because the arguments are not the tool's."""

    text: str
    is_error: bool = False
    misused: bool = False

    def as_content(self) -> dict[str, object]:
        """The result as MCP has it (15.1)."""
        return {"content": [{"type": "text", "text": self.text}], "is_error": self.is_error}


@dataclass(slots=True)
class Toolbox:
    """The tools on one bench, and what the agent said with them."""

    bench: Workbench
    _desk: Desk = field(init=False)

    def __post_init__(self) -> None:
        """Lay them out."""
        self._desk = Desk(self.bench)

    def call(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        """Carry out one call; what goes wrong is in the result, and changes nothing."""
        tool = _BY_NAME.get(name)
        problem = f"there is no tool {name}" if tool is None else _problem(tool, arguments)
        if problem is not None:
            return ToolResult(problem, is_error=True, misused=True)
        try:
            return ToolResult(CALLS[name](self._desk, **arguments))
        except GitmemError as error:
            return ToolResult(f"{error.code}: {error.message}", is_error=True)

    @property
    def outcome(self) -> Outcome:
        """What the agent said: that nothing is worth recording, and why blocks are gone."""
        return Outcome(self._desk.nothing_to_record, dict(self.bench.reasons))

    @property
    def unexplained(self) -> tuple[str, ...]:
        """The blocks that are gone without a reason, sorted."""
        return tuple(sorted(self.bench.removed() - {block for block, reason in self.bench.reasons.items() if reason}))


def _problem(tool: ToolSpec, arguments: Mapping[str, Any]) -> str | None:
    """What is wrong with the arguments, in words for the model."""
    unknown = sorted(set(arguments) - set(tool.parameters))
    missing = [name for name in tool.required if name not in arguments]
    if unknown or missing:
        named = [*(f"{name} is missing" for name in missing), *(f"there is no {name!r}" for name in unknown)]
        return f"{tool.name}: {', '.join(named)}; it takes {', '.join(tool.parameters)}"
    for name, value in arguments.items():
        kind = tool.parameters[name]["type"]
        if type(value) is not _TYPES[kind]:  # a boolean is no integer here
            return f"{tool.name}: {name} must be of type {kind}"
        if isinstance(value, str) and SURROGATE.search(value):
            return f"{tool.name}: {name} holds half a surrogate pair"
    return None
