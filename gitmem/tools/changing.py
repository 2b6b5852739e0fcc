"""memory_update and memory_promote: what changes the memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gitmem.answers import to_json
from gitmem.request import Position
from gitmem.tools.base import Tool, ToolAnswer
from gitmem.tools.schema import MAX_TOKENS, choice, list_of, record, switch, text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gitmem.tools.budget import Budget
    from gitmem.workspace import Workspace

OPERATIONS = ("create_record", "update_record", "delete_record", "move_records")

_SOURCE = record(
    {
        "source": text("The label of a message in sources, or the handle of an archived one."),
        "label": text("What the link says: a few words."),
    },
    ["source", "label"],
)
_DESTINATION = record(
    {
        "topic_path": text("The topic file, such as topics/people/ada.md; it is made when it is not there."),
        "headings": list_of(text("A heading."), "The headings on the way to it, outermost first; made when missing."),
        "position": choice("Where under the heading.", [str(position) for position in Position]),
        "anchor_memory_id": text("The claim that before and after are about."),
    },
    ["topic_path", "headings", "position"],
)
_OPERATION = record(
    {
        "op": choice("What to do.", OPERATIONS),
        "memory_id": text("For update_record and delete_record: the claim's id."),
        "memory_ids": list_of(text("An id."), "For move_records: the claims' ids, in the order they shall stand in."),
        "content": text("For create_record and update_record: the claim, one paragraph without headings or footnotes."),
        "time": text("When it was true: YYYY, YYYY-MM, YYYY-MM-DD or undated."),
        "sources": list_of(_SOURCE, "The messages that the claim rests on; at least one."),
        "destination": _DESTINATION,
    },
    ["op"],
)
_CHANGE = record(
    {
        "path": text("The topic file."),
        "action": choice("What to do with it.", ("write", "delete")),
        "content": text("For write: the whole file."),
    },
    ["path", "action"],
)
_NEW_SOURCE = record(
    {
        "label": text("A name for this request: new-source- and small letters, digits or dashes."),
        "role": choice("Who said it.", ("user", "assistant")),
        "content": text("What was said, word for word."),
        "timestamp": text("When, as an ISO time; nothing when it is not known."),
    },
    ["label", "role", "content"],
)


def _update(workspace: Workspace, given: Mapping[str, Any], budget: Budget) -> ToolAnswer:
    payload = {key: value for key, value in given.items() if key != "max_tokens"}
    result = workspace.update(payload, speakers=False)
    told = to_json(result)
    data = dict(told) if isinstance(told, dict) else {}
    if not result.memory_committed:
        return ToolAnswer(f"Nothing changed; the revision is {result.revision}.", data)
    ids = [f"^{block} in {key.partition('#')[0]}" for key, block in result.block_ids.items()]
    lines = [
        f"Done; the revision is {result.revision} now.",
        *([f"New claims: {_listed(ids, budget)}"] if ids else []),
        f"Changed files: {_listed(result.changed_files, budget)}",
        *([f"An autosave was left before: {result.autosave}"] if result.autosave else []),
        *budget.fitting(result.warnings, str),
    ]
    return ToolAnswer("\n".join(lines), data)


def _listed(names: Sequence[str], budget: Budget) -> str:
    shown = budget.fitting(names, str)
    return ", ".join(shown) + (f" and {len(names) - len(shown)} more" if len(shown) < len(names) else "")


def _promote(workspace: Workspace, given: Mapping[str, Any], budget: Budget) -> ToolAnswer:
    answer = workspace.promote(
        tuple(given.get("sources", ())), speaker=given.get("speaker"), paired=given.get("paired", False)
    )
    told = to_json(answer)
    shown = budget.fitting(answer.sources, lambda one: one.id)
    lines = [f"{one.id}: {'vouched for' if one.promoted else 'was trusted already'}" for one in shown]
    return ToolAnswer("\n".join(lines), dict(told) if isinstance(told, dict) else {})


UPDATE = Tool(
    "memory_update",
    "Change the memory: only for what the user asks you to remember, change or forget now, and for what is plainly "
    "wrong. Do not use it to take notes of a conversation: conversations are recorded and written up by themselves. "
    "Read first; give the revision that you read. Every claim needs evidence: put the user's own words into sources "
    "and cite them. Give exactly one of memory_changes (for single claims; prefer it), patch (a unified diff) and "
    "changes (whole files). All of it is done, or nothing.",
    record(
        {
            "base_revision": text("The revision that you read, from memory_status or a search."),
            "memory_changes": list_of(_OPERATION, "Operations on claims."),
            "patch": text("A unified diff of topic files, without fuzz."),
            "changes": list_of(_CHANGE, "Whole files."),
            "sources": list_of(_NEW_SOURCE, "Messages to archive with it, as evidence."),
            "commit_message": text("One line that says why; computed when left out."),
            "max_tokens": MAX_TOKENS,
        },
        ["base_revision"],
    ),
    _update,
)

PROMOTE = Tool(
    "memory_promote",
    "Vouch for messages of somebody whom nobody vouches for yet, so that claims may rest on them. Only when the owner "
    "has just said so, about these messages; it cannot be taken back.",
    record(
        {
            "sources": list_of(text("A handle."), "The messages' handles. Either these or speaker."),
            "speaker": text("Everything of this speaker that is pending. Either this or sources."),
            "paired": switch("Whether those the memory is shared with may see it; false when left out."),
            "max_tokens": MAX_TOKENS,
        }
    ),
    _promote,
    in_person=True,
)
