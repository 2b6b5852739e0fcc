"""Codex's rollout files: one event a line, in the order in which things happened (``cli.md``, ``ingest``)."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gitmem.conversations.model import SessionId
from gitmem.interop.chain import RepeatIds
from gitmem.interop.codex_line import Told, event_of, is_subagent, pieces_of_event, undone_by
from gitmem.interop.format import Format
from gitmem.interop.lines import numbered_lines, objects_of, parse_object, too_long
from gitmem.interop.pieces import Message, drafts_of
from gitmem.interop.reading import Skipped, Unreadable, sound_handle
from gitmem.interop.times import time_or_problem

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from gitmem.interop.document import Document, Sample
    from gitmem.interop.pieces import Piece
    from gitmem.interop.reading import Draft, Place, Reading

NAME = "codex"
PROVIDER = "codex"

_TYPES = frozenset({"session_meta", "response_item", "event_msg", "turn_context", "compacted"})
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\Z")


def read_codex(document: Document, _session: SessionId | None = None) -> Iterator[Reading]:
    """Read a rollout: the thread is the session's id, else the one in the file's name, else that name.

    Lines have no ids: a turn's is made of its time, role and text, and of how many equal ones came before. Tool calls,
    their results and reasoning have role ``tool``; what the program put into the person's mouth has display
    ``runtime``. Raises ``OSError``.
    """
    reader = _Rollout(document, _survey(document))
    for number, raw in numbered_lines(document):
        if raw is None:
            yield too_long(document, number)
        elif raw.strip():
            yield from reader.read(raw, document.place(number))


def looks_like_codex(sample: Sample) -> bool:
    """Whether the first line that can be read is an event of a rollout, or the head of an old one."""
    first = next(objects_of(sample.head), {})
    if isinstance(kind := first.get("type"), str) and kind in _TYPES:
        return isinstance(first.get("payload"), dict)
    return isinstance(first.get("id"), str) and "instructions" in first and "timestamp" in first


def _survey(document: Document) -> Told:
    """Look through the file once: messages may be in it as items, as events for whoever watched, or as both."""
    roles: set[str] = set()
    typed: set[int] = set()
    for _, raw in numbered_lines(document):
        if raw is None or (b'"message"' not in raw and b'"user_message"' not in raw):
            continue
        for fields in objects_of(raw):
            kind, payload = event_of(fields)
            if kind == "response_item" and isinstance(role := payload.get("role"), str):
                roles.add(role)
            if payload.get("type") == "user_message" and isinstance(text := payload.get("message"), str):
                typed.add(hash(text))
    return Told(frozenset(roles), frozenset(typed))


class _Rollout:
    """A file as it is read."""

    def __init__(self, document: Document, told: Told) -> None:
        stem = document.stem
        named = _ID.search(stem)
        self._session = SessionId(PROVIDER, stem if named is None else named[0])
        self._told = told
        self._is_headed = False
        self._last: str | None = None
        self._asked: list[str | None] = []
        self._ids = RepeatIds()

    def read(self, raw: bytes, place: Place) -> Iterator[Reading]:
        """Read one line; what follows a broken one follows what came before it."""
        drafts: list[Draft] = []
        try:
            kind, payload = event_of(fields := parse_object(raw))
            self._head(kind, payload)
            timestamp, problem = time_or_problem(fields.get("timestamp"), place)
            pieces = pieces_of_event(kind, payload, self._told)
            drafts = drafts_of(self._message(pieces, timestamp, place), pieces)
        except Unreadable as error:
            yield place.error(error.code, str(error))
            return
        yield from (problem,) if drafts and problem is not None else ()
        yield from drafts or (Skipped(self._session),)
        self._go_on(drafts, undone_by(kind, payload))

    def _head(self, kind: str, payload: Mapping[str, Any]) -> None:
        """Take the first head's word on the session; a file that was forked goes on with the head of the other."""
        if kind != "session_meta" or self._is_headed:
            return
        self._is_headed = True
        if isinstance(name := payload.get("id"), str):
            session = SessionId(PROVIDER, name)
            sound_handle(session, "x")
            self._session = session
        if is_subagent(payload):
            self._told = replace(self._told, by_program=True)

    def _message(self, pieces: list[Piece], timestamp: str | None, place: Place) -> Message:
        said = (f"{piece.role} {piece.text}" for piece in pieces if piece.text.strip())
        return Message(self._session, self._ids.id_of(timestamp, *said), self._last, place, timestamp, self._last)

    def _go_on(self, drafts: list[Draft], undone: int) -> None:
        """Note where each question was asked, and go back there when the person took questions back."""
        if any(draft.role == "user" and draft.display is None for draft in drafts):
            self._asked.append(self._last)
        if drafts:
            self._last = drafts[-1].id
        for _ in range(min(undone, len(self._asked))):
            self._last = self._asked.pop()


FORMAT = Format(NAME, read_codex, looks_like_codex, passes=2)
