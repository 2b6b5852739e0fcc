"""The nodes of one OpenProgram session, as turns (``behaviours.md`` 8.1, 8.13, 9.2, 9.4)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from gitmem.format.turn import value_problem
from gitmem.interop.ancestry import Ancestry
from gitmem.interop.blocks import pieces_of
from gitmem.interop.pieces import Message, drafts_of
from gitmem.interop.reading import Draft, Fault, Skipped, Unreadable, Written, kind_of, sound_text
from gitmem.interop.times import time_or_problem

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from gitmem.conversations.model import SessionId
    from gitmem.interop.reading import Place, ReadError, Reading

WRITTEN = "memory_written_scriptorium"

_IDS = ("id", "node_id", "message_id")
_PARENTS = ("parent", "parent_id", "predecessor", "predecessor_id")
_TIMES = ("timestamp", "created_at")
_CONTENTS = ("content", "text", "output")
_ROLES = {"human": "user", "llm": "assistant", "code": "tool", "function": "tool"}
_FIELDS = frozenset({WRITTEN, "speaker_id", "speaker_display", "authority", "display", "source"})
"""What a node's metadata says that has a place of its own in a turn, or says nothing of what was said."""


class _Node(NamedTuple):
    """The turns of a node, the first without its parent, and the name of the node that it follows."""

    drafts: list[Draft]
    parent: str | None


class Graph:
    """A session as it is read: nodes are taken, and given as turns that follow those that were kept."""

    def __init__(self, session: SessionId) -> None:
        """Begin with no nodes."""
        self.session = session
        self.ancestry = Ancestry()
        self._last: str | None = None
        self._before: str | None = None
        self._taken: list[_Node] = []
        self._written: dict[str, str] = {}

    def take(self, node: object, place: Place) -> Iterator[Reading]:
        """Read one node, and say what is wrong with it; what follows a broken one follows what that followed."""
        drafts: list[Draft] = []
        try:
            drafts, problem = self._read(node, place)
        except Unreadable as error:
            yield place.error(error.code, str(error))
        else:
            yield from () if problem is None else (problem,)
            yield from () if drafts else (Skipped(self.session),)
        if isinstance(node, dict) and (name := _name(node)):
            self._note(name, node, drafts)

    def turns(self) -> Iterator[Draft]:
        """Give the turns that were taken since the last time."""
        for drafts, parent in self._taken:
            yield replace(drafts[0], parent=self.ancestry.turn_at(parent))
            yield from drafts[1:]
        self._taken = []

    def written(self) -> Iterator[Written]:
        """Give the turns that a memory has written, each with the id of its workspace."""
        for turn, workspace in self._written.items():
            yield Written(self.session, turn, workspace)

    def _read(self, node: object, place: Place) -> tuple[list[Draft], ReadError | None]:
        if not isinstance(node, dict):
            raise Unreadable(Fault.NOT_A_TURN, f"a node is an object, not {kind_of(node)}")
        name, role = _name(node), node.get("role")
        if name is None:
            raise Unreadable(Fault.BAD_ID, "the node has no id")
        if not isinstance(role, str) or not role.isascii() or not role.isidentifier():
            raise Unreadable(Fault.BAD_FIELD, f"{str(role)[:40]!r} is not a role")
        role = _ROLES.get(role, role)
        timestamp, problem = time_or_problem(first_of(node, _TIMES), place)
        message = Message(self.session, name, None, place, timestamp, self._before)
        drafts = drafts_of(message, pieces_of(first_of(node, _CONTENTS), role))
        return [_told(draft, node) for draft in drafts], problem if drafts else None

    def _note(self, name: str, node: Mapping[str, Any], drafts: list[Draft]) -> None:
        stated = next((node[key] for key in _PARENTS if key in node), self._last)
        parent = stated if isinstance(stated, str) and stated else None
        self._last = name
        if not drafts:
            self.ancestry.skip(name, parent)
            return
        self.ancestry.keep(name, drafts[-1].id)
        self._taken.append(_Node(drafts, parent))
        self._before = drafts[-1].id
        if isinstance(workspace := _metadata(node).get(WRITTEN) or node.get(WRITTEN), str):
            self._written.update(dict.fromkeys((draft.id for draft in drafts), workspace))


def first_of(fields: Mapping[str, Any], keys: Sequence[str]) -> object:
    """The value of the first key that says something."""
    return next((fields[key] for key in keys if fields.get(key) is not None), None)


def _name(node: Mapping[str, Any]) -> str | None:
    name = first_of(node, _IDS)
    return name if isinstance(name, str) and name else None


def _metadata(node: Mapping[str, Any]) -> Mapping[str, Any]:
    found = node.get("metadata")
    return found if isinstance(found, dict) else {}


def _told(draft: Draft, node: Mapping[str, Any]) -> Draft:
    """Add what the node and its metadata say beside the text; who speaks comes from there alone (8.1)."""
    metadata = _metadata(node)
    fields = {**metadata, **{key: node[key] for key in _FIELDS if node.get(key) is not None}}
    kept = {key: value for key, value in metadata.items() if key not in _FIELDS}
    spoken = draft.role == "user"
    authority = fields.get("authority")
    return replace(
        draft,
        speaker_id=_text(fields, "speaker_id") if spoken else None,
        speaker_display=_text(fields, "speaker_display") if spoken else None,
        display=_text(fields, "display"),
        source=_text(fields, "source"),
        metadata={} if value_problem(kept) else kept,
        pending=isinstance(authority, dict) and authority.get("trust_state") == "pending",
    )


def _text(fields: Mapping[str, Any], key: str) -> str | None:
    value = fields.get(key)
    return sound_text(value, key) if isinstance(value, str) and value else None
