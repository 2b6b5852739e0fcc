"""Claude Code's session files: one event a line, linked by ``parentUuid`` (``cli.md``, ``ingest``)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gitmem.conversations.adding import content_id
from gitmem.conversations.model import SessionId
from gitmem.interop.ancestry import Ancestry
from gitmem.interop.claude_code_line import parent_of, pieces_of_line
from gitmem.interop.format import Format
from gitmem.interop.lines import numbered_lines, objects_of, parse_object, too_long
from gitmem.interop.pieces import Message, drafts_of
from gitmem.interop.reading import Current, Skipped, Unreadable, sound_handle
from gitmem.interop.times import time_or_problem

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from gitmem.interop.document import Document, Sample
    from gitmem.interop.reading import Draft, Place, Reading

NAME = "claude-code"
PROVIDER = "claude-code"

_ONLY_CLAUDE_CODE = frozenset({"file-history-snapshot", "queue-operation", "permission-mode", "last-prompt", "mode"})
_NAMES_A_PARENT = (b'"parentUuid":"', b'"parentUuid": "')


def read_claude_code(document: Document, _session: SessionId | None = None) -> Iterator[Reading]:
    """Read a session: the thread is its ``sessionId``, a turn's id its line's ``uuid``.

    Tool calls, their results and thoughts have role ``tool``. What the program itself put into the conversation, and
    everything that a subagent was told and answered, has display ``runtime``. Raises ``OSError``.
    """
    reader = _Session(document, linked=_is_linked(document))
    for number, raw in numbered_lines(document):
        if raw is None:
            yield too_long(document, number)
        elif raw.strip():
            yield from reader.read(raw, document.place(number))
    yield from reader.end()


def looks_like_claude_code(sample: Sample) -> bool:
    """Whether an early line is an event of a session."""
    return any(_is_event(found) for found in objects_of(sample.head))


def _is_event(fields: Mapping[str, Any]) -> bool:
    kind = fields.get("type")
    if kind == "summary":
        return "leafUuid" in fields
    return isinstance(kind, str) and "sessionId" in fields and ("uuid" in fields or kind in _ONLY_CLAUDE_CODE)


def _is_linked(document: Document) -> bool:
    """Whether any line says which line it follows; in a file without links every line follows the one before."""
    return any(raw is not None and any(mark in raw for mark in _NAMES_A_PARENT) for _, raw in numbered_lines(document))


class _Session:
    """A file as it is read. Its lines may belong to several sessions, when one was resumed or spawned another."""

    def __init__(self, document: Document, *, linked: bool) -> None:
        self._default = SessionId(PROVIDER, document.stem)
        self._linked = linked
        self._is_named = False
        self._nameless = 0
        self._ancestry: dict[SessionId, Ancestry] = {}
        self._last: dict[SessionId, str] = {}
        self._current: dict[SessionId, str] = {}

    def read(self, raw: bytes, place: Place) -> Iterator[Reading]:
        """Read one line; what follows a broken one follows what that followed."""
        try:
            fields = parse_object(raw)
            session = self._session(fields)
        except Unreadable as error:
            yield place.error(error.code, str(error))
            return
        drafts: list[Draft] = []
        try:
            timestamp, problem = time_or_problem(fields.get("timestamp"), place)
            drafts = self._drafts(session, fields, place, timestamp)
        except Unreadable as error:
            yield place.error(error.code, str(error))
        else:
            yield from () if drafts else self._skipped(session)
            yield from () if problem is None or not drafts else (problem,)
        yield from drafts
        self._note(session, fields, drafts)

    def end(self) -> Iterator[Reading]:
        """Say where each session goes on from: not from what a subagent said last."""
        self._is_named = True
        yield from self._skipped(self._default, 0)
        for session, turn in self._current.items():
            yield Current(session, turn)

    def _skipped(self, session: SessionId, lines: int = 1) -> Iterator[Skipped]:
        """Count lines without turns, those before a session is named with the first that is."""
        if not self._is_named:
            self._nameless += lines
            return
        yield from (Skipped(session) for _ in range(lines + self._nameless))
        self._nameless = 0

    def _session(self, fields: Mapping[str, Any]) -> SessionId:
        name = fields.get("sessionId") or fields.get("session_id")
        session = SessionId(PROVIDER, name) if isinstance(name, str) else self._default
        sound_handle(session, "x")
        self._is_named = self._is_named or isinstance(name, str)
        self._default = session
        return session

    def _drafts(
        self, session: SessionId, fields: Mapping[str, Any], place: Place, timestamp: str | None
    ) -> list[Draft]:
        pieces = pieces_of_line(fields)
        said = "\n".join(piece.text for piece in pieces)
        name = _name(fields) or content_id(said, place.line or 0)
        before = self._last.get(session)
        parent = self._ancestry_of(session).turn_at(self._parent(session, fields))
        return drafts_of(Message(session, name, parent, place, timestamp, before), pieces)

    def _parent(self, session: SessionId, fields: Mapping[str, Any]) -> str | None:
        stated, is_stated = parent_of(fields)
        return stated if is_stated and self._linked else self._last.get(session)

    def _note(self, session: SessionId, fields: Mapping[str, Any], drafts: list[Draft]) -> None:
        name = _name(fields)
        if drafts:
            self._last[session] = drafts[-1].id
            if fields.get("isSidechain") is not True:
                self._current[session] = drafts[-1].id
        if name is not None and drafts:
            self._ancestry_of(session).keep(name, drafts[-1].id)
        elif name is not None:
            self._ancestry_of(session).skip(name, self._parent(session, fields))

    def _ancestry_of(self, session: SessionId) -> Ancestry:
        return self._ancestry.setdefault(session, Ancestry())


def _name(fields: Mapping[str, Any]) -> str | None:
    name = fields.get("uuid")
    return name if isinstance(name, str) and name else None


FORMAT = Format(NAME, read_claude_code, looks_like_claude_code, passes=2)
