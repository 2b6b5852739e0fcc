"""What of some messages belongs into the summary that takes their place (``behaviours.md``, backend hooks).

Nothing is read from the memory and nothing is written: the messages are a host's own, about to be dropped from a
model's context.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from gitmem.conversations.authority import is_pending
from gitmem.conversations.speaking import is_eligible, person_of
from gitmem.format.text import SURROGATE, one_line
from gitmem.format.turn import Turn
from gitmem.ids import SourceId
from gitmem.writer.base import Batch, BatchTurn
from gitmem.writer.duplicates import Told, signature
from gitmem.writer.limits import Allowance, allowance
from gitmem.writer.people import title_of
from gitmem.writer.selection import select
from gitmem.writer.statements import read_statements

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gitmem.writer.statements import Statement

MOST_LINES = 60
MOST_BYTES = 8_000
"""Of the prose; a name and a date for each line come on top."""

_LOG = logging.getLogger("gitmem.writer")
_LOG.addHandler(logging.NullHandler())  # a host that wants to hear of it says so; nothing is printed otherwise


def extract_before_discard(messages: Iterable[object]) -> str:
    """What the messages state that is worth keeping, oldest first, a line each: ``- Ada (7391), 2024-03-15: ...``.

    A message is a mapping with the keys of a turn (``docs/format.md``) or a value with these attributes; only
    ``content`` is required, as text or as a list of parts with ``text``. The role of one without is ``user``. Left out
    is what nobody vouches for: turns that say so, and where more than one person is named in turns that say nothing of
    it, those persons and the answers to them (8.18). ``""`` when nothing is left. The same messages give the same text;
    never raises: what goes wrong is logged under ``gitmem.writer``.
    """
    try:
        turns = tuple(_vouched([turn for message in messages if (turn := _turn(message)) is not None]))
        return "\n".join(_lines(turns))
    except Exception:  # noqa: BLE001  (a hook never takes its host down)
        _LOG.exception("nothing could be extracted from messages that are about to be discarded")
        return ""


def _turn(message: object) -> Turn | None:
    """A message as a turn; ``None`` for what is none, or what nobody said (9.4)."""
    content = _text(_field(message, "content"))
    if content is None:
        return None
    authority, metadata = _field(message, "authority"), _field(message, "metadata")
    turn = Turn(
        provider="-",
        thread="-",
        id="-",
        parent=None,
        role=_string(message, "role") or "user",
        content=content,
        timestamp=_string(message, "timestamp"),
        speaker_id=_string(message, "speaker_id"),
        speaker_display=_string(message, "speaker_display"),
        authority=authority if isinstance(authority, dict) or authority is None else {},
        display=_string(message, "display"),
        source=_string(message, "source"),
        metadata=metadata if isinstance(metadata, dict) else {},
    )
    return turn if is_eligible(turn) else None


def _field(message: object, name: str) -> object:
    return message.get(name) if isinstance(message, dict) else getattr(message, name, None)


def _string(message: object, name: str) -> str | None:
    value = _field(message, name)
    return SURROGATE.sub("�", value) if isinstance(value, str) else None


def _text(content: object) -> str | None:
    if isinstance(content, list):
        parts = [_field(part, "text") for part in content]
        content = "\n\n".join(part for part in parts if isinstance(part, str))
    return SURROGATE.sub("�", content) if isinstance(content, str) else None


def _vouched(turns: Iterable[Turn]) -> Iterator[Turn]:
    """The turns that a writer would be shown."""
    said = list(turns)
    named = {person for turn in said if turn.authority is None and (person := person_of(turn)) is not None}
    answering_a_stranger = False
    for turn in said:
        stranger = person_of(turn) is not None and len(named) > 1
        pending = is_pending(turn) if turn.authority is not None else stranger
        if turn.role == "user":
            answering_a_stranger = pending
        elif turn.authority is None:
            pending = answering_a_stranger
        if not pending:
            yield turn


def _lines(said: Iterable[Turn]) -> Iterator[str]:
    turns = tuple(_shown(place, turn) for place, turn in enumerate(said))
    allowed = allowance(Batch(turns))
    within = Allowance(min(allowed.blocks, MOST_LINES), min(allowed.prose_bytes, MOST_BYTES))
    for statement in select(list(_told_once(read_statements(turns))), within):
        when = f", {statement.when}" if statement.when else ""
        yield f"- {title_of(turns[statement.turn])}{when}: {one_line(statement.text)}"


def _shown(place: int, turn: Turn) -> BatchTurn:
    handle = SourceId(f"-/-/{place}")
    return BatchTurn(handle, turn.role, turn.content, turn.timestamp, turn.speaker_id, turn.speaker_display)


def _told_once(statements: Iterable[Statement]) -> Iterator[Statement]:
    told: Told[Statement] = Told()
    for statement in statements:
        said = [signature(sentence, statement.when) for sentence in statement.sentences]
        if not all(told.same_as(one) for one in said):
            yield statement
        for one in said:
            told.add(one, statement)
