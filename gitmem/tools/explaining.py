"""memory_why and memory_history: what a claim rests on, and what it said before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gitmem.answers import to_json
from gitmem.format.text import excerpt
from gitmem.tools.base import Tool, ToolAnswer
from gitmem.tools.budget import larger
from gitmem.tools.schema import AT, MAX_TOKENS, record, text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from gitmem.history.versions import VersionAnswer
    from gitmem.history.why import ExplainedAnswer, SourceAnswer
    from gitmem.tools.budget import Budget
    from gitmem.workspace import Workspace

_LONGEST_MESSAGE = 2_000


def _why(workspace: Workspace, given: Mapping[str, Any], budget: Budget) -> ToolAnswer:
    answer = workspace.why(given.get("block"), text=given.get("text"), at=given.get("at"))
    shown = budget.fitting(answer.results, lambda one: larger(_explained(one), _short(one)))
    cut = len(shown) < len(answer.results)
    lines = [_explained(one) for one in shown] or ["No claim says that."]
    if cut:
        lines.append(f"[{len(shown)} of {len(answer.results)} claims; ask for one by its id]")
    text, short = budget.cut("\n\n".join(lines))
    told = text + ("\n[cut; memory_get reads each message by its handle]" if short else "")
    data = {"revision": answer.revision, "fresh": answer.fresh, "results": [_short(one) for one in shown]}
    return ToolAnswer(told, data | {"truncated": cut or short}, truncated=cut or short)


def _explained(claim: ExplainedAnswer) -> str:
    changed = f", changed by {', '.join(commit[:12] for commit in claim.changed_by)}" if claim.changed_by else ""
    by = "" if claim.written_by is None else f"\nwritten by {claim.written_by[:12]}{changed}"
    return "\n".join((f"--- {claim.path}#^{claim.id} [{claim.trust_state}]\n{claim.content}{by}", *_notes(claim)))


def _notes(claim: ExplainedAnswer) -> Iterator[str]:
    for note in claim.evidence:
        yield f"because of ({note.when or 'undated'}):"
        yield from (_source(source) for source in note.sources)


def _source(source: SourceAnswer) -> str:
    if source.text is None:
        return f"  {source.id}: no archived message stands there"
    who = source.speaker_display or source.speaker_id or source.role
    pending = "" if source.trust_state == "trusted" else f" [{source.trust_state}]"
    return f"  {source.id}, {source.timestamp}, {who}{pending}: {excerpt(source.text, _LONGEST_MESSAGE)}"


def _short(claim: ExplainedAnswer) -> Any:  # noqa: ANN401  (JSON)
    """The claim as JSON, with messages as long as the text shows them."""
    told: Any = to_json(claim)
    for note in told["evidence"]:
        for source in note["sources"]:
            if source["text"] is not None and len(source["text"]) > _LONGEST_MESSAGE:
                source["text"] = source["text"][:_LONGEST_MESSAGE]
    return told


def _history(workspace: Workspace, given: Mapping[str, Any], budget: Budget) -> ToolAnswer:
    answer = workspace.history(given["block"], at=given.get("at"))
    newest = list(reversed(answer.versions))
    shown = budget.fitting(newest, lambda one: larger(_version(one), to_json(one)))
    cut = len(shown) < len(newest)
    state = "stands in the memory" if answer.present else "is gone from the memory"
    lines = [f"^{answer.id} {state}; {len(newest)} versions, newest first", *map(_version, shown)]
    if cut:
        lines.append(f"[{len(shown)} of {len(newest)}; ask with at for the older ones, or a larger max_tokens]")
    data = {
        "id": answer.id,
        "aliases": list(answer.aliases),
        "present": answer.present,
        "versions": to_json(tuple(reversed(shown))),
        "truncated": cut,
    }
    return ToolAnswer("\n".join(lines), data, truncated=cut)


def _version(version: VersionAnswer) -> str:
    when = f" ({version.when})" if version.when else ""
    return (
        f"{version.at} {version.event} by {version.writer or version.author}, {version.path}{when}: {version.content}"
    )


WHY = Tool(
    "memory_why",
    "Say what a claim of the memory rests on: the messages that it cites, word for word, who said them and when, and "
    "the commits that wrote it. Use it when the user asks how you know something, or doubts it.",
    record(
        {
            "block": text("The claim's id, or a topic's path for all of its claims. Either this or text."),
            "text": text("Words of the claim. Either this or block."),
            "at": AT,
            "max_tokens": MAX_TOKENS,
        }
    ),
    _why,
)

HISTORY = Tool(
    "memory_history",
    "Say what a claim said before: every version with its date and who wrote it, across moves and merges, also of a "
    "claim that is gone. Use it when the user says that something was different, or asks when it changed.",
    record(
        {"block": text("The claim's id."), "at": AT, "max_tokens": MAX_TOKENS},
        ["block"],
    ),
    _history,
)
