"""JSON Lines: one turn a line, with the keys of a turn (``cli.md``, Inputs). Read line by line, in flat memory."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NoReturn

from gitmem.conversations.adding import content_id
from gitmem.conversations.model import SessionId
from gitmem.errors import Code, InvalidRequest
from gitmem.format.turn import value_problem
from gitmem.interop.reading import (
    Draft,
    Fault,
    Place,
    ReadError,
    Unreadable,
    file_name,
    kind_of,
    session_problem,
    sound_handle,
    sound_text,
    time_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from gitmem.interop.reading import Reading

NAME = "jsonl"
PROVIDER = "import"
MAX_LINE_BYTES = 16 * 1024 * 1024
"""The longest line that is read; a longer one is reported and passed over."""

_MAX_ROLE_CHARS = 32
_BOM = b"\xef\xbb\xbf"
_OPTIONAL_TEXTS = ("display", "source")


def read_jsonl(path: Path, session: SessionId | None) -> Iterator[Reading]:
    """Read a file of turns, one JSON object a line.

    ``session`` names the conversation of lines that name none; ``None`` takes provider ``import`` and the file's stem.
    An absent ``parent`` is the line before in that conversation, ``null`` a root; an absent ``id`` is made from content
    and line number. Raises ``OSError`` when the file cannot be read.
    """
    default = session or SessionId(PROVIDER, path.stem)
    name = file_name(path)
    last: dict[SessionId, str] = {}
    for number, raw in numbered_lines(path):
        place = Place(name, number)
        if raw is None:
            yield place.error(Fault.LINE_TOO_LONG, f"the line is longer than {MAX_LINE_BYTES} bytes")
        elif raw.strip():
            yield from _read_line(raw, place, default, last)


def session_named(text: str) -> SessionId:
    """Read the name that a caller gives to a conversation: ``provider/thread``, or a thread of provider ``import``.

    Raises ``InvalidRequest`` for a name that no conversation can have.
    """
    session = SessionId.parse(text) if "/" in text else SessionId(PROVIDER, text)
    if problem := session_problem(session):
        raise InvalidRequest(Code.INVALID_ARGUMENT, problem)
    return session


def numbered_lines(path: Path) -> Iterator[tuple[int, bytes | None]]:
    """Give every line with its number, without its LF and a byte order mark; ``None`` for one that is too long."""
    with path.open("rb") as stream:
        number = 0
        while raw := stream.readline(MAX_LINE_BYTES + 1):
            number += 1
            if len(raw) <= MAX_LINE_BYTES or raw.endswith(b"\n"):
                yield number, raw.removeprefix(_BOM) if number == 1 else raw
            else:
                while (raw := stream.readline(MAX_LINE_BYTES)) and not raw.endswith(b"\n"):
                    pass
                yield number, None


def parse_object(raw: bytes) -> dict[str, Any]:
    """Parse one line. Raises ``Unreadable`` when it is not UTF-8, not strict JSON, or not an object."""
    try:
        value = _STRICT.decode(raw.decode())
    except UnicodeDecodeError as error:
        raise Unreadable(Fault.NOT_UTF8, f"the line is not UTF-8 at byte {error.start}") from error
    except ValueError as error:
        raise Unreadable(Fault.INVALID_JSON, f"the line is not JSON: {error}"[:200]) from error
    except RecursionError as error:
        raise Unreadable(Fault.INVALID_JSON, "the line is nested too deeply") from error
    if not isinstance(value, dict):
        raise Unreadable(Fault.NOT_A_TURN, f"a turn is an object, not {kind_of(value)}")
    return value


def _refuse_constant(name: str) -> NoReturn:
    message = f"{name} is not a JSON number"
    raise ValueError(message)


_STRICT = json.JSONDecoder(parse_constant=_refuse_constant)


def _read_line(raw: bytes, place: Place, default: SessionId, last: dict[SessionId, str]) -> Iterator[Reading]:
    try:
        fields = parse_object(raw)
        timestamp, problem = _time(fields, place)
        draft = _draft(fields, place, default, timestamp, last)
    except Unreadable as error:
        yield place.error(error.code, str(error))
        return
    last[draft.session] = draft.id
    if problem is not None:
        yield problem
    yield draft


def _time(fields: Mapping[str, Any], place: Place) -> tuple[str | None, ReadError | None]:
    """A turn whose time cannot be read is kept without one: what was said matters more than when."""
    try:
        return time_of(fields.get("timestamp")), None
    except Unreadable as error:
        return None, place.error(error.code, f"{error}; the turn is kept without a time")


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
        **{key: _text(fields, key) for key in _OPTIONAL_TEXTS},
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
