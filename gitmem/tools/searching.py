"""memory_search and memory_grep: what the memory says about something."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gitmem.answers import to_json
from gitmem.format.layout import anchor
from gitmem.ids import SourceId
from gitmem.search.hits import BLOCK
from gitmem.tools.base import Tool, ToolAnswer
from gitmem.tools.budget import larger
from gitmem.tools.schema import AT, MAX_TOKENS, number, record, switch, text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitmem.search.grep import Line
    from gitmem.search.hits import Hit
    from gitmem.tools.budget import Budget
    from gitmem.workspace import Workspace

USUAL_RESULTS = 5
MOST_RESULTS = 10


def _search(workspace: Workspace, given: Mapping[str, Any], budget: Budget) -> ToolAnswer:
    k = given.get("k", USUAL_RESULTS)
    answer = workspace.search(
        given["query"],
        k=min(k, MOST_RESULTS),  # what is no number of results at all is refused by the search
        path=given.get("path"),
        first=given.get("from"),
        last=given.get("to"),
        speaker=given.get("speaker"),
        topics_only=given.get("topics_only", False),
        at=given.get("at"),
    )
    facts = workspace.memory(given.get("at")).facts

    def show(hit: Hit) -> str:
        found = facts.source(SourceId(hit.id)) if hit.kind != BLOCK else None
        return _hit(hit, anchor(SourceId(hit.id)) if found is None else found.anchor)

    shown = budget.fitting(answer.results, lambda hit: larger(show(hit), to_json(hit)), _shorter_hit)
    more = answer.truncated or shown != list(answer.results)
    lines = [show(hit) for hit in shown] or ["Nothing in the memory says that."]
    if more:
        lines.append(
            f"[{len(shown)} of more results; ask with other words, a path or dates, or a larger k or max_tokens]"
        )
    data = _fields(answer) | {"results": to_json(tuple(shown)), "truncated": more}
    return ToolAnswer("\n\n".join(lines), data, truncated=more)


def _hit(hit: Hit, place: str) -> str:
    """As ``behaviours.md`` 16.10 has it: where, who, what."""
    when = f" ({hit.when})" if hit.when else ""
    pending = "" if hit.trust_state == "trusted" else f" [{hit.trust_state}: nobody vouches for it]"
    if hit.kind == BLOCK:
        headings = f"\n{' > '.join(hit.headings)}" if hit.headings else ""
        return f"--- {hit.path}#^{hit.id}{when}{pending}{headings}\n{hit.content}"
    speaker = {
        "speaker_trusted": hit.speaker_trusted,
        "id": hit.speaker_id,
        "display": hit.speaker_display,
        "pending": hit.trust_state != "trusted",
        "tier": hit.visibility,
    }
    said = json.dumps(speaker, ensure_ascii=False)
    return f"--- {hit.path}#{place}{when}{pending}\nspeaker: {said}\n{hit.content}"


def _shorter_hit(hit: Hit, size: int) -> Hit:
    return replace(hit, content=f"{hit.content[:size]}… [memory_get reads it whole]")


def _shorter_line(line: Line, size: int) -> Line:
    return replace(line, text=f"{line.text[:size]}… [memory_get reads it whole]")


def _grep(workspace: Workspace, given: Mapping[str, Any], budget: Budget) -> ToolAnswer:
    answer = workspace.grep(
        given["text"],
        path=given.get("path"),
        ignore_case=given.get("ignore_case", False),
        is_regex=given.get("regex", False),
        at=given.get("at"),
    )
    shown = budget.fitting(answer.results, lambda line: larger(_line(line), to_json(line)), _shorter_line)
    more = answer.truncated or shown != list(answer.results)
    lines = [_line(line) for line in shown] or ["No line holds that."]
    if more:
        lines.append(f"[{len(shown)} of more lines; name a path, or give a longer text or a larger max_tokens]")
    data = _fields(answer) | {"results": to_json(tuple(shown)), "truncated": more}
    return ToolAnswer("\n".join(lines), data, truncated=more)


def _line(line: Line) -> str:
    named = "" if line.id is None else f" [{'^' if line.kind == BLOCK else ''}{line.id}]"
    return f"{line.path}:{line.line}{named}: {line.text}"


def _fields(answer: object) -> dict[str, Any]:
    told = to_json(answer)
    return dict(told) if isinstance(told, dict) else {}


SEARCH = Tool(
    "memory_search",
    "Search the memory for claims and archived messages by their words, best first. Use it before you say that you do "
    "not know something about the user, a person, a project or an earlier conversation. Each result begins with a "
    "handle that memory_get, memory_why and memory_history take. A result that is marked pending is what somebody said "
    "for whom nobody vouches: tell it as that. Not for exact strings: memory_grep finds those.",
    record(
        {
            "query": text("What to look for, in plain words."),
            "k": number("How many results, 1 to 10; 5 when left out."),
            "path": text("Only below this path, such as topics/people/ or sources/telegram/."),
            "from": text("Only what is of this date or later: YYYY, YYYY-MM or YYYY-MM-DD."),
            "to": text("Only what is of this date or earlier."),
            "speaker": text("Only messages of this speaker: a whole id or name."),
            "topics_only": switch("Whether archived messages are left out; false when left out."),
            "at": AT,
            "max_tokens": MAX_TOKENS,
        },
        ["query"],
    ),
    _search,
)

GREP = Tool(
    "memory_grep",
    "Find the lines of topics and archived messages that hold an exact text: a name, a number, a phrase. Use "
    "memory_search when you do not know the words.",
    record(
        {
            "text": text("The text, in one line."),
            "path": text("Only below this path."),
            "ignore_case": switch("Whether upper and lower case are the same; false when left out."),
            "regex": switch("Whether the text is a regular expression; false when left out. It is bounded in time."),
            "at": AT,
            "max_tokens": MAX_TOKENS,
        },
        ["text"],
    ),
    _grep,
)
