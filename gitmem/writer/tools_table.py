"""What the tools are called, and what they take."""

from __future__ import annotations

from dataclasses import dataclass

Parameter = dict[str, str]
"""A JSON schema: ``type`` and ``description``."""


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """One tool as a model is told of it."""

    name: str
    description: str
    parameters: dict[str, Parameter]
    required: tuple[str, ...]

    @property
    def schema(self) -> dict[str, object]:
        """The JSON schema of its arguments."""
        properties = {name: dict(parameter) for name, parameter in self.parameters.items()}
        needed = {"required": list(self.required)} if self.required else {}  # older drafts know no empty list
        return {"type": "object", "properties": properties, **needed, "additionalProperties": False}


def _text(description: str) -> Parameter:
    return {"type": "string", "description": description}


def _number(description: str) -> Parameter:
    return {"type": "integer", "description": description}


def _switch(description: str) -> Parameter:
    return {"type": "boolean", "description": description}


_FILE = _text("A topic file, such as topics/people/ada.md.")

TOOLS = (
    ToolSpec(
        "List",
        "List a folder of topics: its files, and its folders with a slash behind them.",
        {"folder": _text("The folder; topics when left out.")},
        (),
    ),
    ToolSpec(
        "Glob",
        "Find topic files by their path. * and ? stay inside a name, ** crosses folders.",
        {"pattern": _text("Such as topics/people/*.md or **/*budget*.md.")},
        ("pattern",),
    ),
    ToolSpec(
        "Grep",
        "Find lines of topics by a regular expression. Each row is path:line:text; at most 500 rows.",
        {
            "pattern": _text("The regular expression, of one line."),
            "path": _text("The folder or file to look in; topics when left out."),
            "ignore_case": _switch("Whether upper and lower case are the same; false when left out."),
            "literal": _switch("Whether the pattern is plain text; false when left out."),
        },
        ("pattern",),
    ),
    ToolSpec(
        "Read",
        "Read a topic file, at most 200,000 characters at once.",
        {
            "path": _FILE,
            "first_line": _number("The line to begin with, from 1; 1 when left out."),
            "lines": _number("How many lines; all when left out."),
        },
        ("path",),
    ),
    ToolSpec(
        "Write",
        "Create a topic file, or replace all of one that you have read. Folders are made as needed.",
        {"path": _FILE, "content": _text("The whole text of the file.")},
        ("path", "content"),
    ),
    ToolSpec(
        "Edit",
        "Replace a text in a topic file. The old text must be there exactly once, unless replace_all is true.",
        {
            "path": _FILE,
            "old_string": _text("The text to replace, exactly as it stands, line ends included."),
            "new_string": _text("The text in its place; empty to delete it."),
            "replace_all": _switch("Whether to replace it wherever it stands; false when left out."),
        },
        ("path", "old_string", "new_string"),
    ),
    ToolSpec(
        "Move",
        "Rename a topic file, or move it to another folder. Links to it and in it are kept right.",
        {"path": _FILE, "to": _text("Its new path, where no file stands.")},
        ("path", "to"),
    ),
    ToolSpec(
        "Remove",
        "Remove a block, or a whole topic file, that you have read; or say why a block that is gone already is gone.",
        {
            "what": _text("A block's id such as ^f888f60e, or a file's path."),
            "reason": _text("Why: superseded or merged (by or into what), wrong, transient, or over."),
        },
        ("what", "reason"),
    ),
    ToolSpec(
        "NothingToRecord",
        "Say that the material holds nothing for the memory. Call this instead of changing anything, then finish.",
        {"reason": _text("Why, in one sentence.")},
        ("reason",),
    ),
)
"""The tools, in the order in which a model is told of them."""
