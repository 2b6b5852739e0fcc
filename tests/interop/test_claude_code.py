"""Claude Code's sessions: what somebody said, and what the program put in (cli.md, ingest)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.conversations.model import SessionId
from gitmem.interop.claude_code import looks_like_claude_code, read_claude_code
from gitmem.interop.document import Document, Sample
from gitmem.interop.ingest import ingest
from gitmem.interop.reading import Current, Draft, Fault, Skipped
from gitmem.testing.conversations import MemoryConversations

if TYPE_CHECKING:
    from pathlib import Path

SESSION = SessionId("claude-code", "s1")


def line(name: str, parent: str | None, content: object, kind: str = "user", **values: Any) -> dict[str, Any]:
    message = {"role": kind, "content": content}
    return {"type": kind, "uuid": name, "parentUuid": parent, "sessionId": "s1", "message": message, **values}


def write(path: Path, *lines: object) -> Path:
    path.write_text("".join(f"{json.dumps(item)}\n" for item in lines), "utf-8")
    return path


def read(tmp_path: Path, *lines: object) -> list[Any]:
    return list(read_claude_code(Document.of(write(tmp_path / "chat.jsonl", *lines))))


def drafts(tmp_path: Path, *lines: object) -> list[Draft]:
    return [item for item in read(tmp_path, *lines) if isinstance(item, Draft)]


def told(found: list[Draft]) -> list[tuple[str, str | None, str]]:
    return [(item.role, item.display, item.content) for item in found]


# --- links


def test_thread_and_ids_are_those_of_session_and_lines(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        line("u1", None, "hello", timestamp="2026-01-02T10:00:00.000Z"),
        line("u2", "u1", [{"type": "text", "text": "hi"}], "assistant"),
    )
    one, two, current = found
    assert (one.session, one.id, one.parent, one.role, one.content) == (SESSION, "u1", None, "user", "hello")
    assert (one.timestamp, one.place.line) == ("2026-01-02T10:00:00.000Z", 1)
    assert (two.id, two.parent, two.role, two.timestamp) == ("u2", "u1", "assistant", None)
    assert current == Current(SESSION, "u2")


def test_what_was_rewound_is_a_branch(tmp_path: Path) -> None:
    found = drafts(
        tmp_path, line("u1", None, "a"), line("u2", "u1", "b"), line("u3", "u1", "c"), line("u4", None, "another start")
    )
    assert [(item.id, item.parent) for item in found] == [("u1", None), ("u2", "u1"), ("u3", "u1"), ("u4", None)]


def test_lines_without_links_follow_each_other(tmp_path: Path) -> None:
    found = drafts(tmp_path, line("u1", None, "a"), line("u2", None, "b"))
    assert [(item.id, item.parent) for item in found] == [("u1", None), ("u2", "u1")]
    bare = [{"type": "user", "message": {"content": text}} for text in ("a", "b", "b")]
    found = drafts(tmp_path, *bare)
    assert [item.session for item in found] == [SessionId("claude-code", "chat")] * 3
    assert len({item.id for item in found}) == 3
    assert [item.parent for item in found[1:]] == [found[0].id, found[1].id]


def test_lines_that_say_nothing_are_passed_over_and_counted(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        {"type": "summary", "summary": "a title", "leafUuid": "u3"},
        {"type": "file-history-snapshot", "messageId": "u1", "snapshot": {}},
        line("u1", None, "a"),
        {"type": "progress", "uuid": "u2", "parentUuid": "u1", "sessionId": "s1"},
        {"type": "attachment", "uuid": "u2b", "parentUuid": "u2", "sessionId": "s1", "attachment": {"type": "x"}},
        line("u3", "u2b", "b"),
    )
    assert [item for item in found if isinstance(item, Skipped)] == [Skipped(SESSION)] * 4
    assert [(item.id, item.parent) for item in found if isinstance(item, Draft)] == [("u1", None), ("u3", "u1")]


def test_a_file_that_names_no_session_is_named_by_its_file(tmp_path: Path) -> None:
    titles = [{"type": "summary", "summary": "a title", "leafUuid": f"u{number}"} for number in range(2)]
    assert read(tmp_path, *titles) == [Skipped(SessionId("claude-code", "chat"))] * 2


def test_a_compacted_conversation_goes_on(tmp_path: Path) -> None:
    boundary = {"type": "system", "subtype": "compact_boundary", "content": "Conversation compacted"}
    found = drafts(
        tmp_path,
        line("u1", None, "a"),
        line("u2", "u1", "b", "assistant"),
        {**boundary, "uuid": "u3", "parentUuid": None, "logicalParentUuid": "u2", "sessionId": "s1"},
        line("u4", "u3", "This session is being continued.", isCompactSummary=True),
    )
    assert [(item.id, item.parent) for item in found[2:]] == [("u3", "u2"), ("u4", "u3")]
    assert told(found[2:]) == [
        ("system", None, "Conversation compacted"),
        ("user", "runtime", "This session is being continued."),
    ]


def test_a_file_may_hold_several_sessions(tmp_path: Path) -> None:
    found = read(tmp_path, line("u1", None, "a"), line("v1", None, "b", sessionId="s2"), line("u2", "u1", "c"))
    assert [item.session.thread for item in found if isinstance(item, Draft)] == ["s1", "s2", "s1"]
    assert found[3:] == [Current(SESSION, "u2"), Current(SessionId("claude-code", "s2"), "v1")]


# --- who said it


def test_calls_results_and_thoughts_are_the_machinery_of_a_turn(tmp_path: Path) -> None:
    call = {"type": "tool_use", "name": "Bash", "input": {"command": "ls"}}
    shown = [{"type": "text", "text": "a.py"}, {"type": "image"}]
    found = drafts(
        tmp_path,
        line(
            "u1", None, [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "Let me."}, call], "assistant"
        ),
        line("u2", "u1", [{"type": "tool_result", "content": shown}], toolUseResult={"stdout": "a.py"}),
        line("u3", "u2", [{"type": "tool_result", "content": "more"}, {"type": "text", "text": "stop"}]),
    )
    assert [(item.id, item.parent, item.role, item.content) for item in found] == [
        ("u1.1", None, "tool", "hm"),
        ("u1", "u1.1", "assistant", "Let me."),
        ("u1.3", "u1", "tool", '[tool_use: Bash] {"command": "ls"}'),
        ("u2", "u1.3", "tool", "a.py\n[image]"),
        ("u3.1", "u2", "tool", "more"),
        ("u3", "u3.1", "user", "stop"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "<command-name>/clear</command-name>\n  <command-message>c</command-message>\n<command-args></command-args>",
        "<local-command-stdout>done</local-command-stdout>",
        "<bash-input>ls</bash-input>",
        "<bash-stdout>a\n</bash-stdout><bash-stderr></bash-stderr>",
        "<system-reminder>\nBe brief.\n</system-reminder>",
        "<user-prompt-submit-hook>checked</user-prompt-submit-hook>",
        '<teammate-message teammate_id="x">done</teammate-message>',
        "Caveat: The messages below were generated by the user while running local commands.",
        "[Request interrupted by user]",
        "[Request interrupted by user for tool use]",
    ],
)
def test_what_the_program_put_in_is_nothing_that_a_person_said(tmp_path: Path, text: str) -> None:
    # behaviours.md 9.4
    assert told(drafts(tmp_path, line("u1", None, text))) == [("user", "runtime", text)]
    assert told(drafts(tmp_path, line("u1", None, [{"type": "text", "text": text}]))) == [("user", "runtime", text)]


@pytest.mark.parametrize(
    "values",
    [
        {"isMeta": True},
        {"isVisibleInTranscriptOnly": True},
        {"isSidechain": True},
        {"origin": {"kind": "task-notification"}},
        {"type": "assistant", "isApiErrorMessage": True},
        {"type": "assistant", "message": {"model": "<synthetic>", "content": "x"}},
    ],
)
def test_lines_that_the_program_owns_up_to_are_its_own(tmp_path: Path, values: dict[str, Any]) -> None:
    (found,) = drafts(tmp_path, line("u1", None, "x", **values))
    assert found.display == "runtime"


def test_a_persons_words_are_set_apart_to_the_byte(tmp_path: Path) -> None:
    opened, reminder = "<ide_opened_file>a.py</ide_opened_file>", "<system-reminder>Hm.</system-reminder>"
    said = "  What is <b>this</b>?\r\nAnd <system-reminder> in a text? "
    found = drafts(tmp_path, line("u1", None, f"{opened}\n{said}\n\n{reminder}\n{reminder}"), line("u2", "u1", said))
    assert [(item.id, item.role, item.display, item.content) for item in found] == [
        ("u1.1", "user", "runtime", f"{opened}\n  "),
        ("u1", "user", None, said.strip()),
        ("u1.3", "user", "runtime", f"{reminder}\n{reminder}"),
        ("u2", "user", None, said),
    ]


def test_what_was_typed_while_the_assistant_worked_was_said(tmp_path: Path) -> None:
    queued = {"type": "queued_command", "prompt": "also rye", "commandMode": "prompt"}
    notice = {"type": "queued_command", "prompt": "a task is done", "commandMode": "task-notification"}
    values = {"type": "attachment", "sessionId": "s1"}
    found = drafts(
        tmp_path,
        {**values, "uuid": "u1", "parentUuid": None, "attachment": queued},
        {**values, "uuid": "u2", "parentUuid": "u1", "attachment": notice},
    )
    assert told(found) == [("user", None, "also rye"), ("user", "runtime", "a task is done")]


def test_subagents_are_kept_beside_the_conversation(tmp_path: Path) -> None:
    path = write(
        tmp_path / "s1.jsonl",
        line("u1", None, "a"),
        line("u2", "u1", "b", "assistant"),
        line("x1", None, "search", isSidechain=True),
        line("x2", "x1", "found", "assistant", isSidechain=True),
    )
    (report,) = ingest(MemoryConversations(), [path]).sessions
    assert (report.head, report.branches, report.turns) == ("u2", 2, 4)


# --- what cannot be read


@pytest.mark.parametrize(
    ("broken", "code"),
    [
        ("[1]", Fault.NOT_A_TURN),
        ("{", Fault.INVALID_JSON),
        (json.dumps(line("u2", "u1", 7)), Fault.BAD_FIELD),
        (json.dumps(line("u2", "u1", "x") | {"message": "x"}), Fault.NOT_A_TURN),
        (json.dumps(line("u2", "u1", "a\0")), Fault.BAD_TEXT),
        (json.dumps(line("u2", "u1", "x", sessionId="a/b")), Fault.BAD_SESSION),
    ],
)
def test_a_broken_line_is_reported_and_the_rest_is_read(tmp_path: Path, broken: str, code: Fault) -> None:
    path = tmp_path / "chat.jsonl"
    path.write_text(f"{json.dumps(line('u1', None, 'a'))}\n{broken}\n{json.dumps(line('u3', 'u1', 'b'))}\n", "utf-8")
    one, error, two, _ = read_claude_code(Document.of(path))
    assert [one.id, two.id, two.parent] == ["u1", "u3", "u1"]  # type: ignore[union-attr]
    assert (error.code, error.line) == (code, 2)  # type: ignore[union-attr]


def test_what_follows_a_broken_line_follows_what_that_followed(tmp_path: Path) -> None:
    found = drafts(tmp_path, line("u1", None, "a"), line("u2", "u1", "\0"), line("u3", "u2", "b"))
    assert [(item.id, item.parent) for item in found] == [("u1", None), ("u3", "u1")]


def test_a_bad_time_costs_only_itself(tmp_path: Path) -> None:
    error, draft, _ = read(tmp_path, line("u1", None, "a", timestamp="soon"))
    assert (error.code, draft.timestamp) == (Fault.BAD_TIME, None)


def test_many_reminders_cost_no_more_than_their_length(tmp_path: Path) -> None:
    text = "<system-reminder>" * 20_000 + " " * 20_000 + "x"
    assert told(drafts(tmp_path, line("u1", None, text))) == [("user", None, text)]


# --- growing, and knowing it


def test_a_grown_session_adds_its_new_part_and_an_older_copy_moves_nothing(tmp_path: Path) -> None:
    store = MemoryConversations()
    lines = [line("u1", None, "a"), line("u2", "u1", "b", "assistant"), line("u3", "u2", "c")]
    old, new = write(tmp_path / "old.jsonl", *lines[:2]), write(tmp_path / "new.jsonl", *lines)
    assert ingest(store, [old]).new == 2
    assert ingest(store, [new]).new == 1
    report = ingest(store, [old])
    assert (report.new, report.sessions[0].head, report.sessions[0].branches) == (0, "u3", 1)


@pytest.mark.parametrize(
    ("fields", "known"),
    [
        (line("u1", None, "x"), True),
        ({"type": "summary", "summary": "x", "leafUuid": "u1"}, True),
        ({"type": "file-history-snapshot", "sessionId": "s"}, True),
        ({"type": "summary", "summary": "x"}, False),
        ({"content": "x", "id": "u1"}, False),
        ({"sessionId": "x", "uuid": "u", "content": "x"}, False),
    ],
)
def test_it_is_known_by_an_event_of_a_session(fields: dict[str, Any], known: bool) -> None:
    assert looks_like_claude_code(Sample("x.jsonl", b"cut\n" + json.dumps(fields).encode())) is known


def test_a_real_session_has_seven_turns_that_were_said(shared_data: Path) -> None:
    store, path = MemoryConversations(), shared_data / "exports" / "claude_code.jsonl"
    report = ingest(store, [path])
    (session,) = report.sessions
    assert (session.session, session.format, session.head) == ("claude-code/test_session", "claude-code", "msg_011")
    assert (session.branches, session.turns, session.new, session.skipped, session.pending) == (1, 11, 11, 1, 0)
    assert report.errors == ()
    found = [item for item in read_claude_code(Document.of(path)) if isinstance(item, Draft)]
    assert [item.role for item in found].count("user") == 4
    assert [item.role for item in found].count("assistant") == 3
    assert [item.role for item in found].count("tool") == 4
    assert ingest(store, [path]).new == 0
