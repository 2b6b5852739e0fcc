"""Payloads become request values, or one INVALID_ARGUMENT that names the place (behaviours.md 3.1-3.3, part 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from gitmem.edit.parse_request import parse_changes, parse_edit, parse_sources, parse_update
from gitmem.errors import Code, InvalidRequest, Refused
from gitmem.request import FileDelete, FilesEdit, FileWrite, NewSource, PatchEdit, RecordsEdit

if TYPE_CHECKING:
    from collections.abc import Callable


def invalid(call: Callable[..., object], *arguments: object, **named: object) -> str:
    with pytest.raises(InvalidRequest) as caught:
        call(*arguments, **named)
    assert caught.value.code is Code.INVALID_ARGUMENT
    return caught.value.message


def test_one_form_of_edit_is_read() -> None:
    assert parse_edit(patch="--- a") == PatchEdit("--- a")
    assert isinstance(parse_edit(changes=[{"path": "topics/x.md", "action": "delete"}]), FilesEdit)
    assert isinstance(parse_edit(memory_changes=[{"op": "delete_record", "memory_id": "a"}]), RecordsEdit)


@pytest.mark.parametrize("given", [{}, {"patch": "x", "changes": []}, {"patch": "x", "memory_changes": []}])
def test_none_or_several_forms_are_refused(given: dict[str, Any]) -> None:
    # behaviours.md 3.1
    assert "exactly one" in invalid(parse_edit, **given)


def test_an_update_is_read_whole() -> None:
    update = parse_update(
        {
            "base_revision": " abc ",
            "patch": "--- a",
            "sources": [{"label": "new-source-a", "role": "user", "content": "hi"}],
            "commit_message": "memory: x",
            "git_commit": "auto",
        }
    )
    assert (update.base_revision, update.edit, update.subject) == ("abc", PatchEdit("--- a"), "memory: x")
    assert update.sources == (NewSource(content="hi", role="user", label="new-source-a"),)
    assert len(update.warnings) == 1  # behaviours.md 0.1: git_commit is accepted and ignored


def test_an_update_needs_only_its_base_and_its_edit() -> None:
    update = parse_update({"base_revision": "abc", "patch": "--- a", "sources": None})
    assert (update.sources, update.subject, update.warnings) == ((), None, ())


@pytest.mark.parametrize(
    "payload",
    [
        None,
        [],
        {1: "x"},
        {"patch": "x"},  # behaviours.md 3.2
        {"base_revision": " ", "patch": "x"},
        {"base_revision": 7, "patch": "x"},
        {"base_revision": "a", "patch": "x", "commit_message": 7},  # behaviours.md 3.3
        {"base_revision": "a", "patch": "x", "commit_message": "\ud800"},
        {"base_revision": "a", "patch": " "},
        {"base_revision": "a", "patch": ["x"]},
        {"base_revision": "a", "patch": "x", "sources": {}},
        {"base_revision": "a", "patch": "x", "subject": "x"},
    ],
)
def test_malformed_updates_are_refused(payload: object) -> None:
    invalid(parse_update, payload)


def test_unknown_keys_are_all_named() -> None:
    message = invalid(parse_update, {"base_revision": "a", "patch": "x", "colour": 1, "author": 2, "null": None})
    assert "author, colour" in message


def test_file_changes_are_read() -> None:
    edit = parse_changes(
        [
            {"path": "topics/./a.md", "action": "write", "content": ""},
            {"path": "topics/b.md", "action": "delete", "content": None},
        ]
    )
    assert [type(change) for change in edit.changes] == [FileWrite, FileDelete]
    assert [change.path for change in edit.changes] == ["topics/a.md", "topics/b.md"]


@pytest.mark.parametrize(
    "changes",
    [
        [],
        "topics/x.md",
        ["topics/x.md"],
        [{"path": "topics/x.md", "action": "append", "content": ""}],
        [{"path": "topics/x.md", "action": "write"}],
        [{"path": "topics/x.md", "action": "write", "content": 7}],
        [{"path": "topics/x.md", "action": "delete", "content": "x"}],
        [{"path": "topics/x.md", "action": "delete", "why": "x"}],
        [{"path": "topics/./x.md", "action": "delete"}, {"path": "topics/x.md", "action": "delete"}],
        [{"action": "delete"}],
    ],
)
def test_malformed_file_changes_are_refused(changes: object) -> None:
    # behaviours.md 5.1, 5.2
    invalid(parse_changes, changes)


def test_paths_keep_their_own_codes() -> None:
    with pytest.raises(Refused) as caught:
        parse_changes([{"path": "topics/../x.md", "action": "delete"}])
    assert caught.value.code is Code.PATH_OUTSIDE_WORKSPACE


SOURCE = {"label": "new-source-a", "role": "user", "content": "hi"}


def test_speakers_and_times_are_read() -> None:
    (source,) = parse_sources([{**SOURCE, "speaker_id": "7", "speaker_display": "Ada", "timestamp": "2024-03-15"}])
    assert (source.speaker_id, source.speaker_display, source.timestamp) == ("7", "Ada", "2024-03-15")


def test_seconds_become_utc() -> None:
    # behaviours.md 0.29
    (source,) = parse_sources([{**SOURCE, "timestamp": 0}])
    assert source.timestamp == "1970-01-01T00:00:00+00:00"


def test_a_payload_never_says_who_vouches_for_it() -> None:
    # behaviours.md 8.11
    claimed = {**SOURCE, "trust_state": "trusted", "authority_tier": "owner", "principal_id": "p", "speaker_kind": "x"}
    assert parse_sources([{**claimed, "speaker": "Ada", "speaker_id": "7"}], speakers=False) == parse_sources([SOURCE])


@pytest.mark.parametrize(
    "source",
    [
        {},
        {**SOURCE, "label": None},
        {**SOURCE, "label": " "},
        {**SOURCE, "label": "a/b"},
        {**SOURCE, "label": "[x]"},
        {**SOURCE, "role": ""},
        {**SOURCE, "role": "user:"},
        {**SOURCE, "role": "us\ner"},
        {**SOURCE, "content": ""},
        {**SOURCE, "content": 7},
        {**SOURCE, "timestamp": True},
        {**SOURCE, "timestamp": 1e30},
        {**SOURCE, "timestamp": "[x"},
        {**SOURCE, "timestamp": "a\nb"},
        {**SOURCE, "colour": "x"},
    ],
)
def test_malformed_sources_are_refused(source: object) -> None:
    invalid(parse_sources, [source])


def test_a_label_is_declared_once() -> None:
    invalid(parse_sources, [SOURCE, SOURCE])
