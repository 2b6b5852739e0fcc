"""The content of a message of Claude: a text, or a list of blocks, as pieces."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from gitmem.interop.pieces import TOOL, Piece
from gitmem.interop.placeholders import placeholder
from gitmem.interop.reading import Fault, Unreadable, kind_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_SHOWN = frozenset({"image", "document", "audio", "video", "file", "voice_note"})


def pieces_of(content: object, role: str) -> Iterator[Piece]:
    """Give the parts of a message of somebody with that role; calls, results and thoughts have role ``tool``.

    Raises ``Unreadable`` for content that is neither a text nor a list.
    """
    if isinstance(content, str):
        yield Piece(content, role)
    elif isinstance(content, list):
        for block in content:
            yield _piece(block, role)
    elif content is not None:
        raise Unreadable(Fault.BAD_FIELD, f"content must be a text or a list, not {kind_of(content)}")


def json_text(value: object) -> str:
    """Give a value as JSON, for a reader: what a tool was called with."""
    try:
        return json.dumps(value, ensure_ascii=False)
    except RecursionError:  # the parser may go a little deeper than the writer
        return "[nested too deeply]"


def _piece(block: object, role: str) -> Piece:
    if isinstance(block, str):
        return Piece(block, role)
    if not isinstance(block, dict):
        return Piece("", role)
    kind = block.get("type")
    kind = kind if isinstance(kind, str) else "text"
    if kind == "text" or (kind == "voice_note" and isinstance(block.get("text"), str)):
        return Piece(_text(block, "text"), role)
    if kind in _SHOWN:
        return Piece(placeholder(kind, block.get("title") or block.get("file_name")), role)
    return Piece(_machinery(kind, block), TOOL)


def _machinery(kind: str, block: Mapping[str, Any]) -> str:
    """The words of a thought, a call with what it was called with, or what came of it."""
    if kind.endswith("tool_use"):
        return f"{placeholder(kind, block.get('name'))} {json_text(block.get('input'))}"
    if kind.endswith("tool_result"):
        return "\n".join(_results(block.get("content")))
    return _text(block, "thinking") or _text(block, "text")


def _results(content: object) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    for part in content if isinstance(content, list) else ():
        if isinstance(part, str):
            yield part
        elif isinstance(part, dict):
            kind = part.get("type")
            yield _text(part, "text") or _text(part, "title") or placeholder(str(kind or "result"))


def _text(block: Mapping[str, Any], key: str) -> str:
    value = block.get(key)
    return value if isinstance(value, str) else ""
