"""Calling a tool with whatever a model says: everything that is wrong with it is an answer, nothing raises."""

from __future__ import annotations

import dataclasses
import json
import logging
from typing import TYPE_CHECKING, Any

from gitmem.checks.secret_masking import masked_object
from gitmem.errors import Code, Disabled, GitmemError, InvalidRequest, NotAllowed
from gitmem.tools.base import ToolAnswer
from gitmem.tools.budget import Budget
from gitmem.tools.registry import TOOLS, tools_for

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitmem.tools.base import Schema, Tool
    from gitmem.workspace import Workspace

MOST_ARGUMENT_CHARACTERS = 1_000_000
"""How large all arguments together may be."""

BUG = "INTERNAL_ERROR"

_LONGEST_PROBLEM = 300
_LONGEST_TEXT = 2_000
_MOST_FINDINGS = 20

_LOG = logging.getLogger("gitmem.tools")
_LOG.addHandler(logging.NullHandler())  # a host that wants to hear of it says so; nothing is printed otherwise


def call(workspace: Workspace, name: str, arguments: Mapping[str, Any] | None = None) -> ToolAnswer:
    """Do what a model asks for, on behalf of the workspace's caller.

    ``arguments`` are JSON values. Unknown tools and arguments, wrong types and sizes, what is not allowed or not there:
    each is an answer with ``is_error`` and a code of the closed list. So is a bug, as ``INTERNAL_ERROR``.
    """
    try:
        tool = _found(workspace, name)
        given = _checked(tool.schema, arguments)
        return tool.run(workspace, given, Budget.of(given.get("max_tokens")))
    except GitmemError as error:
        return _refused(error)
    except Exception as bug:  # noqa: BLE001  (whatever a model says, its host goes on)
        _LOG.exception("a tool failed")
        message = f"this is a bug in gitmem ({type(bug).__name__}); what was asked for may not have been done"
        return ToolAnswer(f"error: {message} [{BUG}]", {"code": BUG, "message": message}, is_error=True)


def failure(error: GitmemError) -> dict[str, Any]:
    """An error as the JSON object that surfaces show, without secrets, and without all of a text that it quotes."""
    told = {
        "code": error.code,
        "message": error.message,
        "path": error.path,
        "retryable": error.retryable,
        "details": dict(error.details),
        "findings": [dataclasses.asdict(finding) for finding in error.findings[:_MOST_FINDINGS]],
    }
    return {key: _brief(value) for key, value in masked_object(told).items()}


def _refused(error: GitmemError) -> ToolAnswer:
    told = failure(error)
    lines = [f"error: {told['message']} [{error.code}]"]
    lines += [f"- {one['path'] or ''}:{one['line'] or ''}: {one['message']} ({one['fix']})" for one in told["findings"]]
    if len(error.findings) > _MOST_FINDINGS:
        lines.append(f"[{_MOST_FINDINGS} of {len(error.findings)} findings]")
    return ToolAnswer("\n".join(lines), told, is_error=True)


def _brief(value: Any) -> Any:  # noqa: ANN401  (any JSON value)
    """The same with the beginnings of its texts: an error may quote an argument of any length."""
    if isinstance(value, str):
        return value if len(value) <= _LONGEST_TEXT else f"{value[:_LONGEST_TEXT]}…"
    if isinstance(value, dict):
        return {key: _brief(item) for key, item in value.items()}
    return [_brief(item) for item in value] if isinstance(value, list) else value


def _found(workspace: Workspace, name: object) -> Tool:
    config = workspace.config
    if config.backend == "none":
        raise Disabled(Code.MEMORY_DISABLED, "memory is switched off: gitmem.backend is none")
    offered = {tool.name: tool for tool in tools_for(workspace.authority)}
    if isinstance(name, str) and name in offered:
        return offered[name]
    if name in {tool.name for tool in TOOLS}:
        message = f"{name} is not for this caller; ask the owner to do it"
        raise NotAllowed(Code.NOT_ALLOWED, message)
    message = f"there is no tool {str(name)[:_LONGEST_PROBLEM]!r}; there are {', '.join(offered)}"
    raise InvalidRequest(Code.INVALID_ARGUMENT, message)


def _checked(schema: Schema, arguments: object) -> Mapping[str, Any]:
    """The arguments, if they fit the schema. ``null`` stands for an argument that is left out."""
    from jsonschema import Draft202012Validator  # noqa: PLC0415  (only where a tool is called)

    given = {} if arguments is None else arguments
    if not isinstance(given, dict):
        raise InvalidRequest(Code.INVALID_ARGUMENT, "the arguments of a tool are a JSON object")
    given = {key: value for key, value in given.items() if value is not None}
    try:
        text = json.dumps(given, ensure_ascii=False, allow_nan=False)
        text.encode()  # which a half of a surrogate pair cannot be
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidRequest(Code.INVALID_ARGUMENT, "the arguments of a tool are JSON values") from error
    size = len(text)
    if size > MOST_ARGUMENT_CHARACTERS:
        message = f"the arguments are {size:,} characters; {MOST_ARGUMENT_CHARACTERS:,} are allowed"
        raise InvalidRequest(Code.INVALID_ARGUMENT, message)
    unknown = sorted(set(given) - set(schema["properties"]))
    if unknown:
        message = f"there is no argument {unknown[0][:_LONGEST_PROBLEM]!r}; there are {', '.join(schema['properties'])}"
        raise InvalidRequest(Code.INVALID_ARGUMENT, message)
    problem = next(iter(Draft202012Validator(schema).iter_errors(given)), None)
    if problem is not None:
        where = ".".join(map(str, problem.absolute_path)) or "the arguments"
        message = f"{where}: {problem.message[:_LONGEST_PROBLEM]}"
        raise InvalidRequest(Code.INVALID_ARGUMENT, message)
    return {key: _whole(value) for key, value in given.items()}


def _whole(value: Any) -> Any:  # noqa: ANN401  (any JSON value)
    """The same with ``1`` for ``1.0``: JSON Schema counts both as integers, and JSON knows no difference."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: _whole(item) for key, item in value.items()}
    return [_whole(item) for item in value] if isinstance(value, list) else value
