"""One message of a Slack export: who said it, and what it says as text."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from gitmem.interop.placeholders import kind_of_file, placeholder
from gitmem.interop.reading import Draft, Fault, Unreadable, kind_of, sound_text
from gitmem.interop.slack_text import read_text
from gitmem.interop.times import time_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitmem.conversations.model import SessionId
    from gitmem.interop.reading import Place, ReadError

_BY_A_BOT = "bot_message"
_SPOKEN = frozenset({"me_message", "thread_broadcast", "reply_broadcast", "file_share", "file_comment", _BY_A_BOT})
"""Kinds of messages that somebody wrote; all others with a kind are notices."""

_SLACKBOT = "USLACKBOT"
_TS = re.compile(r"\d{1,11}(?:\.\d+)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Member:
    """A person, or a program. ``handle`` is what mentions show, ``name`` what the person is called."""

    handle: str | None
    name: str | None
    is_bot: bool = False

    @classmethod
    def of(cls, fields: Mapping[str, Any]) -> Member:
        """Read an entry of ``users.json``, or what a message says of its sender."""
        profile = fields.get("profile")
        everything = [profile, fields] if isinstance(profile, dict) else [fields]
        names = [source.get(key) for key in ("real_name", "display_name", "name") for source in everything]
        handle = fields.get("name")
        return cls(
            handle if isinstance(handle, str) else None,
            next((name for name in names if isinstance(name, str) and name.strip()), None),
            is_bot=fields.get("is_bot") is True,
        )


@dataclass(frozen=True, slots=True)
class Known:
    """What the export says of everybody: ``members`` by id, and ``names`` that mentions show, by id."""

    members: Mapping[str, Member] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)


def read_message(
    session: SessionId, fields: object, place: Place, known: Known
) -> tuple[Draft | None, ReadError | None]:
    """Read a message as a draft without parent; ``None`` for notices and for what says nothing.

    The error is one that does not cost the message. Raises ``Unreadable`` when the message cannot be taken.
    """
    if not isinstance(fields, dict):
        raise Unreadable(Fault.NOT_A_TURN, f"a message is an object, not {kind_of(fields)}")
    kind = str(fields.get("subtype") or "")
    if fields.get("type", "message") != "message" or (kind and kind not in _SPOKEN):
        return None, None
    by_bot = kind == _BY_A_BOT or bool(fields.get("bot_id"))
    said = sound_text(_content(fields, known, by_bot=by_bot), "text")
    if not said.strip():
        return None, None
    timestamp, problem = _time(fields, place)
    speaker = _speaker(fields)
    member = known.members.get(speaker or "") or _member_by_message(fields)
    by_bot = by_bot or speaker == _SLACKBOT or member.is_bot
    draft = Draft(
        session=session,
        id=_ts(fields),
        parent=None,
        role="tool" if by_bot else "user",
        content=said,
        place=place,
        timestamp=timestamp,
        speaker_id=None if by_bot else speaker,
        speaker_display=None if by_bot or member.name is None else sound_text(member.name, "name"),
        metadata=_metadata(fields),
        edition=_edition(fields),
    )
    return draft, problem


def _ts(fields: Mapping[str, Any]) -> str:
    """What Slack knows a message by in its channel: the time, with what tells messages of one second apart."""
    ts = fields.get("ts")
    if not isinstance(ts, str) or not ts:
        raise Unreadable(Fault.BAD_ID, "the message has no ts, which is its id")
    return sound_text(ts, "ts")


def _time(fields: Mapping[str, Any], place: Place) -> tuple[str | None, ReadError | None]:
    ts = _ts(fields)
    if _TS.fullmatch(ts):
        return time_of(int(ts.partition(".")[0])), None
    return None, place.error(Fault.BAD_TIME, f"{ts[:40]!r} is no time; the turn is kept without a time")


def _speaker(fields: Mapping[str, Any]) -> str | None:
    """The sender's id; that of who comments on a file stands with the comment."""
    comment = fields.get("comment")
    found = fields.get("user") or (comment.get("user") if isinstance(comment, dict) else None)
    return None if not found else sound_text(found, "user")


def _member_by_message(fields: Mapping[str, Any]) -> Member:
    profile = fields.get("user_profile")
    return Member.of(profile) if isinstance(profile, dict) else Member(None, None)


def _edition(fields: Mapping[str, Any]) -> str | None:
    edited = fields.get("edited")
    ts = edited.get("ts") if isinstance(edited, dict) else None
    return f"{_ts(fields)}-{ts}" if isinstance(ts, str) and _TS.fullmatch(ts) else None


def _metadata(fields: Mapping[str, Any]) -> dict[str, object]:
    thread = fields.get("thread_ts")
    return {"thread": sound_text(thread, "thread_ts")} if thread and thread != fields.get("ts") else {}


# --- text ---------------------------------------------------------------------------------------------------------


def _content(fields: Mapping[str, Any], known: Known, *, by_bot: bool) -> str:
    text = fields.get("text")
    if text is not None and not isinstance(text, str):
        raise Unreadable(Fault.BAD_FIELD, f"text must be a text, not {kind_of(text)}")
    files = _objects(fields.get("files"))
    pieces = [text or ""]
    if not files and isinstance(file := fields.get("file"), dict):
        # Before 2018 a text of Slack's told of the file; what the person said about it is a comment.
        files, pieces = [file], [_comment(fields, file)]
    if by_bot:
        pieces += [_told(attachment) for attachment in _objects(fields.get("attachments"))]
    said = [read_text(piece, known.names) for piece in pieces]
    return "\n".join(piece for piece in (*said, *map(_file, files)) if piece)


def _comment(fields: Mapping[str, Any], file: Mapping[str, Any]) -> str:
    for found in (fields.get("comment"), file.get("initial_comment")):
        if isinstance(found, dict) and isinstance(text := found.get("comment"), str):
            return text
    return ""


def _told(attachment: Mapping[str, Any]) -> str:
    """What a program tells in an attachment; a person's attachments are what Slack adds to links."""
    keys = ("pretext", "title", "text")
    return "\n".join(attachment[key] for key in keys if isinstance(attachment.get(key), str)) or str(
        attachment.get("fallback") or ""
    )


def _file(file: Mapping[str, Any]) -> str:
    name = file.get("name") or file.get("title")
    return placeholder(kind_of_file(name, file.get("mimetype")), name)


def _objects(value: object) -> list[Mapping[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
