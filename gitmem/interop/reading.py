"""What a reader of exports gives: turns as a file states them, and what could not be read (``cli.md``, Inputs).

A reader is a function from a file to a stream of ``Draft``, ``Skipped``, ``Current`` and ``ReadError``, in file order.
It judges single items; order, authority and what is already known are for others.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING

from gitmem.conversations.model import MAIN
from gitmem.errors import InvalidRequest
from gitmem.format.layout import archive_path, handle_problem, session_ref

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import PurePath

    from gitmem.conversations.model import SessionId


class Fault(StrEnum):
    """Why something could not be read: the value is the code in a report."""

    UNREADABLE_FILE = "unreadable-file"
    UNKNOWN_FORMAT = "unknown-format"
    NOT_UTF8 = "not-utf8"
    INVALID_JSON = "invalid-json"
    LINE_TOO_LONG = "line-too-long"
    NOT_A_CONVERSATION = "not-a-conversation"
    NOT_A_TURN = "not-a-turn"
    MISSING_CONTENT = "missing-content"
    BAD_FIELD = "bad-field"
    BAD_TEXT = "bad-text"
    """A character that no source archive can hold: NUL, or half of a surrogate pair."""
    BAD_ID = "bad-id"
    BAD_SESSION = "bad-session"
    BAD_TIME = "bad-time"
    """The turn is kept, without a time."""
    ASSUMED_DATE_ORDER = "assumed-date-order"
    """The dates of a whole chat fit day first and month first."""
    OUT_OF_ORDER = "out-of-order"
    """The turn is kept, and nobody vouches for it."""
    MISSING_PARENT = "missing-parent"
    """The turn is kept, after the one that stands before it."""
    PARENT_CIRCLE = "parent-circle"
    """As above."""
    CHANGED_TURN = "changed-turn"
    """Its id belongs to a turn that says something else; that one stays."""
    FORGOTTEN_SOURCE = "forgotten-source"
    """The message was erased for good and may not come back."""


@dataclass(frozen=True, slots=True)
class ReadError:
    """One thing in a file that could not be read as it stands (``cli.md``, Shapes, ``ingest``).

    ``line`` is 1-based and ``None`` where lines mean nothing; ``item`` names the conversation and message of an export.
    """

    file: str
    line: int | None
    item: str | None
    code: Fault
    message: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands in a file."""

    file: str
    line: int | None = None
    item: str | None = None

    def error(self, code: Fault, message: str) -> ReadError:
        """Report what is wrong here; characters that no text can hold are replaced."""
        item = None if self.item is None else writable(self.item)
        return ReadError(self.file, self.line, item, code, writable(message))


@dataclass(frozen=True, slots=True)
class Draft:
    """One turn as a file states it, without authority.

    ``parent`` is the id that it follows, ``None`` for a root. ``before`` is the id of the turn that stands before it in
    the file and conversation, where the order means something. ``continues`` is set on the first turn that a file has
    for a conversation when it names no parent: it goes on from wherever the conversation stands. ``pending`` is set
    when the file itself says that nobody vouches for the turn; a file can lower authority, never raise it. ``edition``
    is set on a message that was edited: its turn's id, should ``id`` be known with an earlier text. ``is_guest`` is set
    when the file shows that its speaker is not the one who made it: the other side of a chat of two, say.
    """

    session: SessionId
    id: str
    parent: str | None
    role: str
    content: str
    place: Place
    timestamp: str | None = None
    speaker_id: str | None = None
    speaker_display: str | None = None
    display: str | None = None
    source: str | None = None
    metadata: Mapping[str, object] = field(default_factory=dict)
    before: str | None = None
    continues: bool = False
    pending: bool = False
    edition: str | None = None
    is_guest: bool = False


@dataclass(frozen=True, slots=True)
class Skipped:
    """An item that holds nothing to keep, as a format's rules say."""

    session: SessionId


@dataclass(frozen=True, slots=True)
class Current:
    """The file's word on which turn the conversation goes on from; comes after its drafts."""

    session: SessionId
    id: str


@dataclass(frozen=True, slots=True)
class Written:
    """The file's word that a memory has written a turn: the one with the workspace of that id (0.3).

    Without ``id`` and ``workspace``: a memory has followed the conversation from its beginning, and wrote what it
    archived (9.10).
    """

    session: SessionId
    id: str | None
    workspace: str | None


Reading = Draft | Skipped | Current | Written | ReadError


class Unreadable(ValueError):
    """A value of an item that cannot be taken; ``code`` and text become a ``ReadError`` where the item is known."""

    def __init__(self, code: Fault, message: str) -> None:
        """Keep the code beside the message."""
        super().__init__(message)
        self.code = code


def file_name(path: PurePath) -> str:
    """Give a file's name for reports: as the caller wrote it, with characters that no text can hold replaced."""
    return writable(str(path))


def writable(text: str) -> str:
    """Replace what no archive and no report can hold: NUL, and half of a surrogate pair."""
    return text.encode(errors="replace").decode().replace("\0", "?")


def sound_text(value: object, name: str) -> str:
    """Take a text that an archive can hold to the byte: raises ``Unreadable`` for NUL and for half a character."""
    if not isinstance(value, str):
        raise Unreadable(Fault.BAD_FIELD, f"{name} must be a text, not {kind_of(value)}")
    if "\0" in value:
        raise Unreadable(Fault.BAD_TEXT, f"{name} holds a NUL character, which no source archive can hold")
    if not _is_unicode(value):
        raise Unreadable(Fault.BAD_TEXT, f"{name} holds half of a surrogate pair, which is no character")
    return value


def sound_handle(session: SessionId, turn_id: str) -> str:
    """Take an id that makes a source handle: raises ``Unreadable`` for one that does not (7.9, 7.10)."""
    if problem := session_problem(session):
        raise Unreadable(Fault.BAD_SESSION, problem)
    problem = handle_problem(f"{session}/{turn_id}")
    if problem:
        raise Unreadable(Fault.BAD_ID, f"the handle {session}/{turn_id} {problem}"[:300])
    return turn_id


@lru_cache(maxsize=1024)
def session_problem(session: SessionId) -> str | None:
    """Say why a conversation of this name could be neither kept nor archived, or ``None``."""
    if "/" in session.provider or "/" in session.thread:
        return f"{session} has a slash inside a name; a session is named provider/thread"[:300]
    try:
        archive_path(session.provider, session.thread)
        session_ref(session.provider, session.thread, MAIN)
    except InvalidRequest as error:
        return error.message[:300]
    return None


def kind_of(value: object) -> str:
    """Name a JSON value's kind for a message."""
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
