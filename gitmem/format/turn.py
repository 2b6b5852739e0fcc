"""One turn of a conversation as a commit with the empty tree (``formats.md``, "Turns").

The JSON line is the turn; the subject and the author are for people who read ``git log``. The same turn has the same
bytes on every machine, hence the same commit id under the same predecessor.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from gitmem.errors import Code, InvalidRequest, Refused
from gitmem.format.instant import Instant, instant
from gitmem.format.speaker import encode_speaker_id, normalize_display, speaker_label, speaker_marker
from gitmem.format.text import SURROGATE, excerpt

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

NO_EMAIL = "-"
"""The author's address of a turn without speaker id; no id is encoded like this."""

_MAX_DEPTH = 64
_MAX_BITS = 1024
_UNKNOWN_TIME = Instant(0, 0)
# Git drops these from both ends of a name, so they are dropped here first: the name is then the same for every git.
_CRUD = "".join(map(chr, range(33))) + ".,:;<>\"\\'"
_END_DOTS = re.compile(r"\A\.+|\.+\Z")


@dataclass(frozen=True, slots=True)
class Turn:
    """What was said in one message; ``parent`` is the predecessor's id, ``None`` for a root.

    ``timestamp`` is kept as given. ``authority`` and ``metadata`` are JSON objects. ``display`` and ``source`` tell a
    turn that the runtime made from one that somebody said (``behaviours.md`` 9.4).
    """

    provider: str
    thread: str
    id: str
    parent: str | None
    role: str
    content: str
    timestamp: str | None = None
    speaker_id: str | None = None
    speaker_display: str | None = None
    authority: Mapping[str, object] | None = None
    display: str | None = None
    source: str | None = None
    metadata: Mapping[str, object] = field(default_factory=dict)


class TurnCommit(NamedTuple):
    """What the commit of a turn is made of: author and both times; ``offset`` in minutes east."""

    message: str
    name: str
    email: str
    seconds: int
    offset: int


_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False)
_NAMES = frozenset(item.name for item in fields(Turn))
_REQUIRED = ("provider", "thread", "id", "role", "content")
_OPTIONAL = ("parent", "timestamp", "speaker_id", "speaker_display", "display", "source")


def render_turn(turn: Turn) -> TurnCommit:
    """Give a turn's commit. Raises ``InvalidRequest`` for what could not be read back: a NUL, a value JSON lacks."""
    values = {name: getattr(turn, name) for name in _NAMES}
    problem = _problem(values)
    if problem:
        raise InvalidRequest(Code.INVALID_ARGUMENT, f"the turn {turn.id!r} of {turn.provider}/{turn.thread} {problem}")
    when = instant(turn.timestamp) or _UNKNOWN_TIME
    seconds, offset = when if when.seconds > 0 else _UNKNOWN_TIME
    return TurnCommit(f"{_subject(turn)}\n\n{_json(values)}\n", _name(turn), _email(turn), seconds, offset)


def parse_turn(message: str) -> Turn:
    """Read a turn from its commit's message.

    Raises ``Refused`` (``SESSION_NODES_UNAVAILABLE``) when its second paragraph is not the one line that
    ``render_turn`` writes.
    """
    _, separator, line = message.partition("\n\n")
    line = line.removesuffix("\n")
    try:
        values = json.loads(line)
    except (ValueError, RecursionError):
        values = None
    if not separator or not isinstance(values, dict) or set(values) != _NAMES:
        _refuse("it holds no turn")
    problem = _problem(values)
    if problem or _json(values) != line:
        _refuse(problem or "its JSON is not in the one form that turns have")
    return Turn(**values)


def _refuse(why: str) -> NoReturn:
    raise Refused(Code.SESSION_NODES_UNAVAILABLE, f"a commit of the conversation cannot be read: {why}")


def _json(values: Mapping[str, object]) -> str:
    return _ENCODER.encode(values)


def _problem(values: Mapping[str, object]) -> str | None:
    """Say why the values are no turn, or ``None``."""
    for name in _REQUIRED:
        if not isinstance(values[name], str) or (not values[name] and name != "content"):
            return f"has no {name}: it must be a text"
    for name in _OPTIONAL:
        if values[name] is not None and not isinstance(values[name], str):
            return f"has a {name} that is not a text"
    if not isinstance(values["authority"], dict | None) or not isinstance(values["metadata"], dict):
        return "has an authority or metadata that is not a JSON object"
    return next(filter(None, map(_member_problem, values.values())), None)


def _member_problem(value: object) -> str | None:
    """As ``value_problem``, of which most values need little."""
    if value is None or value == {}:
        return None
    return _text_problem(value) if isinstance(value, str) else value_problem(value)


def value_problem(value: object) -> str | None:
    """Say why a value of a turn would not survive JSON, or ``None``."""
    level, depth = [value], 0
    while level:
        depth += 1
        inner: list[object] = []
        for item in level:
            if isinstance(item, str):
                problem = _text_problem(item)
            elif isinstance(item, dict | list):
                problem = f"is nested deeper than {_MAX_DEPTH} levels" if depth > _MAX_DEPTH else None
                inner.extend(_members(item))
            else:
                problem = None if _is_scalar(item) else f"holds {item!r:.40}, which JSON does not have"
            if problem:
                return problem
        level = inner
    return None


def _members(value: dict[object, object] | list[object]) -> Iterable[object]:
    """Everything inside; a key that is no text stands for itself, wrapped so that it is refused."""
    if isinstance(value, list):
        return value
    return [*(key if isinstance(key, str) else {key} for key in value), *value.values()]


def _is_scalar(value: object) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    return value is None or (isinstance(value, int) and value.bit_length() <= _MAX_BITS)


def _text_problem(text: str) -> str | None:
    if "\0" in text:
        return "holds a NUL character; remove it, no text of the memory may hold one"
    if not text.isascii() and SURROGATE.search(text):
        return "holds a lone surrogate; it is not Unicode text"
    return None


def _subject(turn: Turn) -> str:
    label = speaker_label(turn.speaker_display, turn.speaker_id, "")
    named = speaker_marker(turn.speaker_display, turn.speaker_id) is not None
    role = normalize_display(turn.role) or "unknown"
    first = next((line for line in turn.content.split("\n") if line.strip()), "")
    return f"{role} {label}: {excerpt(first)}".rstrip() if named else f"{role}: {excerpt(first)}".rstrip()


def _name(turn: Turn) -> str:
    """The display name, else the id, else the role; git allows neither ``<`` nor ``>`` in it."""
    for text in (turn.speaker_display, turn.speaker_id, turn.role):
        name = normalize_display(text).replace("<", "").replace(">", "").strip(_CRUD)
        if name:
            return name
    return "unknown"


def _email(turn: Turn) -> str:
    if turn.speaker_id is None or not normalize_display(turn.speaker_id):
        return NO_EMAIL
    return _END_DOTS.sub(lambda dots: "%2E" * len(dots[0]), encode_speaker_id(turn.speaker_id))
