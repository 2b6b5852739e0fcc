"""memory_get, memory_browse and memory_status: reading one thing whole, and seeing what there is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gitmem.answers import to_json
from gitmem.errors import Code, InvalidRequest
from gitmem.tools.base import Tool, ToolAnswer
from gitmem.tools.budget import larger
from gitmem.tools.schema import AT, MAX_TOKENS, number, record, text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitmem.search.browse import BrowseEntry
    from gitmem.tools.budget import Budget
    from gitmem.workspace import Workspace

_MOST_FILES = 100_000


def _get(workspace: Workspace, given: Mapping[str, Any], budget: Budget) -> ToolAnswer:
    answer = workspace.get(given["what"], heading=given.get("heading"), block=given.get("block"), at=given.get("at"))
    first = _first(given.get("first_line", 1))
    lines = answer.content.split("\n")
    if first > len(lines):
        message = f"there are {len(lines)} lines, so none from {first} on"
        raise InvalidRequest(Code.INVALID_ARGUMENT, message, path=answer.path)
    shown, cut = budget.cut("\n".join(lines[first - 1 :]))
    told = f"--- {answer.path} (from line {answer.line})\n{shown}"
    if cut or answer.truncated:
        following = first + shown.count("\n") + 1
        inside = cut and len(shown) < len(lines[first - 1])
        rest = f"inside line {first}; a larger max_tokens reads more of it" if inside else "between two lines"
        told += f"\n[cut {rest}; go on with first_line {following}, of {len(lines)}]"
    blocks = [one for one in answer.blocks if f"^{one.id}" in shown]
    data = {
        "revision": answer.revision,
        "fresh": answer.fresh,
        "path": answer.path,
        "kind": answer.kind,
        "line": answer.line,
        "headings": list(answer.headings),
        "content": shown,
        "blocks": budget.fitting([to_json(one) for one in blocks], str),
        "truncated": cut or answer.truncated,
    }
    return ToolAnswer(told, data, truncated=cut or answer.truncated)


def _browse(workspace: Workspace, given: Mapping[str, Any], budget: Budget) -> ToolAnswer:
    first = _first(given.get("first", 1))
    answer = workspace.browse(given.get("prefix", ""), limit=_MOST_FILES, at=given.get("at"))
    rest = answer.entries[first - 1 :]
    shown = budget.fitting(rest, lambda one: larger(_entry(one), to_json(one)))
    cut = len(shown) < len(rest)
    lines = [f"{answer.total} files below {answer.prefix or 'the root'}", *map(_entry, shown)]
    if cut:
        lines.append(f"[cut; go on with first {first + len(shown)}, or name a longer prefix]")
    data = {
        "revision": answer.revision,
        "fresh": answer.fresh,
        "prefix": answer.prefix,
        "total": answer.total,
        "truncated": cut,
        "entries": to_json(tuple(shown)),
    }
    return ToolAnswer("\n".join(lines), data, truncated=cut)


def _entry(entry: BrowseEntry) -> str:
    counts = [f"{entry.blocks} blocks"] * bool(entry.blocks) + [f"{entry.records} messages"] * bool(entry.records)
    return f"{entry.path} ({', '.join([entry.kind, *counts])}): {entry.title}"


def _status(workspace: Workspace, _given: Mapping[str, Any], budget: Budget) -> ToolAnswer:
    status = workspace.status()
    told = to_json(status)
    data = dict(told) if isinstance(told, dict) else {}
    data["dirty"] = budget.fitting(data.get("dirty", []), str)
    data["core"]["left_out"] = budget.fitting(data["core"]["left_out"], str)
    lines = [
        f"revision {status.revision}" + ("" if status.derived.fresh else " (its views are not rendered yet)"),
        f"{status.topics.blocks} claims in {status.topics.files} topics",
        f"{status.sources.records} messages in {status.sources.files} archives, {status.sources.pending} pending",
        f"core: {status.core.tokens} of {status.core.budget} tokens",
        f"{status.writer.pending_turns} turns wait to be written",
    ]
    return ToolAnswer("\n".join(lines), data)


def _first(number_given: int) -> int:
    if number_given < 1:
        message = f"the first is 1 or more, not {number_given}"
        raise InvalidRequest(Code.INVALID_ARGUMENT, message)
    return number_given


GET = Tool(
    "memory_get",
    "Read one thing whole: a topic file, a section of it, one claim with its footnotes, or an archived message as it "
    "was said. Takes the handles that the other tools give: topics/people/ada.md, a block id with or without ^, "
    "path#^id, path#source-..., provider/thread/message. Old ids of merged claims work, too.",
    record(
        {
            "what": text("A path or a handle."),
            "heading": text("Only what stands under this heading of a topic; A > B for B under A."),
            "block": text("Only this claim of the file: its id."),
            "first_line": number("The line of the content to begin with, from 1; 1 when left out."),
            "at": AT,
            "max_tokens": MAX_TOKENS,
        },
        ["what"],
    ),
    _get,
)

BROWSE = Tool(
    "memory_browse",
    "List the files of the memory with how many claims or messages each holds. Use it to see what topics there are, "
    "and before you choose a path for something new.",
    record(
        {
            "prefix": text("Only what begins so, such as topics/people/; everything when left out."),
            "first": number("The number of the file to begin with, from 1; 1 when left out."),
            "at": AT,
            "max_tokens": MAX_TOKENS,
        }
    ),
    _browse,
)

STATUS = Tool(
    "memory_status",
    "Say how the memory stands: its revision (which memory_update needs), how much it holds, and what waits.",
    record({"max_tokens": MAX_TOKENS}),
    _status,
)
