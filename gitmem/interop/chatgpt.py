"""ChatGPT's ``conversations.json``: a list of conversations, or one, each a tree of messages (``cli.md``, Inputs)."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gitmem.conversations.model import SessionId
from gitmem.interop.ancestry import Ancestry
from gitmem.interop.chatgpt_message import read_message
from gitmem.interop.format import Format
from gitmem.interop.json_list import conversations_in, message_place
from gitmem.interop.lines import objects_of
from gitmem.interop.reading import Current, Draft, Fault, Place, ReadError, Skipped, Unreadable, kind_of, sound_handle

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from gitmem.interop.document import Document, Sample
    from gitmem.interop.reading import Reading

NAME = "chatgpt"
PROVIDER = "chatgpt"
_TREE = re.compile(rb'"mapping"\s*:\s*\{')


def read_chatgpt(document: Document, _session: SessionId | None = None) -> Iterator[Reading]:
    """Read an export: the thread is the conversation's id, a turn's id is its node's.

    Nodes without text leave no turn; what follows them follows what they followed. Raises ``OSError`` when the file
    cannot be read.
    """
    for found in conversations_in(document):
        if isinstance(found, ReadError):
            yield found
        else:
            yield from _read_conversation(*found)


def looks_like_chatgpt(sample: Sample) -> bool:
    """Whether a list or an object holds a tree of messages, and is no line of a turn."""
    start = sample.head.lstrip()
    if not start.startswith((b"[", b"{")) or not _TREE.search(start):
        return False
    return start[:1] == b"[" or not any("content" in found for found in objects_of(start.split(b"\n", 1)[0]))


def _read_conversation(place: Place, conversation: object) -> Iterator[Reading]:
    try:
        session, nodes = _open(conversation)
    except Unreadable as error:
        yield place.error(error.code, str(error))
        return
    tree = _Tree(session, nodes, place)
    yield from tree.read()
    current = conversation.get("current_node") if isinstance(conversation, dict) else None
    if isinstance(current, str) and (turn := tree.ancestry.kept_turn_at(current)):
        yield Current(session, turn)


def _open(conversation: object) -> tuple[SessionId, dict[str, Any]]:
    if not isinstance(conversation, dict):
        raise Unreadable(Fault.NOT_A_CONVERSATION, f"a conversation is an object, not {kind_of(conversation)}")
    nodes = conversation.get("mapping")
    if not isinstance(nodes, dict):
        raise Unreadable(Fault.NOT_A_CONVERSATION, "the conversation has no mapping of its messages")
    name = conversation.get("conversation_id") or conversation.get("id")
    if not isinstance(name, str):
        raise Unreadable(Fault.NOT_A_CONVERSATION, "the conversation has no id")
    session = SessionId(PROVIDER, name)
    sound_handle(session, "x")
    return session, nodes


class _Tree:
    """One conversation's nodes."""

    def __init__(self, session: SessionId, nodes: Mapping[str, Any], place: Place) -> None:
        self._session = session
        self._nodes = nodes
        self._place = place
        self.ancestry = Ancestry()

    def read(self) -> Iterator[Reading]:
        """Read the messages, then give them with the parents that were kept."""
        drafts: list[Draft] = []
        for name, node in self._nodes.items():
            found: Draft | None = None
            place = message_place(self._place, name)
            try:
                found, problem = read_message(self._session, name, node, place)
            except Unreadable as error:
                yield place.error(error.code, str(error))
            else:
                yield from () if problem is None else (problem,)
                yield from () if found else (Skipped(self._session),)
            if found is None:
                self.ancestry.skip(name, _parent_of(node))
            else:
                self.ancestry.keep(name)
                drafts.append(found)
        for draft in drafts:
            yield replace(draft, parent=self.ancestry.turn_at(_parent_of(self._nodes[draft.id])))


def _parent_of(node: object) -> str | None:
    parent = node.get("parent") if isinstance(node, dict) else None
    return parent if isinstance(parent, str) else None


FORMAT = Format(NAME, read_chatgpt, looks_like_chatgpt, one_by_one=True)
