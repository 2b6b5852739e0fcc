"""One line of a Codex rollout: what of it somebody said, and what is machinery."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gitmem.interop.blocks import json_text
from gitmem.interop.pieces import RUNTIME, TOOL, Piece
from gitmem.interop.placeholders import placeholder

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_ROLES = {"user": "user", "assistant": "assistant", "system": "system", "developer": "system", "tool": TOOL}
_TYPES = frozenset({"session_meta", "response_item", "event_msg", "compacted", "turn_context"})
_BY_PROGRAM = re.compile(
    r"\s*(?:# AGENTS\.md instructions|<(?P<tag>[A-Za-z][\w. -]{0,60})(?:\s[^<>]*)?>.*</(?P=tag)>\s*\Z)", re.DOTALL
)
"""Instructions and what surrounds the session: sent in the person's name, typed by nobody."""


@dataclass(frozen=True, slots=True)
class Told:
    """What is known of a file before it is read: the ``roles`` that have items, and the texts that were ``typed``.

    ``by_program`` says that it is the work of a subagent, to whom no person speaks.
    """

    roles: frozenset[str] = frozenset()
    typed: frozenset[int] = frozenset()
    by_program: bool = False


def event_of(fields: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """Give a line's kind with its payload; in old files the line is the payload. An empty kind says nothing."""
    kind, payload = fields.get("type"), fields.get("payload")
    if isinstance(payload, dict):
        return (kind if isinstance(kind, str) else ""), payload
    if isinstance(kind, str):
        return ("" if kind in _TYPES else "response_item"), fields
    return ("session_meta" if isinstance(fields.get("id"), str) else ""), fields


def is_subagent(head: Mapping[str, Any]) -> bool:
    """Whether the session's head says that another session started it."""
    source = head.get("source")
    return isinstance(source, dict) and "subagent" in source


def undone_by(kind: str, payload: Mapping[str, Any]) -> int:
    """How many of the person's messages an event takes back."""
    count = payload.get("num_turns") if payload.get("type") == "thread_rolled_back" else None
    return count if kind == "event_msg" and type(count) is int and count > 0 else 0


def pieces_of_event(kind: str, payload: Mapping[str, Any], told: Told) -> list[Piece]:
    """Give the parts of an event; none for one that says nothing."""
    pieces: list[Piece] = []
    if kind == "response_item":
        pieces = list(_item(payload, told))
    elif kind == "event_msg":
        pieces = list(_event(payload, told))
    elif kind == "compacted":
        pieces = [Piece(_text(payload, "message"), "system")]
    return [Piece(piece.text, piece.role, RUNTIME) for piece in pieces] if told.by_program else pieces


def _item(item: Mapping[str, Any], told: Told) -> Iterator[Piece]:
    kind = _text(item, "type")
    if kind == "message":
        role = _ROLES.get(_text(item, "role"), "system")
        for text in _texts(item.get("content")):
            injected = role == "user" and hash(text) not in told.typed and _BY_PROGRAM.match(text)
            yield Piece(text, role, RUNTIME if injected else None)
    elif kind == "reasoning":
        yield from (Piece(text, TOOL) for key in ("summary", "content") for text in _texts(item.get(key)))
    elif kind.endswith("_output"):
        yield from (Piece(text, TOOL) for text in _texts(item.get("output")))
    elif kind.endswith("_call"):
        yield Piece(f"{placeholder(kind, item.get('name'))} {_called_with(item)}", TOOL)


def _event(event: Mapping[str, Any], told: Told) -> Iterator[Piece]:
    """A message that the file has for whoever watched and not as an item, as some versions wrote it."""
    kind, text = event.get("type"), _text(event, "message")
    if kind == "user_message" and "user" not in told.roles:
        yield Piece(text, "user", None if event.get("kind") in (None, "plain") else RUNTIME)
    elif kind == "agent_message" and "assistant" not in told.roles:
        yield Piece(text, "assistant")


def _called_with(item: Mapping[str, Any]) -> str:
    given = next((item[key] for key in ("arguments", "input", "action") if key in item), "")
    return given if isinstance(given, str) else json_text(given)


def _texts(content: object) -> Iterator[str]:
    """The texts of a content: a text, a list of parts, or an object that holds either."""
    if isinstance(content, dict) and "content" in content:
        content = content["content"]
    for part in content if isinstance(content, list) else (content,):
        if isinstance(part, str):
            yield part
        elif isinstance(part, dict):
            shows = _text(part, "type").endswith("image")
            yield placeholder("image") if shows else _text(part, "text")


def _text(fields: Mapping[str, Any], key: str) -> str:
    value = fields.get(key)
    return value if isinstance(value, str) else ""
