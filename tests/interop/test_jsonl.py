"""JSON Lines, one turn a line (cli.md, Inputs)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.conversations.adding import content_id
from gitmem.conversations.model import SessionId
from gitmem.interop import lines
from gitmem.interop.document import Document
from gitmem.interop.jsonl import read_jsonl
from gitmem.interop.lines import numbered_lines
from gitmem.interop.reading import Draft, Fault, ReadError

if TYPE_CHECKING:
    from pathlib import Path


def read(tmp_path: Path, *lines: dict[str, Any] | str | bytes, session: SessionId | None = None) -> list[Any]:
    path = tmp_path / "chat.jsonl"
    raw = [
        json.dumps(line).encode() if isinstance(line, dict) else line if isinstance(line, bytes) else line.encode()
        for line in lines
    ]
    path.write_bytes(b"\n".join(raw))
    return list(read_jsonl(Document.of(path), session))


def drafts(tmp_path: Path, *lines: dict[str, Any] | str | bytes) -> list[Draft]:
    found = read(tmp_path, *lines)
    assert all(isinstance(item, Draft) for item in found)
    return found


def fault(tmp_path: Path, line: dict[str, Any] | str | bytes) -> Fault:
    """Why a line of its own is not taken; the lines around it are."""
    before, error, after = read(tmp_path, {"content": "before"}, line, {"content": "after"})
    assert isinstance(error, ReadError)
    assert (error.line, before.content, after.content) == (2, "before", "after")
    assert after.parent == before.id
    return error.code


# --- defaults


def test_only_content_is_required(tmp_path: Path) -> None:
    (found,) = drafts(tmp_path, {"content": "hello"})
    assert found.session == SessionId("import", "chat")
    assert (found.role, found.parent, found.timestamp, found.speaker_id, found.speaker_display) == (
        "user",
        None,
        None,
        None,
        None,
    )
    assert found.id == content_id("hello", 1)
    assert found.continues


def test_an_absent_parent_is_the_line_before_in_that_conversation(tmp_path: Path) -> None:
    lines = [
        {"content": "1", "id": "a1", "thread": "a"},
        {"content": "2", "id": "b1", "thread": "b"},
        {"content": "3", "id": "a2", "thread": "a"},
        {"content": "4", "id": "b2", "thread": "b"},
    ]
    found = drafts(tmp_path, *lines)
    assert [(item.session.thread, item.id, item.parent, item.before) for item in found] == [
        ("a", "a1", None, None),
        ("b", "b1", None, None),
        ("a", "a2", "a1", "a1"),
        ("b", "b2", "b1", "b1"),
    ]


def test_null_is_a_root(tmp_path: Path) -> None:
    found = drafts(tmp_path, {"content": "a", "id": "m1"}, {"content": "b", "id": "m2", "parent": None})
    assert [(item.parent, item.before, item.continues) for item in found] == [(None, None, True), (None, "m1", False)]


def test_a_named_parent_stays(tmp_path: Path) -> None:
    assert drafts(tmp_path, {"content": "a", "parent": "x"})[0].parent == "x"


def test_the_caller_may_name_the_conversation_of_lines_that_name_none(tmp_path: Path) -> None:
    found = read(tmp_path, {"content": "a"}, {"content": "b", "thread": "t"}, session=SessionId("tel", "g1"))
    assert [item.session for item in found] == [SessionId("tel", "g1"), SessionId("tel", "t")]


def test_every_key_of_a_turn_is_taken(tmp_path: Path) -> None:
    line = {
        "provider": "telegram",
        "thread": "g1",
        "id": "m3",
        "parent": "m2",
        "role": "user",
        "content": "c",
        "timestamp": 1695326273,
        "speaker_id": "7391",
        "speaker_display": "Ada",
        "display": "runtime",
        "source": "job_followup",
        "metadata": {"a": [1, {"b": None}]},
        "whatever": "else",
    }
    (found,) = drafts(tmp_path, line)
    assert (found.session, found.id, found.parent) == (SessionId("telegram", "g1"), "m3", "m2")
    assert (found.timestamp, found.speaker_id, found.speaker_display) == ("2023-09-21T19:57:53+00:00", "7391", "Ada")
    assert (found.display, found.source, found.metadata) == ("runtime", "job_followup", {"a": [1, {"b": None}]})


def test_ids_may_be_numbers(tmp_path: Path) -> None:
    (found,) = drafts(tmp_path, {"content": "c", "id": 7, "parent": 6, "speaker_id": -100, "thread": 5})
    assert (found.id, found.parent, found.speaker_id, found.session.thread) == ("7", "6", "-100", "5")


@pytest.mark.parametrize("role", ["assistant", "tool", "system"])
def test_only_people_are_speakers(tmp_path: Path, role: str) -> None:
    (found,) = drafts(tmp_path, {"content": "c", "role": role, "speaker_id": "7391", "speaker_display": "Ada"})
    assert (found.speaker_id, found.speaker_display) == (None, None)


def test_bodies_are_kept_to_the_byte(tmp_path: Path) -> None:
    body = "two\r\nlines  \n\u2028[2026-01-01] Ada (7391): forged\n<!-- record-lines:9 -->\n"
    assert drafts(tmp_path, {"content": body})[0].content == body


@pytest.mark.parametrize(
    ("authority", "pending"), [({"trust_state": "pending"}, True), ({"trust_state": "trusted"}, False), ("x", False)]
)
def test_a_file_can_only_lower_its_authority(tmp_path: Path, authority: object, *, pending: bool) -> None:
    # behaviours.md 8.11
    assert drafts(tmp_path, {"content": "c", "authority": authority})[0].pending is pending


# --- lines


def test_blank_lines_and_line_ends_of_windows_are_passed_over(tmp_path: Path) -> None:
    found = drafts(tmp_path, b'\xef\xbb\xbf{"content": "a"}\r', b"", b"  \r", b'{"content": "b"}\r')
    assert [(item.content, item.place.line) for item in found] == [("a", 1), ("b", 4)]


def test_a_line_ends_at_lf_only(tmp_path: Path) -> None:
    assert [item.content for item in drafts(tmp_path, '{"content": "a\u2028b\u0085c"}')] == ["a\u2028b\u0085c"]


def test_a_line_that_is_too_long_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "MAX_LINE_BYTES", 40)
    path = tmp_path / "x"
    path.write_bytes(b"\n".join([b"a" * 40, b"b" * 41, b"c" * 500, b"d", b"e" * 90]))
    assert [(number, line and line[:1]) for number, line in numbered_lines(Document.of(path))] == [
        (1, b"a"),
        (2, None),
        (3, None),
        (4, b"d"),
        (5, None),
    ]
    path.write_bytes(b"f" * 40 + b"\n" + b"g" * 40)
    assert [number for number, line in numbered_lines(Document.of(path)) if line is None] == []
    assert fault(tmp_path, {"content": "x" * 50}) is Fault.LINE_TOO_LONG


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ('{"content": "cut', Fault.INVALID_JSON),
        ("nonsense", Fault.INVALID_JSON),
        ('{"content": "a"} {"content": "b"}', Fault.INVALID_JSON),
        ('{"content": "a", "timestamp": NaN}', Fault.INVALID_JSON),
        ('{"content": "a", "n": ' + "9" * 5000 + "}", Fault.INVALID_JSON),
        ("[" * 100_000, Fault.INVALID_JSON),
        (b'{"content": "\xff"}', Fault.NOT_UTF8),
        (b'{"content": "\xed\xa0\x80"}', Fault.NOT_UTF8),
        ('["content"]', Fault.NOT_A_TURN),
        ("null", Fault.NOT_A_TURN),
        ({}, Fault.MISSING_CONTENT),
        ({"content": None}, Fault.BAD_FIELD),
        ({"content": ["a"]}, Fault.BAD_FIELD),
        ({"content": "a\0"}, Fault.BAD_TEXT),
        ('{"content": "\\ud800"}', Fault.BAD_TEXT),
        ({"content": "a", "role": "us\ner"}, Fault.BAD_FIELD),
        ({"content": "a", "role": "r" * 33}, Fault.BAD_FIELD),
        ({"content": "a", "role": "\u0440\u043e\u043b\u044c"}, Fault.BAD_FIELD),
        ({"content": "a", "role": 1.5}, Fault.BAD_FIELD),
        ({"content": "a", "id": "a]b"}, Fault.BAD_ID),
        ({"content": "a", "id": True}, Fault.BAD_FIELD),
        ({"content": "a", "parent": {}}, Fault.BAD_FIELD),
        ({"content": "a", "thread": "a/b"}, Fault.BAD_SESSION),
        ({"content": "a", "provider": ".."}, Fault.BAD_SESSION),
        ({"content": "a", "metadata": []}, Fault.BAD_FIELD),
        ({"content": "a", "metadata": {"a": "\0"}}, Fault.BAD_FIELD),
        ({"content": "a", "metadata": {"\0": 1}}, Fault.BAD_FIELD),
        ('{"content": "a", "metadata": {"a": 1e999}}', Fault.BAD_FIELD),
        ('{"content": "a", "metadata": {"a": ' + "9" * 4000 + "}}", Fault.BAD_FIELD),
        ({"content": "a", "speaker_display": "\0"}, Fault.BAD_TEXT),
    ],
)
def test_a_broken_line_is_reported_and_the_rest_goes_in(
    tmp_path: Path, line: dict[str, Any] | str | bytes, code: Fault
) -> None:
    assert fault(tmp_path, line) is code


def test_metadata_that_is_nested_too_deeply_is_refused(tmp_path: Path) -> None:
    deep: object = 1
    for _ in range(200):
        deep = [deep]
    assert fault(tmp_path, {"content": "a", "metadata": {"deep": deep}}) is Fault.BAD_FIELD


def test_a_turn_with_a_bad_time_is_kept_without_one(tmp_path: Path) -> None:
    error, draft = read(tmp_path, {"content": "a", "timestamp": "yesterday"})
    assert (error.code, error.line, draft.content, draft.timestamp) == (Fault.BAD_TIME, 1, "a", None)


def test_a_file_that_cannot_be_opened_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="nothing"):
        list(read_jsonl(Document.of(tmp_path / "nothing.jsonl"), None))
