"""Codex's rollouts: what somebody said, and what the program sent in their name (cli.md, ingest)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.conversations.model import SessionId
from gitmem.interop.codex import looks_like_codex, read_codex
from gitmem.interop.document import Document, Sample
from gitmem.interop.ingest import ingest
from gitmem.interop.reading import Draft, Fault, Skipped
from gitmem.testing.conversations import MemoryConversations

if TYPE_CHECKING:
    from pathlib import Path

ID = "0199a213-81c0-7800-8aa1-bbab2a035a53"
SESSION = SessionId("codex", ID)
HEAD = {"timestamp": "2026-01-02T10:00:00Z", "type": "session_meta", "payload": {"id": ID, "cwd": "/work"}}
AT = "2026-01-02T10:00:01Z"


def event(of: str, at: str | None = AT, **payload: Any) -> dict[str, Any]:
    return {"timestamp": at, "type": of, "payload": payload}


def item(role: str, *texts: str, at: str | None = AT) -> dict[str, Any]:
    kind = "output_text" if role == "assistant" else "input_text"
    content = [{"type": kind, "text": text} for text in texts]
    return event("response_item", at, type="message", role=role, content=content)


def typed(text: str, **values: Any) -> dict[str, Any]:
    return event("event_msg", type="user_message", message=text, **values)


def write(path: Path, *lines: object) -> Path:
    path.write_text("".join(f"{json.dumps(found)}\n" for found in lines), "utf-8")
    return path


def read(tmp_path: Path, *lines: object, name: str = "rollout.jsonl") -> list[Any]:
    return list(read_codex(Document.of(write(tmp_path / name, *lines))))


def drafts(tmp_path: Path, *lines: object) -> list[Draft]:
    return [found for found in read(tmp_path, HEAD, *lines) if isinstance(found, Draft)]


def told(found: list[Draft]) -> list[tuple[str, str | None, str]]:
    return [(draft.role, draft.display, draft.content) for draft in found]


# --- the conversation


def test_turns_follow_each_other_in_the_session_of_the_head(tmp_path: Path) -> None:
    one, two = drafts(tmp_path, item("user", "hello"), item("assistant", "hi", at=None))
    assert (one.session, one.parent, one.role, one.content, one.timestamp) == (SESSION, None, "user", "hello", AT)
    assert (two.session, two.parent, two.role, two.content, two.timestamp) == (SESSION, one.id, "assistant", "hi", None)


@pytest.mark.parametrize(("name", "thread"), [(f"rollout-2026-01-02T10-00-00-{ID}.jsonl", ID), ("x.jsonl", "x")])
def test_a_rollout_without_head_is_named_by_its_file(tmp_path: Path, name: str, thread: str) -> None:
    assert read(tmp_path, item("user", "hello"), name=name)[0].session == SessionId("codex", thread)


def test_the_head_of_the_session_that_was_forked_is_passed_over(tmp_path: Path) -> None:
    other = event("session_meta", id="other")
    assert [found.session for found in drafts(tmp_path, other, item("user", "a"))] == [SESSION]


def test_equal_messages_of_one_moment_are_turns_of_their_own(tmp_path: Path) -> None:
    lines = [item("user", "go"), item("user", "go"), item("assistant", "go")]
    ids = [found.id for found in drafts(tmp_path, *lines)]
    assert len(set(ids)) == 3
    # Whatever stands between them in another version of the file, the ids are the same.
    assert [found.id for found in drafts(tmp_path, event("turn_context"), *lines, item("user", "more"))][:3] == ids


def test_an_old_file_has_no_envelopes(tmp_path: Path) -> None:
    head = {"id": ID, "timestamp": "2025-06-01T10:00:00Z", "instructions": None}
    content = [{"type": "input_text", "text": "hello"}]
    found = read(
        tmp_path,
        head,
        {"record_type": "state"},
        {"type": "message", "id": None, "role": "user", "content": content},
        {"type": "function_call", "name": "shell", "arguments": '{"command":["ls"]}', "call_id": "c"},
        {"type": "function_call_output", "call_id": "c", "output": '{"output":"a.py"}'},
    )
    assert found[:2] == [Skipped(SESSION)] * 2
    assert told(found[2:]) == [
        ("user", None, "hello"),
        ("tool", None, '[function_call: shell] {"command":["ls"]}'),
        ("tool", None, '{"output":"a.py"}'),
    ]


def test_questions_that_were_taken_back_are_a_branch(tmp_path: Path) -> None:
    lines = [item("user", "one"), item("assistant", "1"), item("user", "two"), item("assistant", "2")]
    undone = event("event_msg", type="thread_rolled_back", num_turns=1)
    found = drafts(tmp_path, *lines, undone, item("user", "three"))
    assert found[4].parent == found[1].id
    found = drafts(tmp_path, *lines, event("event_msg", type="thread_rolled_back", num_turns=9), item("user", "x"))
    assert found[4].parent is None


# --- who said it


def test_a_message_that_stands_twice_in_the_file_is_one_turn(tmp_path: Path) -> None:
    found = drafts(
        tmp_path,
        item("user", "hello"),
        typed("hello"),
        event("event_msg", type="agent_reasoning", text="hm"),
        event("event_msg", type="agent_message", message="hi"),
        item("assistant", "hi"),
    )
    assert told(found) == [("user", None, "hello"), ("assistant", None, "hi")]


def test_a_file_with_events_alone_is_read_by_them(tmp_path: Path) -> None:
    found = drafts(
        tmp_path,
        typed("<x>", kind="environment_context"),
        typed("hello", kind="plain"),
        event("event_msg", type="error"),
        event("event_msg", type="agent_message", message="hi"),
    )
    assert told(found) == [("user", "runtime", "<x>"), ("user", None, "hello"), ("assistant", None, "hi")]


@pytest.mark.parametrize(
    "text",
    [
        "<environment_context>\n  <cwd>/tmp</cwd>\n</environment_context>",
        "<user_instructions>\n\nBe brief.\n\n</user_instructions>",
        "<permissions instructions>x</permissions instructions>",
        '<skill name="x">y</skill>\n',
        "# AGENTS.md instructions for /tmp\n\n<INSTRUCTIONS>\nx\n</INSTRUCTIONS>",
        "<turn_aborted>The user interrupted.</turn_aborted>",
    ],
)
def test_what_the_program_sent_is_nothing_that_a_person_said(tmp_path: Path, text: str) -> None:
    # behaviours.md 9.4
    found = drafts(tmp_path, item("user", text, "hello"))
    assert [(draft.display, draft.content) for draft in found] == [("runtime", text), (None, "hello")]
    assert told(drafts(tmp_path, item("user", text), typed(text))) == [("user", None, text)]


def test_everything_in_a_subagents_rollout_is_machinery(tmp_path: Path) -> None:
    head = event("session_meta", id=ID, source={"subagent": "review"})
    found = read(tmp_path, head, item("user", "review it"), item("assistant", "done"))
    assert told(found[1:]) == [("user", "runtime", "review it"), ("assistant", "runtime", "done")]


@pytest.mark.parametrize(
    ("payload", "text"),
    [
        ({"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}], "content": None}, "hm"),
        (
            {"type": "custom_tool_call", "name": "apply_patch", "input": "*** x"},
            "[custom_tool_call: apply_patch] *** x",
        ),
        ({"type": "local_shell_call", "action": {"a": 1}}, '[local_shell_call] {"a": 1}'),
        ({"type": "web_search_call"}, "[web_search_call] "),
        ({"type": "function_call_output", "output": {"content": "x", "success": True}}, "x"),
        ({"type": "function_call_output", "output": [{"type": "input_text", "text": "y"}]}, "y"),
        ({"type": "custom_tool_call_output", "output": [{"type": "input_image"}, 7]}, "[image]"),
    ],
)
def test_calls_results_and_reasoning_are_the_machinery_of_a_turn(
    tmp_path: Path, payload: dict[str, Any], text: str
) -> None:
    assert told(drafts(tmp_path, event("response_item", **payload))) == [("tool", None, text)]


@pytest.mark.parametrize("role", ["developer", "system", "someone"])
def test_other_roles_are_the_systems(tmp_path: Path, role: str) -> None:
    assert told(drafts(tmp_path, item(role, "x"))) == [("system", None, "x")]


def test_what_a_conversation_was_compacted_to_is_the_systems(tmp_path: Path) -> None:
    assert told(drafts(tmp_path, event("compacted", message="so far"))) == [("system", None, "so far")]


@pytest.mark.parametrize(
    "payload",
    [
        {"type": "reasoning", "encrypted_content": "x"},
        {"type": "message", "role": "user", "content": None},
        {"type": "ghost_snapshot"},
        {},
    ],
)
def test_events_that_say_nothing_are_counted(tmp_path: Path, payload: dict[str, Any]) -> None:
    assert read(tmp_path, HEAD, event("response_item", **payload))[1:] == [Skipped(SESSION)]


# --- what cannot be read


@pytest.mark.parametrize(
    ("broken", "code"),
    [
        ("[1]", Fault.NOT_A_TURN),
        ('{"type": "response_item", "payload": {"type": "message", "role": "us', Fault.INVALID_JSON),
        (json.dumps(item("user", "a\0")), Fault.BAD_TEXT),
    ],
)
def test_a_broken_line_is_reported_and_the_rest_is_read(tmp_path: Path, broken: str, code: Fault) -> None:
    path = tmp_path / "rollout.jsonl"
    path.write_text(f"{json.dumps(item('user', 'a'))}\n{broken}\n{json.dumps(item('user', 'b'))}\n", "utf-8")
    one, error, two = read_codex(Document.of(path))
    assert two.parent == one.id  # type: ignore[union-attr]
    assert (error.code, error.line) == (code, 2)  # type: ignore[union-attr]


def test_a_head_that_names_no_conversation_is_reported(tmp_path: Path) -> None:
    error, draft = read(tmp_path, event("session_meta", id="a/b"), item("user", "a"))
    assert (error.code, draft.session) == (Fault.BAD_SESSION, SessionId("codex", "rollout"))


def test_a_bad_time_costs_only_itself(tmp_path: Path) -> None:
    error, draft = read(tmp_path, HEAD, item("user", "a", at="soon"))[1:]
    assert (error.code, draft.timestamp) == (Fault.BAD_TIME, None)


# --- growing, and knowing it


def test_a_grown_rollout_adds_its_new_part(tmp_path: Path) -> None:
    store = MemoryConversations()
    lines = [HEAD, item("user", "a"), item("assistant", "b"), item("user", "a")]
    path = write(tmp_path / "x.jsonl", *lines[:3])
    assert ingest(store, [path]).new == 2
    write(path, *lines)
    assert ingest(store, [path]).new == 1
    report = ingest(store, [path])
    assert (report.new, report.sessions[0].turns, report.sessions[0].branches) == (0, 3, 1)


@pytest.mark.parametrize(
    ("fields", "known"),
    [
        (HEAD, True),
        (event("response_item", type="message"), True),
        ({"id": ID, "timestamp": "2025", "instructions": "x"}, True),
        ({"id": ID, "timestamp": "2025", "content": "x"}, False),
        ({"type": "response_item"}, False),
        ({"type": "user", "payload": {}}, False),
    ],
)
def test_it_is_known_by_its_first_event(fields: dict[str, Any], known: bool) -> None:
    assert looks_like_codex(Sample("x.jsonl", b"cut\n" + json.dumps(fields).encode())) is known


def test_a_real_rollout_without_messages_is_a_conversation_without_turns(shared_data: Path) -> None:
    report = ingest(MemoryConversations(), [shared_data / "exports" / "codex.jsonl"])
    (session,) = report.sessions
    assert (session.session, session.format, session.head) == ("codex/test-ratelimit-session", "codex", None)
    assert (session.branches, session.turns, session.new, session.skipped, session.pending) == (0, 0, 0, 5, 0)
    assert (report.errors, report.unread) == ((), ())
