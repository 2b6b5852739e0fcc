"""Record operations are read strictly (behaviours.md 5.3-5.5, 5.11, 5.19)."""

from __future__ import annotations

from typing import Any

import pytest

from gitmem.edit.parse_records import parse_records
from gitmem.errors import Code, InvalidRequest
from gitmem.request import CreateRecord, DeleteRecord, Destination, MoveRecords, Position, SourceRef, UpdateRecord

DESTINATION = {"topic_path": "craig.md", "headings": ["Craig", "Work"], "position": "end"}
EVIDENCE = {"content": "A fact.", "time": "2024-03", "sources": [{"source": "p/t/m", "label": "x"}]}
CREATE: dict[str, Any] = {"op": "create_record", **EVIDENCE, "destination": DESTINATION}
UPDATE: dict[str, Any] = {"op": "update_record", **EVIDENCE, "memory_id": "a"}
MOVE: dict[str, Any] = {"op": "move_records", "memory_ids": ["a", "b"], "destination": DESTINATION}
INTO = Destination("topics/craig.md", ("Craig", "Work"))
SOURCES = (SourceRef("p/t/m", "x"),)


def invalid(operation: object) -> str:
    with pytest.raises(InvalidRequest) as caught:
        parse_records([operation])
    assert caught.value.code is Code.INVALID_ARGUMENT
    return caught.value.message


def test_every_operation_is_read() -> None:
    delete = {"op": "delete_record", "memory_id": " #^a "}
    assert parse_records([CREATE, UPDATE, delete, MOVE]).operations == (
        CreateRecord("A fact.", "2024-03", SOURCES, INTO),
        UpdateRecord("a", "A fact.", "2024-03", SOURCES),
        DeleteRecord("a"),
        MoveRecords(("a", "b"), INTO),
    )


def test_older_names_are_still_read() -> None:
    # behaviours.md 5.3
    older = {"op": "create", **EVIDENCE, "topic_path": "topics/craig.md", "headings": ["Craig", "Work"]}
    operations = parse_records([older, {**CREATE, "op": "create"}, {**UPDATE, "op": "update"}]).operations
    assert operations[0] == operations[1] == CreateRecord("A fact.", "2024-03", SOURCES, INTO)
    assert parse_records([{"op": "delete", "memory_id": "a"}]).operations == (DeleteRecord("a"),)
    assert isinstance(operations[2], UpdateRecord)


def test_missing_destination_fields_are_named() -> None:
    # behaviours.md 5.4
    message = invalid({**CREATE, "destination": {"topic_path": "x.md"}})
    assert message.endswith("missing: headings, position")


@pytest.mark.parametrize("position", ["before", "after"])
def test_an_anchor_goes_with_before_and_after(position: str) -> None:
    # behaviours.md 5.5
    destination = {**DESTINATION, "position": position, "anchor_memory_id": "^b"}
    (operation,) = parse_records([{**CREATE, "destination": destination}]).operations
    assert isinstance(operation, CreateRecord)
    assert operation.destination == Destination("topics/craig.md", ("Craig", "Work"), Position(position), "b")
    assert "anchor_memory_id" in invalid({**CREATE, "destination": {**DESTINATION, "position": position}})


@pytest.mark.parametrize("time", [None, "undated"])
def test_undated_is_said_with_null_or_the_word(time: str | None) -> None:
    # behaviours.md 5.19
    (operation,) = parse_records([{**CREATE, "time": time}]).operations
    assert isinstance(operation, CreateRecord)
    assert operation.time is None


def test_bare_references_are_their_own_labels() -> None:
    # behaviours.md 5.11
    bare = {**CREATE, "sources": None, "source_refs": ["p/t/m"]}
    (operation,) = parse_records([bare]).operations
    assert isinstance(operation, CreateRecord)
    assert operation.sources == (SourceRef("p/t/m", "p/t/m"),)


def without(operation: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in operation.items() if name != key}


@pytest.mark.parametrize(
    "operation",
    [
        {},
        {"op": "merge"},
        without(CREATE, "time"),
        {**CREATE, "time": "2024-02-30"},
        {**CREATE, "time": 2024},
        {**CREATE, "source_refs": ["p/t/m"]},
        without(CREATE, "sources"),
        {**CREATE, "sources": []},
        {**CREATE, "sources": [{"source": "p/t/m"}]},
        {**CREATE, "sources": [{"source": "p/t/m", "label": " "}]},
        {**CREATE, "sources": [{"source": "p/t/m", "label": "x", "tier": "owner"}]},
        {**CREATE, "sources": [{"label": "x"}]},
        without(CREATE, "content"),
        {**CREATE, "content": " "},
        without(CREATE, "destination"),
        {**CREATE, "destination": "x.md"},
        {**CREATE, "destination": {**DESTINATION, "headings": "Craig"}},
        {**CREATE, "destination": {**DESTINATION, "headings": [" "]}},
        {**CREATE, "destination": {**DESTINATION, "position": "top"}},
        {**CREATE, "destination": {**DESTINATION, "anchor_memory_id": "b"}},
        {**CREATE, "destination": {**DESTINATION, "file": "x"}},
        {**CREATE, "memory_id": "a"},
        without(UPDATE, "memory_id"),
        {**UPDATE, "destination": DESTINATION},
        {"op": "delete_record"},
        {"op": "delete_record", "memory_id": "a", "content": "x"},
        {**MOVE, "memory_ids": []},
        {**MOVE, "memory_ids": "a"},
        {**MOVE, "memory_ids": ["a", "^a"]},
        {**MOVE, "memory_ids": [7]},
        without(MOVE, "destination"),
    ],
)
def test_malformed_operations_are_refused(operation: object) -> None:
    invalid(operation)


def test_an_empty_batch_is_refused() -> None:
    with pytest.raises(InvalidRequest):
        parse_records([])
