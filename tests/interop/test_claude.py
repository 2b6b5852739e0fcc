"""Claude's export: conversations of messages, with edits and retries (cli.md, ingest)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.conversations.model import SessionId
from gitmem.interop.claude import looks_like_claude, read_claude
from gitmem.interop.document import Document, Sample
from gitmem.interop.ingest import ingest
from gitmem.interop.reading import Current, Draft, Fault, ReadError, Skipped
from gitmem.testing.conversations import MemoryConversations

if TYPE_CHECKING:
    from pathlib import Path

SESSION = SessionId("claude", "c1")
ROOT = "00000000-0000-4000-8000-000000000000"


def said(name: str, text: str = "hello", sender: str = "human", **values: Any) -> dict[str, Any]:
    return {"uuid": name, "sender": sender, "text": text, "content": [{"type": "text", "text": text}], **values}


def chat(*messages: object, **values: Any) -> dict[str, Any]:
    return {"uuid": "c1", "name": "a title", "chat_messages": list(messages), **values}


def read(tmp_path: Path, document: object) -> list[Any]:
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps(document), "utf-8")
    return list(read_claude(Document.of(path)))


def drafts(tmp_path: Path, *messages: object) -> list[Draft]:
    found = read(tmp_path, [chat(*messages)])
    assert all(isinstance(item, Draft) for item in found)
    return found


def test_thread_and_ids_are_those_of_conversation_and_messages(tmp_path: Path) -> None:
    one, two = drafts(tmp_path, said("m1", created_at="2024-12-01T10:00:00Z"), said("m2", "hi", "assistant"))
    assert (one.session, one.id, one.parent, one.role, one.content) == (SESSION, "m1", None, "user", "hello")
    assert (one.timestamp, two.timestamp) == ("2024-12-01T10:00:00Z", None)
    assert (two.id, two.parent, two.role) == ("m2", "m1", "assistant")


def test_a_message_follows_the_one_it_names(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        chat(
            said("m1", parent_message_uuid=ROOT),
            said("m2", "one", "assistant", parent_message_uuid="m1"),
            said("m3", "another", "assistant", parent_message_uuid="m1"),
            said("m4", parent_message_uuid="m3"),
            current_leaf_message_uuid="m2",
        ),
    )
    assert [(item.id, item.parent) for item in found[:4]] == [("m1", None), ("m2", "m1"), ("m3", "m1"), ("m4", "m3")]
    assert found[4] == Current(SESSION, "m2")


def test_the_machinery_of_a_reply_is_turns_of_its_own_in_its_place(tmp_path: Path) -> None:
    content = [
        {"type": "thinking", "thinking": "hm"},
        {"type": "text", "text": "I look."},
        {"type": "tool_use", "name": "web_search", "input": {"query": "rye"}},
        {"type": "tool_result", "content": [{"type": "text", "text": "found"}, {"type": "knowledge", "title": "t"}, 7]},
        {"type": "text", "text": "Rye it is."},
        {"type": "text", "text": "Bye."},
    ]
    found = drafts(tmp_path, said("m1"), said("m2", "", "assistant", content=content), said("m3"))
    assert [(item.id, item.parent, item.role, item.content) for item in found[1:]] == [
        ("m2.1", "m1", "tool", "hm"),
        ("m2", "m2.1", "assistant", "I look."),
        ("m2.3", "m2", "tool", '[tool_use: web_search] {"query": "rye"}\nfound\nt'),
        ("m2.4", "m2.3", "assistant", "Rye it is.\nBye."),
        ("m3", "m2.4", "user", "hello"),
    ]


@pytest.mark.parametrize("content", [None, [], [{"type": "text", "text": ""}], [{"type": "token_budget"}]])
def test_an_old_export_has_the_text_alone(tmp_path: Path, content: object) -> None:
    (found,) = drafts(tmp_path, said("m1", " kept \r\n", content=content))
    assert found.content == " kept \r\n"


def test_files_become_placeholders_once(tmp_path: Path) -> None:
    attachments = [{"file_name": "notes.txt", "extracted_content": "long"}, {"file_name": ""}]
    files = [{"file_name": "loaf.jpg"}, {"file_name": "notes.txt"}, "x"]
    (found,) = drafts(tmp_path, said("m1", "look", attachments=attachments, files=files))
    assert found.content == "look\n[attachment: notes.txt]\n[attachment]\n[attachment: loaf.jpg]"
    (found,) = drafts(tmp_path, said("m1", "", content=[{"type": "image"}, {"type": "voice_note", "text": "hi"}]))
    assert found.content == "[image]\nhi"


def test_a_message_that_says_nothing_is_counted_and_passed_over(tmp_path: Path) -> None:
    found = read(tmp_path, [chat(said("m1"), said("m2", ""), said("m3"), current_leaf_message_uuid="m2")])
    assert found[0] == Skipped(SESSION)
    assert [(item.id, item.parent) for item in found[1:3]] == [("m1", None), ("m3", "m1")]
    assert found[3] == Current(SESSION, "m1")


@pytest.mark.parametrize(
    ("message", "code", "item"),
    [
        ("text", Fault.NOT_A_TURN, "message 1"),
        ({"sender": "human", "text": "x"}, Fault.BAD_ID, "message 1"),
        (said("m0", sender="nobody"), Fault.BAD_FIELD, "message m0"),
        (said("m0", sender=["x"]), Fault.BAD_FIELD, "message m0"),
        (said("m0", content={"a": 1}), Fault.BAD_FIELD, "message m0"),
        (said("m0", "a\0b"), Fault.BAD_TEXT, "message m0"),
        (said("m0", "a\ud83d"), Fault.BAD_TEXT, "message m0"),
        (said("a]b"), Fault.BAD_ID, "message a]b"),
    ],
)
def test_a_broken_message_is_reported_with_its_place_and_the_rest_is_read(
    tmp_path: Path, message: object, code: Fault, item: str
) -> None:
    error, one, two = read(tmp_path, [chat(message, said("m1"), said("m2", parent_message_uuid="m0"))])
    assert isinstance(error, ReadError)
    assert (error.code, error.item) == (code, f"conversation 1, {item}")
    assert one.id == "m1"
    assert two.parent == (None if item == "message m0" else "m0")


@pytest.mark.parametrize(
    ("conversation", "code"),
    [
        (7, Fault.NOT_A_CONVERSATION),
        ({"uuid": "c1"}, Fault.NOT_A_CONVERSATION),
        ({"chat_messages": []}, Fault.NOT_A_CONVERSATION),
        ({"uuid": "a/b", "chat_messages": []}, Fault.BAD_SESSION),
    ],
)
def test_a_broken_conversation_is_reported_and_the_others_are_read(
    tmp_path: Path, conversation: object, code: Fault
) -> None:
    error, draft = read(tmp_path, [conversation, chat(said("m1"))])
    assert (error.code, error.item, draft.id) == (code, "conversation 1", "m1")


def test_of_an_export_that_was_cut_off_the_whole_conversations_are_read(tmp_path: Path) -> None:
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([chat(said("m1")), chat(said("m2"))])[:-40], "utf-8")
    draft, error = read_claude(Document.of(path))
    assert isinstance(draft, Draft)
    assert isinstance(error, ReadError)
    assert (draft.id, error.code, error.line) == ("m1", Fault.INVALID_JSON, 1)


def test_a_new_title_is_nothing_new(tmp_path: Path) -> None:
    store = MemoryConversations()
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([chat(said("m1"))]), "utf-8")
    ingest(store, [path])
    path.write_text(json.dumps([chat(said("m1", updated_at="2026-01-01"), said("m2", "x"), name="another")]), "utf-8")
    report = ingest(store, [path])
    assert (report.errors, report.turns, report.new) == ((), 2, 1)
    assert report.sessions[0].head == "m2"


@pytest.mark.parametrize(
    ("head", "known"),
    [
        (b'[{"uuid": "x", "chat_messages": [', True),
        (b' \n{"chat_messages":[]}', True),
        (b'[{"text": "\\"chat_messages\\": []"}]', False),
        (b'"chat_messages": []', False),
        (b"[]", False),
    ],
)
def test_it_is_known_by_the_name_of_its_messages(head: bytes, known: bool) -> None:
    assert looks_like_claude(Sample("conversations.json", head)) is known


def test_a_real_export_has_two_conversations(shared_data: Path) -> None:
    report = ingest(MemoryConversations(), [shared_data / "exports" / "claude.json"])
    assert [
        (found.session, found.format, found.head, found.branches, found.turns, found.new, found.skipped, found.pending)
        for found in report.sessions
    ] == [
        ("claude/test-conv-1", "claude", "msg-2", 1, 2, 2, 0, 0),
        ("claude/test-conv-2", "claude", "msg-6", 1, 4, 4, 0, 0),
    ]
    assert report.errors == ()
