"""Record operations on the drafts: in the declared order, moves last (``behaviours.md`` 5b)."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from gitmem.edit.evidence import missing, missing_sources
from gitmem.edit.record_change import cite, delete, update
from gitmem.edit.record_create import create
from gitmem.edit.record_move import merge, move
from gitmem.errors import Code, NotFound
from gitmem.request import (
    CiteRecord,
    CreateRecord,
    DeleteRecord,
    MergeRecords,
    MoveRecords,
    Position,
    UpdateRecord,
)

if TYPE_CHECKING:
    from gitmem.edit.bench import Bench
    from gitmem.ids import BlockId
    from gitmem.request import Destination, RecordOperation, RecordsEdit


def apply_records(bench: Bench, edit: RecordsEdit) -> None:
    """Apply every operation, or raise with nothing staged.

    Raises ``NotFound(MEMORY_NOT_FOUND)`` and ``Refused(MISSING_SOURCE)`` with everything that is missing, and
    ``Refused(INVALID_TOPIC_FORMAT)`` or ``InvalidRequest`` for the first operation that cannot be done.
    """
    _must_exist(bench, edit)
    _must_be_archived(bench, edit)
    appended = _appended(edit)
    for operation in sorted(edit.operations, key=lambda operation: isinstance(operation, MoveRecords)):
        if isinstance(operation, CreateRecord) and _appends(operation):
            together = appended.pop(operation.destination, None)
            if together is not None:
                create(bench, together)
        else:
            _apply(bench, operation)


def _appends(operation: CreateRecord) -> bool:
    return operation.destination.position is Position.END and operation.destination.anchor is None


def _appended(edit: RecordsEdit) -> dict[Destination, list[CreateRecord]]:
    """The records that go to the end of a section, by section: they may be added together, at the first one's turn.

    No other operation can tell: it names blocks that stood before, and what is appended stays last.
    """
    found: dict[Destination, list[CreateRecord]] = {}
    for operation in edit.operations:
        if isinstance(operation, CreateRecord) and _appends(operation):
            found.setdefault(operation.destination, []).append(operation)
    return found


def _apply(bench: Bench, operation: RecordOperation) -> None:
    match operation:
        case CreateRecord():
            create(bench, [operation])
        case UpdateRecord():
            update(bench, operation)
        case DeleteRecord():
            delete(bench, operation)
        case MoveRecords():
            move(bench, operation)
        case MergeRecords():
            merge(bench, operation)
        case CiteRecord():
            cite(bench, operation)
        case _:  # pragma: no cover  (the union is complete)
            assert_never(operation)


def _must_exist(bench: Bench, edit: RecordsEdit) -> None:
    named = dict.fromkeys(block_id for operation in edit.operations for block_id in _named(operation))
    unknown = [block_id for block_id in named if not bench.drafts.facts.claims(block_id)]
    if unknown:
        raise NotFound(
            Code.MEMORY_NOT_FOUND, f"no block has the id {', '.join(unknown)}", details={"memory_ids": unknown}
        )


def _named(operation: RecordOperation) -> tuple[BlockId, ...]:
    match operation:
        case CreateRecord():
            return ()
        case MoveRecords():
            return operation.memory_ids
        case MergeRecords():
            return operation.keep, *operation.absorbed
        case _:
            return (operation.memory_id,)


def _must_be_archived(bench: Bench, edit: RecordsEdit) -> None:
    findings = []
    for operation in edit.operations:
        if isinstance(operation, DeleteRecord | MoveRecords | MergeRecords):
            continue
        path = operation.destination.topic_path if isinstance(operation, CreateRecord) else _path(bench, operation)
        findings += [missing(r.source, path) for r in operation.sources if bench.book.find(r.source, path) is None]
    if findings:
        raise missing_sources(findings)


def _path(bench: Bench, operation: UpdateRecord | CiteRecord) -> str:
    return bench.drafts.facts.claims(operation.memory_id)[0].path
