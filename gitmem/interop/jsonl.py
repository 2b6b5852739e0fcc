"""JSON Lines: one turn a line, with the keys of a turn (``cli.md``, Inputs). Read line by line, in flat memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gitmem.conversations.adding import content_id
from gitmem.conversations.model import SessionId
from gitmem.errors import Code, InvalidRequest
from gitmem.format.turn import value_problem
from gitmem.interop.format import Format
from gitmem.interop.lines import numbered_lines, objects_of, parse_object, too_long
from gitmem.interop.reading import (
    Draft,
    Fault,
    Place,
    Unreadable,
    kind_of,
    session_problem,
    sound_handle,
    sound_text,
)
from gitmem.interop.times import time_or_problem

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from gitmem.interop.document import Document, Sample
    from gitmem.interop.reading import Reading

NAME = "jsonl"
PROVIDER = "import"
_MAX_ROLE_CHARS = 32


def read_jsonl(document: Document, session: SessionId | None) -> Iterator[Reading]:
    """Read a document of turns, one JSON object a line.

    ``session`` names the conversation of lines that name none; ``None`` takes provider ``import`` and the file's stem.
    An absent ``parent`` is the line before in that conversation, ``null`` a root; an absent ``id`` is made from content
    and line number. Raises ``OSError`` when the file cannot be read.
    """
    default = session or SessionId(PROVIDER, document.stem)
    last: dict[SessionId, str] = {}
    for number, raw in numbered_lines(document):
        if raw is None:
            yield too_long(document, number)
        elif raw.strip():
            yield from _read_line(raw, document.place(number), default, last)


def looks_like_jsonl(sample: Sample) -> bool:
    """Whether a line is an object of its own, or the name says so; among other files, one with ``content``."""
    if sample.head.lstrip()[:1] == b"[":
        return False
    if sample.is_member:
        return any("content" in found for found in objects_of(sample.head))
    return sample.suffix == ".jsonl" or any(True for _ in objects_of(sample.head))


def session_named(text: str) -> SessionId:
    """Read the name that a caller gives to a conversation: ``provider/thread``, or a thread of provider ``import``.

    Raises ``InvalidRequest`` for a name that no conversation can have.
    """
    session = SessionId.parse(text) if "/" in text else SessionId(PROVIDER, text)
    if problem := session_problem(session):
        raise InvalidRequest(Code.INVALID_ARGUMENT, problem)
    return session


def _read_line(raw: bytes, place: Place, default: SessionId, last: dict[SessionId, str]) -> Iterator[Reading]:
    try:
        fields = parse_object(raw)
        timestamp, problem = time_or_problem(fields.get("timestamp"), place)
        draft = _draft(fields, place, default, timestamp, last)
    except Unreadable as error:
        yield place.error(error.code, str(error))
        return
    last[draft.session] = draft.id
    if problem is not None:
        yield problem
    yield draft


def _draft(
    fields: Mapping[str, Any], place: Place, default: SessionId, timestamp: str | None, last: Mapping[SessionId, str]
) -> Draft:
    if "content" not in fields:
        raise Unreadable(Fault.MISSING_CONTENT, "the line has no content")
    content = sound_text(fields["content"], "content")
    session = SessionId(
        _text(fields, "provider") or default.provider,
        _text(fields, "thread") or default.thread,
    )
    role = _role(fields)
    spoken = role == "user"
    before = last.get(session)
    stated = "parent" in fields
    return Draft(
        session=session,
        id=sound_handle(session, _text(fields, "id") or content_id(content, place.line or 0)),
        parent=_text(fields, "parent") if stated else before,
        role=role,
        content=content,
        place=place,
        timestamp=timestamp,
        speaker_id=_text(fields, "speaker_id") if spoken else None,
        speaker_display=_text(fields, "speaker_display") if spoken else None,
        metadata=_metadata(fields),
        before=before,
        continues=not stated and before is None,
        pending=_says_pending(fields.get("authority")),
        display=_text(fields, "display"),
        source=_text(fields, "source"),
    )


def _text(fields: Mapping[str, Any], key: str) -> str | None:
    """A text or ``None``; ids may be numbers, as many platforms write them."""
    value = fields.get(key)
    if type(value) is int:
        value = str(value)
    return None if value is None or value == "" else sound_text(value, key)


def _role(fields: Mapping[str, Any]) -> str:
    role = _text(fields, "role") or "user"
    if len(role) > _MAX_ROLE_CHARS or not role.replace("-", "_").isidentifier() or not role.isascii():
        raise Unreadable(Fault.BAD_FIELD, f"{role[:40]!r} is not a role; use user, assistant, system or tool")
    return role


def _metadata(fields: Mapping[str, Any]) -> dict[str, object]:
    metadata = fields.get("metadata")
    if metadata is None:
        return {}
    if not isinstance(metadata, dict):
        raise Unreadable(Fault.BAD_FIELD, f"metadata must be an object, not {kind_of(metadata)}")
    if problem := value_problem(metadata):
        raise Unreadable(Fault.BAD_FIELD, f"metadata {problem}")
    return metadata


def _says_pending(authority: object) -> bool:
    return isinstance(authority, dict) and authority.get("trust_state") == "pending"


FORMAT = Format(NAME, read_jsonl, looks_like_jsonl, named=True, people=True, continuous=True)
