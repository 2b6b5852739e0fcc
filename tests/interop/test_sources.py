"""What one path holds, in which formats (cli.md, ingest)."""

from __future__ import annotations

import json
import zipfile
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.errors import Code, InvalidRequest
from gitmem.interop import lines
from gitmem.interop.formats import FORMATS
from gitmem.interop.ingest import ingest
from gitmem.interop.reading import Fault
from gitmem.testing.conversations import MemoryConversations

if TYPE_CHECKING:
    from pathlib import Path

SAID = {"author": {"role": "user"}, "content": {"content_type": "text", "parts": ["hello"]}}
CHATGPT = json.dumps([{"conversation_id": "c1", "mapping": {"n1": {"parent": None, "message": SAID}}}])
CLAUDE = json.dumps([{"uuid": "c2", "chat_messages": [{"uuid": "m1", "sender": "human", "text": "hello"}]}])
CLAUDE_CODE = json.dumps({"type": "user", "uuid": "u1", "sessionId": "s1", "message": {"content": "hello"}})
CODEX_SAID = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hello"}]}
CODEX = json.dumps({"timestamp": "2026-01-02", "type": "response_item", "payload": CODEX_SAID})
JSONL = json.dumps({"content": "hello"})


def zipped(path: Path, **members: str) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(name.replace("__", "/").replace("_DOT_", "."), text)
    return path


def sessions(report: Any) -> list[tuple[str, str]]:
    return [(found.session, found.format) for found in report.sessions]


def test_exports_are_read_as_they_are_downloaded(tmp_path: Path) -> None:
    chatgpt = zipped(
        tmp_path / "chatgpt.zip",
        chat_DOT_html="<html>",
        conversations_DOT_json=CHATGPT,
        message_feedback_DOT_json="[]",
        user_DOT_json='{"id": "user-1", "email": "a@example.invalid"}',
    )
    claude = zipped(
        tmp_path / "data-2026.zip",
        conversations_DOT_json=CLAUDE,
        projects_DOT_json='[{"uuid": "p1", "docs": [{"content": "x"}]}]',
        users_DOT_json='[{"uuid": "x", "full_name": "Ada"}]',
    )
    report = ingest(MemoryConversations(), [chatgpt, claude])
    assert sessions(report) == [("chatgpt/c1", "chatgpt"), ("claude/c2", "claude")]
    assert (report.errors, report.unread) == ((), ())


def test_a_folder_may_hold_many_conversations_of_many_formats(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    (folder / "deep" / "er").mkdir(parents=True)
    for name, text in {
        "a.json": CHATGPT,
        "b.json": CLAUDE,
        "c.jsonl": CLAUDE_CODE,
        "deep/d.jsonl": CODEX,
        "deep/er/e.jsonl": JSONL,
        "notes.txt": "nothing",
        "package.json": '{"name": "x"}',
        "deep/log.jsonl": '{"level": "info"}',
    }.items():
        (folder / name).write_text(text, "utf-8")
    store = MemoryConversations()
    report = ingest(store, [folder])
    assert sessions(report) == [
        ("chatgpt/c1", "chatgpt"),
        ("claude/c2", "claude"),
        ("claude-code/s1", "claude-code"),
        ("codex/d", "codex"),
        ("import/e", "jsonl"),
    ]
    assert report.errors == ()
    assert ingest(store, [folder]).new == 0
    assert sessions(ingest(store, [folder], format="codex")) == [("codex/d", "codex")]


def test_a_session_in_several_files_is_one_conversation(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    line = {"type": "user", "sessionId": "s1", "message": {"content": "x"}}
    first, second = {**line, "uuid": "u1", "parentUuid": None}, {**line, "uuid": "u2", "parentUuid": "u1"}
    (folder / "b.jsonl").write_text(json.dumps(first), "utf-8")
    (folder / "a.jsonl").write_text(json.dumps(second), "utf-8")
    report = ingest(MemoryConversations(), [folder])
    (session,) = report.sessions
    assert (session.head, session.branches, session.turns, report.errors) == ("u2", 1, 2, ())


@pytest.mark.parametrize("format_name", [entry.name for entry in FORMATS])
@pytest.mark.parametrize("text", [CHATGPT, CLAUDE, CLAUDE_CODE, CODEX, JSONL, "plain words\n", "[]x", "\0\1"])
def test_a_wrong_format_is_reported_and_never_fails(tmp_path: Path, format_name: str, text: str) -> None:
    path = tmp_path / "in"
    path.write_text(text, "utf-8")
    report = ingest(MemoryConversations(), [path], format=format_name)
    assert report.turns == 1 or report.errors
    assert bool(report.unread) is (report.turns == 0)


@pytest.mark.parametrize("name", ["x.json", "x.txt", "x.zip", "x"])
@pytest.mark.parametrize("data", [b"", b" \n", b"\xef\xbb\xbf"])
def test_a_file_with_nothing_in_it_is_in_no_format(tmp_path: Path, name: str, data: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    report = ingest(MemoryConversations(), [path])
    assert [error.code for error in report.errors] == [Fault.UNKNOWN_FORMAT]


def test_a_container_without_the_named_format_is_reported(tmp_path: Path) -> None:
    path = zipped(tmp_path / "x.zip", a_DOT_json=CLAUDE, b_DOT_jsonl=CODEX)
    report = ingest(MemoryConversations(), [path], format="chatgpt")
    assert [(error.file, error.code) for error in report.errors] == [(str(path), Fault.UNKNOWN_FORMAT)]
    assert report.unread == (str(path),)


def test_a_session_is_named_for_every_document_that_takes_a_name(tmp_path: Path) -> None:
    path = zipped(tmp_path / "x.zip", a_DOT_jsonl=JSONL, b_DOT_jsonl='{"content": "more"}')
    report = ingest(MemoryConversations(), [path], session="import/both")
    assert [(found.session, found.turns) for found in report.sessions] == [("import/both", 2)]
    with pytest.raises(InvalidRequest) as caught:
        ingest(MemoryConversations(), [zipped(path, a_DOT_json=CLAUDE)], session="import/both")
    assert caught.value.code is Code.INVALID_ARGUMENT


@pytest.mark.parametrize(
    "text", [CLAUDE_CODE, CODEX, '{"id": "n1", "session_id": "s1", "parent_id": null, "role": "user"}']
)
def test_a_line_that_is_too_long_costs_only_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(lines, "MAX_LINE_BYTES", 300)
    path = tmp_path / "x.jsonl"
    path.write_text(f"{text}\n{' ' * 400}\n{text}\n", "utf-8")
    report = ingest(MemoryConversations(), [path])
    assert [(error.line, error.code) for error in report.errors] == [(2, Fault.LINE_TOO_LONG)]


def test_what_a_tool_was_called_with_may_be_nested_deeply(tmp_path: Path) -> None:
    deep = '{"type": "tool_use", "name": "x", "input": ' + "[" * 900 + "]" * 900 + "}"
    path = tmp_path / "x.jsonl"
    path.write_text(CLAUDE_CODE.replace('"hello"', f'["words", 7, {deep}, {{}}]'), "utf-8")
    report = ingest(MemoryConversations(), [path])
    assert report.turns == 2 or report.errors


def test_a_file_that_goes_away_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(JSONL, "utf-8")
    monkeypatch.setattr("gitmem.interop.container._is_zip", lambda found: found.with_name("gone").read_bytes())
    report = ingest(MemoryConversations(), [path])
    assert [(error.file, error.code) for error in report.errors] == [(str(path), Fault.UNREADABLE_FILE)]
    assert report.unread == (str(path),)
