"""Claude's ``conversations.json``: a list of conversations, each a list of messages (``cli.md``, ``ingest``)."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gitmem.conversations.model import SessionId
from gitmem.interop.ancestry import Ancestry
from gitmem.interop.blocks import pieces_of
from gitmem.interop.format import Format
from gitmem.interop.json_list import conversations_in, message_place, objects_in
from gitmem.interop.pieces import Message, Piece, drafts_of
from gitmem.interop.placeholders import placeholder
from gitmem.interop.reading import Current, Fault, ReadError, Skipped, Unreadable, kind_of, sound_handle
from gitmem.interop.times import time_or_problem

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from gitmem.interop.document import Document, Sample
    from gitmem.interop.reading import Draft, Place, Reading

NAME = "claude"
PROVIDER = "claude"

_MESSAGES = re.compile(rb'"chat_messages"\s*:\s*\[')
_ROLES = {"human": "user", "user": "user", "assistant": "assistant", "system": "system"}
_FILES = ("attachments", "files", "files_v2")
_NOTHING_ABOVE = re.compile(r"0{8}-0{4}-[04]0{3}-[08]0{3}-0{12}")
"""What the first message of a conversation names as its parent."""


def read_claude(document: Document, _session: SessionId | None = None) -> Iterator[Reading]:
    """Read an export: the thread is the conversation's id, a turn's id its message's.

    A message that names its parent follows it, so that edits and retries are branches; others follow the one before.
    Raises ``OSError`` when the file cannot be read.
    """
    for found in conversations_in(document):
        if isinstance(found, ReadError):
            yield found
        else:
            yield from _read_conversation(*found)


def looks_like_claude(sample: Sample) -> bool:
    """Whether a list or an object holds a list of messages under Claude's name for it."""
    return sample.head.lstrip().startswith((b"[", b"{")) and _MESSAGES.search(sample.head) is not None


def _read_conversation(place: Place, conversation: object) -> Iterator[Reading]:
    try:
        session, messages = _open(conversation)
    except Unreadable as error:
        yield place.error(error.code, str(error))
        return
    thread = _Thread(session)
    for number, message in enumerate(messages, start=1):
        yield from thread.take(message, message_place(place, _name(message) or str(number)))
    yield from thread.turns()
    current = conversation.get("current_leaf_message_uuid") if isinstance(conversation, dict) else None
    if isinstance(current, str) and (turn := thread.ancestry.kept_turn_at(current)):
        yield Current(session, turn)


def _open(conversation: object) -> tuple[SessionId, list[object]]:
    if not isinstance(conversation, dict):
        raise Unreadable(Fault.NOT_A_CONVERSATION, f"a conversation is an object, not {kind_of(conversation)}")
    messages, name = conversation.get("chat_messages"), conversation.get("uuid")
    if not isinstance(messages, list):
        raise Unreadable(Fault.NOT_A_CONVERSATION, "the conversation has no list of messages")
    if not isinstance(name, str):
        raise Unreadable(Fault.NOT_A_CONVERSATION, "the conversation has no id")
    session = SessionId(PROVIDER, name)
    sound_handle(session, "x")
    return session, messages


class _Thread:
    """One conversation: its messages are taken, then given with the parents that were kept."""

    def __init__(self, session: SessionId) -> None:
        self._session = session
        self._last: str | None = None
        self._taken: list[tuple[str | None, list[Draft]]] = []
        self.ancestry = Ancestry()

    def take(self, message: object, place: Place) -> Iterator[Reading]:
        """Read one message; what follows a broken one follows what that followed."""
        name, parent = _name(message), self._parent_of(message)
        drafts: list[Draft] = []
        try:
            drafts, problem = self._read(message, name, place)
        except Unreadable as error:
            yield place.error(error.code, str(error))
        else:
            yield from () if problem is None else (problem,)
            yield from () if drafts else (Skipped(self._session),)
        if name is not None:
            self._note(name, parent, drafts)

    def turns(self) -> Iterator[Draft]:
        """Give the turns in the order of the file."""
        for parent, drafts in self._taken:
            yield replace(drafts[0], parent=self.ancestry.turn_at(parent))
            yield from drafts[1:]

    def _read(self, message: object, name: str | None, place: Place) -> tuple[list[Draft], ReadError | None]:
        if not isinstance(message, dict):
            raise Unreadable(Fault.NOT_A_TURN, f"a message is an object, not {kind_of(message)}")
        if name is None:
            raise Unreadable(Fault.BAD_ID, "the message has no id")
        timestamp, problem = time_or_problem(message.get("created_at"), place)
        before = self._taken[-1][1][-1].id if self._taken else None
        return drafts_of(Message(self._session, name, None, place, timestamp, before), _pieces(message)), problem

    def _parent_of(self, message: object) -> str | None:
        stated = message.get("parent_message_uuid") if isinstance(message, dict) else None
        if not isinstance(stated, str):
            return self._last
        return None if _NOTHING_ABOVE.fullmatch(stated) else stated

    def _note(self, name: str, parent: str | None, drafts: list[Draft]) -> None:
        self._last = name
        if drafts:
            self.ancestry.keep(name, drafts[-1].id)
            self._taken.append((parent, drafts))
        else:
            self.ancestry.skip(name, parent)


def _name(message: object) -> str | None:
    name = message.get("uuid") if isinstance(message, dict) else None
    return name if isinstance(name, str) and name else None


def _pieces(message: Mapping[str, Any]) -> Iterator[Piece]:
    """What was said with the machinery in between, then a placeholder for every file."""
    sender = message.get("sender")
    if not isinstance(sender, str) or sender not in _ROLES:
        raise Unreadable(Fault.BAD_FIELD, f"{str(sender)[:40]!r} is nobody who sends messages")
    role = _ROLES[sender]
    pieces = [piece for piece in pieces_of(message.get("content"), role) if piece.text.strip()]
    yield from pieces or pieces_of(message.get("text"), role)
    names = (file.get("file_name") for key in _FILES for file in objects_in(message.get(key)))
    for name in dict.fromkeys(name if isinstance(name, str) else "" for name in names):
        yield Piece(placeholder("attachment", name), role)


FORMAT = Format(NAME, read_claude, looks_like_claude, one_by_one=True)
