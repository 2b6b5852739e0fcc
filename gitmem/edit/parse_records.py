"""Record operations from JSON (``behaviours.md`` 5b, ``cli.md`` "Inputs")."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.edit.payload import Item, filled, invalid, items
from gitmem.edit.topic_path import topic_path
from gitmem.format.evidence import WHEN_UNDATED, valid_when
from gitmem.ids import BlockId
from gitmem.request import (
    CreateRecord,
    DeleteRecord,
    Destination,
    MoveRecords,
    Position,
    RecordsEdit,
    SourceRef,
    UpdateRecord,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from gitmem.request import RecordOperation

_EVIDENCE_KEYS = ("content", "time", "sources", "source_refs")
_ANCHORED = frozenset({Position.BEFORE, Position.AFTER})


def parse_records(payload: object) -> RecordsEdit:
    """Read a list of operations.

    Each has ``op``: ``create_record``, ``update_record``, ``delete_record`` or ``move_records``; the older ``create``,
    ``update`` and ``delete`` are still read. Raises ``InvalidRequest(INVALID_ARGUMENT)``, and ``Refused`` for a
    ``topic_path`` that may not be written.
    """
    return RecordsEdit(tuple(_operation(item) for item in Item.each(payload, "memory_changes")))


def _operation(item: Item) -> RecordOperation:
    op = item.filled("op")
    read = _OPERATIONS.get(op)
    if read is None:
        invalid(f"{item.place}.op must be one of {', '.join(_OPERATIONS)}, not {op!r}")
    return read(item)


def _create(item: Item) -> CreateRecord:
    item.closed("op", *_EVIDENCE_KEYS, "destination")
    item.need("content", "destination")
    return _created(item, _destination(Item.of(item.get("destination"), f"{item.place}.destination")))


def _create_older(item: Item) -> CreateRecord:
    """The older alias, with ``topic_path`` and ``headings`` at top level (5.3)."""
    if item.get("destination") is not None:
        return _create(item)
    keys = ("topic_path", "headings", "position", "anchor_memory_id")
    item.closed("op", *_EVIDENCE_KEYS, *keys)
    item.need("content", "topic_path", "headings")
    values = {key: item.get(key) for key in keys}
    values["position"] = values["position"] or Position.END
    return _created(item, _destination(Item(item.place, values)))


def _created(item: Item, destination: Destination) -> CreateRecord:
    return CreateRecord(item.filled("content"), _time(item), _sources(item), destination)


def _update(item: Item) -> UpdateRecord:
    item.closed("op", "memory_id", *_EVIDENCE_KEYS)
    item.need("memory_id", "content")
    return UpdateRecord(_memory_id(item, "memory_id"), item.filled("content"), _time(item), _sources(item))


def _delete(item: Item) -> DeleteRecord:
    item.closed("op", "memory_id")
    return DeleteRecord(_memory_id(item, "memory_id"))


def _move(item: Item) -> MoveRecords:
    item.closed("op", "memory_ids", "destination")
    item.need("memory_ids", "destination")
    place = f"{item.place}.memory_ids"
    ids = tuple(_id(filled(value, place)) for value in items(item.get("memory_ids"), place))
    if len(set(ids)) < len(ids):
        invalid(f"{place} names a record twice")
    return MoveRecords(ids, _destination(Item.of(item.get("destination"), f"{item.place}.destination")))


def _destination(item: Item) -> Destination:
    item.closed("topic_path", "headings", "position", "anchor_memory_id")
    item.need("topic_path", "headings", "position")
    place = f"{item.place}.headings"
    headings = items(item.get("headings"), place, empty=True)
    return Destination(
        topic_path=topic_path(item.filled("topic_path"), implied=True),
        headings=tuple(filled(title, place).strip() for title in headings),
        position=(position := _position(item)),
        anchor=_anchor(item, position),
    )


def _position(item: Item) -> Position:
    written = item.text("position")
    try:
        return Position(written)
    except ValueError:
        invalid(f"{item.place}.position must be one of {', '.join(Position)}, not {written!r}")


def _anchor(item: Item, position: Position) -> BlockId | None:
    if position in _ANCHORED:
        return _memory_id(item, "anchor_memory_id")
    if item.get("anchor_memory_id") is not None:
        invalid(f"{item.place}.anchor_memory_id goes with position before or after, not {position}")
    return None


def _memory_id(item: Item, name: str) -> BlockId:
    return _id(item.filled(name))


def _id(written: str) -> BlockId:
    return BlockId(written.strip().removeprefix("#").removeprefix("^"))


def _time(item: Item) -> str | None:
    """The event time; it must be said, if only as ``null`` or ``undated`` (5.19)."""
    if "time" not in item.values:
        invalid(f"{item.place}.time is required: YYYY, YYYY-MM, YYYY-MM-DD, or null when undated")
    time = item.optional("time")
    if time is None or time == WHEN_UNDATED:
        return None
    if not valid_when(time):
        invalid(f"{item.place}.time {time!r} is no calendar date; give YYYY, YYYY-MM, YYYY-MM-DD or undated")
    return time


def _sources(item: Item) -> tuple[SourceRef, ...]:
    """Either ``sources`` with labels or bare ``source_refs`` (5.11)."""
    labelled, bare = item.get("sources"), item.get("source_refs")
    if (labelled is None) == (bare is None):
        invalid(f"{item.place} needs exactly one of sources and source_refs")
    if labelled is None:
        place = f"{item.place}.source_refs"
        return tuple(SourceRef(ref, ref) for ref in (filled(ref, place).strip() for ref in items(bare, place)))
    return tuple(_source(source) for source in Item.each(labelled, f"{item.place}.sources"))


def _source(item: Item) -> SourceRef:
    item.closed("source", "label")
    label = item.optional("label")
    if label is None or not label.strip():
        invalid(f"{item.place}: label is required")
    return SourceRef(item.filled("source").strip(), label)


_OPERATIONS: Mapping[str, Callable[[Item], RecordOperation]] = {
    "create_record": _create,
    "update_record": _update,
    "delete_record": _delete,
    "move_records": _move,
    "create": _create_older,
    "update": _update,
    "delete": _delete,
}
