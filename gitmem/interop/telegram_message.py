"""One message of a Telegram export: who said it, when, and what it says as text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gitmem.interop.placeholders import placeholder
from gitmem.interop.reading import Draft, Fault, Unreadable, kind_of, sound_text
from gitmem.interop.telegram_media import media_of
from gitmem.interop.times import time_of, time_or_problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from gitmem.conversations.model import SessionId
    from gitmem.interop.reading import Place, ReadError

_USER = "user"
"""What exports since 2021 put before the id of a person; older ones, and Telegram itself, do not."""

_NEVER = "1970"
"""The year in which older exports say that a message was edited which was not."""


@dataclass(frozen=True, slots=True)
class Chat:
    """What a chat says of itself. ``guest`` is the speaker id of its other side, ``bot`` when that is a program."""

    session: SessionId
    guest: str | None = None
    bot: str | None = None


def read_message(
    chat: Chat, fields: object, place: Place, new_id: Callable[..., str]
) -> tuple[Draft | None, ReadError | None]:
    """Read a message as a draft without parent; ``None`` for notices and for what says nothing.

    ``new_id`` makes ids for messages that have none. The error is one that does not cost the message. Raises
    ``Unreadable`` when the message cannot be taken.
    """
    if not isinstance(fields, dict):
        raise Unreadable(Fault.NOT_A_TURN, f"a message is an object, not {kind_of(fields)}")
    if fields.get("type", "message") != "message":
        return None, None
    content = sound_text(_content(fields), "text")
    if not content.strip():
        return None, None
    speaker_id, display = _speaker_id(fields), _name(fields, "from")
    # In UTC; older exports have the time of their computer only, without a zone.
    timestamp, problem = time_or_problem(fields.get("date_unixtime") or fields.get("date"), place)
    from_bot = chat.bot is not None and speaker_id == chat.bot
    turn_id = _number(fields, "id") or new_id(timestamp, speaker_id, display, content)
    draft = Draft(
        session=chat.session,
        id=turn_id,
        parent=None,
        role="assistant" if from_bot else "user",
        content=content,
        place=place,
        timestamp=timestamp,
        speaker_id=None if from_bot else speaker_id,
        speaker_display=None if from_bot else display,
        metadata=dict(_metadata(fields)),
        # Whoever passes a message on does not vouch for what another said in it.
        pending="forwarded_from" in fields,
        is_guest=chat.guest is not None and speaker_id == chat.guest,
        edition=_edition(fields, turn_id),
    )
    return draft, problem


def plain_text(value: object) -> str:
    """Read a text: a string, or a list of strings and of pieces with a type.

    Raises ``Unreadable`` for anything else.
    """
    if value is None or isinstance(value, str):
        return value or ""
    if not isinstance(value, list):
        raise Unreadable(Fault.BAD_FIELD, f"text must be a text or a list, not {kind_of(value)}")
    return "".join(map(_piece, value))


def _piece(piece: object) -> str:
    """A piece of text; a link keeps the address that its words hide."""
    if isinstance(piece, str):
        return piece
    text = piece.get("text") if isinstance(piece, dict) else None
    if not isinstance(piece, dict) or not isinstance(text, str):
        raise Unreadable(Fault.BAD_FIELD, "a piece of the text is no text")
    address = piece.get("href")
    return f"{text} ({address})" if isinstance(address, str) and address not in ("", text) else text


def _content(fields: Mapping[str, Any]) -> str:
    said = plain_text(fields.get("text")) or plain_text(fields.get("text_entities"))
    whole = "\n".join(part for part in (said, *media_of(fields)) if part)
    if "forwarded_from" not in fields or not whole:
        return whole
    return f"{placeholder('forwarded from', fields['forwarded_from'] or 'somebody')}\n{whole}"


def _speaker_id(fields: Mapping[str, Any]) -> str | None:
    """The sender's id as Telegram knows it: ``7391`` for a person, with a word before it for a channel."""
    found = _number(fields, "from_id")
    bare = found.removeprefix(_USER) if found else ""
    return bare if bare.isdecimal() else found


def _number(fields: Mapping[str, Any], key: str) -> str | None:
    value = fields.get(key)
    if type(value) is int:
        return str(value)
    return None if value in (None, "") else sound_text(value, key)


def _name(fields: Mapping[str, Any], key: str) -> str | None:
    value = fields.get(key)
    return None if value in (None, "") else sound_text(value, key)


def _edition(fields: Mapping[str, Any], turn_id: str) -> str | None:
    """The id of what an edited message says now, should the message itself be known with what it said before."""
    edited = fields.get("edited_unixtime") or fields.get("edited")
    try:
        is_edited = time_of(edited) is not None and not str(edited).startswith(_NEVER)
    except Unreadable:
        return None
    return f"{turn_id}-{edited}" if is_edited else None


def _metadata(fields: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    for key, kept in (("reply_to_message_id", "reply_to"), ("forwarded_from", "forwarded_from"), ("via_bot", "via")):
        value = fields.get(key)
        if type(value) is int or (isinstance(value, str) and value):
            yield kept, sound_text(str(value), key)
