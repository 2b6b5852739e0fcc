"""ChatGPT's ``conversations.json``: a list of conversations, or one, each a tree of messages (``cli.md``, Inputs).

The export is one JSON document and is loaded whole; memory is a few times the file's size.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gitmem.conversations.model import SessionId
from gitmem.interop.chatgpt_message import read_message
from gitmem.interop.format import Format
from gitmem.interop.lines import objects_of
from gitmem.interop.reading import Current, Draft, Fault, Place, Skipped, Unreadable, kind_of, sound_handle

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
    try:
        with document.open() as stream:
            found = json.loads(stream.read())
    except UnicodeDecodeError as error:
        yield document.place().error(Fault.NOT_UTF8, f"the file is not UTF-8 at byte {error.start}")
        return
    except json.JSONDecodeError as error:
        yield document.place(error.lineno).error(Fault.INVALID_JSON, f"the file is not JSON: {error.msg}")
        return
    except (RecursionError, ValueError):
        yield document.place().error(
            Fault.INVALID_JSON, "the file is nested too deeply, or holds a number that is too long"
        )
        return
    for index, conversation in enumerate(found if isinstance(found, list) else [found], start=1):
        yield from _read_conversation(conversation, document.place(item=f"conversation {index}"))


def looks_like_chatgpt(sample: Sample) -> bool:
    """Whether a list or an object holds a tree of messages, and is no line of a turn."""
    start = sample.head.lstrip()
    if not start.startswith((b"[", b"{")) or not _TREE.search(start):
        return False
    return start[:1] == b"[" or not any("content" in found for found in objects_of(start.split(b"\n", 1)[0]))


def _read_conversation(conversation: object, place: Place) -> Iterator[Reading]:
    try:
        session, nodes = _open(conversation)
    except Unreadable as error:
        yield place.error(error.code, str(error))
        return
    tree = _Tree(session, nodes, place)
    yield from tree.read()
    current = conversation.get("current_node") if isinstance(conversation, dict) else None
    if isinstance(current, str) and (kept := tree.kept_at_or_above(current)) in tree.kept and kept is not None:
        yield Current(session, kept)


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
    """One conversation's nodes; ``kept`` are those that became turns."""

    def __init__(self, session: SessionId, nodes: Mapping[str, Any], place: Place) -> None:
        self._session = session
        self._nodes = nodes
        self._place = place
        self.kept: set[str] = set()

    def read(self) -> Iterator[Reading]:
        """Read the messages, then give them with the parents that were kept."""
        drafts: list[Draft] = []
        for name, node in self._nodes.items():
            place = Place(self._place.file, item=f"{self._place.item}, message {name[:80]}")
            try:
                found, problem = read_message(self._session, name, node, place)
            except Unreadable as error:
                yield place.error(error.code, str(error))
                continue
            if problem is not None:
                yield problem
            if found is None:
                yield Skipped(self._session)
            else:
                self.kept.add(name)
                drafts.append(found)
        shortcuts: dict[str, str | None] = {}
        for draft in drafts:
            yield replace(draft, parent=self.kept_at_or_above(_parent_of(self._nodes[draft.id]), shortcuts))

    def kept_at_or_above(self, name: str | None, shortcuts: dict[str, str | None] | None = None) -> str | None:
        """The node itself if it was kept, else the nearest one above that was.

        ``None`` above the root; a name that the export does not have is given back as it is.
        """
        known = {} if shortcuts is None else shortcuts
        passed: dict[str, None] = {}
        while name is not None and name in self._nodes and name not in self.kept:
            if name in known:
                name = known[name]
                break
            if name in passed:  # a circle of nodes without text leads nowhere
                name = None
                break
            passed[name] = None
            name = _parent_of(self._nodes[name])
        known.update(dict.fromkeys(passed, name))
        return name


def _parent_of(node: object) -> str | None:
    parent = node.get("parent") if isinstance(node, dict) else None
    return parent if isinstance(parent, str) else None


FORMAT = Format(NAME, read_chatgpt, looks_like_chatgpt)
