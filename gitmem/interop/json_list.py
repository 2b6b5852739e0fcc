"""An export that is one JSON list of conversations, or one conversation: conversation by conversation."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gitmem.interop.json_stream import BadJson, Cut, JsonStream
from gitmem.interop.reading import Fault, Place, ReadError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from gitmem.interop.document import Document

_MORE = "something follows the end of the document, and is not read"


def conversations_in(document: Document) -> Iterator[tuple[Place, object] | ReadError]:
    """Give each conversation with its place, or what is wrong with it; where the rest is lost, that is one error.

    Holds one conversation at a time. Raises ``OSError``.
    """
    with document.open() as stream:
        found = JsonStream(stream)
        try:
            yield from _each(document, found)
            if found.peek():
                yield document.place().error(Fault.INVALID_JSON, _MORE)
        except Cut as error:
            yield document.place(error.line).error(error.code, f"nothing from here on can be read: {error}")


def message_place(conversation: Place, name: str) -> Place:
    """Say where a message of a conversation stands."""
    return Place(conversation.file, item=f"{conversation.item}, message {name[:80]}")


def objects_in(value: object) -> Iterator[Mapping[str, Any]]:
    """Give the objects of a list; nothing for what is no list."""
    yield from (item for item in value if isinstance(item, dict)) if isinstance(value, list) else ()


def _each(document: Document, found: JsonStream) -> Iterator[tuple[Place, object] | ReadError]:
    if found.peek() != "[":
        yield _taken(document.place(item="conversation 1"), found)
        return
    for number in found.elements():
        yield _taken(document.place(item=f"conversation {number}"), found)


def _taken(place: Place, found: JsonStream) -> tuple[Place, object] | ReadError:
    try:
        return place, found.value()
    except Cut:
        raise
    except BadJson as error:
        return replace(place, line=error.line).error(error.code, f"the conversation cannot be read: {error}")
