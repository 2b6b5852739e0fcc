"""Telegram Desktop's ``result.json``: one chat, or everything that an account has (``docs/ingest.md``, Telegram).

The file is read message by message, after a look at what the chats are called: keys may come in any order.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from gitmem.conversations.model import SessionId
from gitmem.interop.chain import Chain, RepeatIds, session_called
from gitmem.interop.format import Format
from gitmem.interop.json_stream import BadJson, Cut, JsonStream
from gitmem.interop.lines import objects_of
from gitmem.interop.reading import Fault, Skipped, Unreadable
from gitmem.interop.telegram_message import Chat, read_message

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from gitmem.interop.document import Document, Sample
    from gitmem.interop.reading import Reading

NAME = "telegram"
PROVIDER = "telegram"

_HEADER = frozenset({"name", "type", "id"})
_LISTS = frozenset({"chats", "left_chats"})
_PERSON, _BOT = "personal_chat", "bot_chat"
_SIGNS = re.compile(
    rb'"(?:date_unixtime|from_id|text_entities|personal_information|frequent_contacts)"\s*:'
    rb'|"type"\s*:\s*"(?:personal_chat|bot_chat|saved_messages|(?:private|public)_(?:group|supergroup|channel))"'
)
_PARTS = re.compile(rb'"(?:messages"\s*:\s*\[|(?:left_)?chats"\s*:\s*\{|personal_information"\s*:)')


def read_telegram(document: Document, session: SessionId | None = None) -> Iterator[Reading]:
    """Read an export: the thread is the chat's id, a turn's id is its message's.

    ``session`` names a chat that has neither id nor name. Notices and messages that say nothing are skipped. Raises
    ``OSError`` when the file cannot be read.
    """
    headers = _headers(document)
    named = session or session_called(PROVIDER, document.stem)
    is_empty = True
    with document.open() as stream:
        json = JsonStream(stream)
        try:
            for where, key in _walk(json):
                if key == "messages":
                    is_empty = False
                    yield from _read_messages(document, json, where, _chat(headers[where], named))
        except BadJson as error:
            yield document.place(error.line).error(error.code, f"what follows cannot be read: {error}")
            return
    if is_empty:
        yield document.place().error(Fault.NOT_A_CONVERSATION, "the file holds no list of messages")


def looks_like_telegram(sample: Sample) -> bool:
    """Whether an object holds messages or chats with what only Telegram writes, and is no line of a turn."""
    start = sample.head.lstrip()
    if not start.startswith(b"{") or not _PARTS.search(start) or not _SIGNS.search(start):
        return False
    return not any("content" in found for found in objects_of(start.split(b"\n", 1)[0]))


def _walk(json: JsonStream, where: str = "") -> Iterator[tuple[str, str]]:
    """Stop before every value that says something of a chat: give the chat's place, and the value's name."""
    if json.peek() != "{":
        return
    for key in json.keys():  # noqa: SIM118 - a place in a document, no mapping
        if key in _HEADER or (key == "messages" and json.peek() == "["):
            yield where, key
        elif key in _LISTS and not where and json.peek() == "{":
            yield from _walk_list(json, key.replace("_", " ").removesuffix("s"))


def _walk_list(json: JsonStream, kind: str) -> Iterator[tuple[str, str]]:
    for key in json.keys():  # noqa: SIM118 - a place in a document, no mapping
        if key == "list" and json.peek() == "[":
            for number in json.elements():
                yield from _walk(json, f"{kind} {number}, ")


def _headers(document: Document) -> dict[str, dict[str, Any]]:
    """What every chat says of itself; where the file cannot be read, that is said when its messages are."""
    found: dict[str, dict[str, Any]] = {}
    with document.open() as stream:
        json = JsonStream(stream)
        try:
            for where, key in _walk(json):
                header = found.setdefault(where, {})
                if key in _HEADER:
                    header[key] = _value(json)
        except Cut:
            pass
    return found


def _value(json: JsonStream) -> object:
    try:
        return json.value()
    except Cut:
        raise
    except BadJson:
        return None


def _chat(header: Mapping[str, Any], named: SessionId) -> Chat:
    number, name = header.get("id"), header.get("name")
    if type(number) is int:
        other, kind = str(number), header.get("type")
        return Chat(SessionId(PROVIDER, other), other if kind == _PERSON else None, other if kind == _BOT else None)
    called = next((text for text in (number, name) if isinstance(text, str) and text), None)
    return Chat(named if called is None else session_called(PROVIDER, called))


def _read_messages(document: Document, json: JsonStream, where: str, chat: Chat) -> Iterator[Reading]:
    chain, ids = Chain(chat.session), RepeatIds()
    for number in json.elements():
        place = document.place(item=f"{where}message {number}")
        try:
            draft, problem = read_message(chat, json.value(), place, ids.id_of)
            placed = None if draft is None else chain.follow(draft)
        except Cut:
            raise
        except Unreadable as error:
            line = error.line if isinstance(error, BadJson) else None
            yield document.place(line, place.item).error(error.code, str(error))
            continue
        if problem is not None:
            yield problem
        yield Skipped(chat.session) if placed is None else placed
    yield from chain.end()


FORMAT = Format(NAME, read_telegram, looks_like_telegram, named=True, people=True, passes=2, one_by_one=True)
