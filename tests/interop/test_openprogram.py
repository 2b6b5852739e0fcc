"""OpenProgram's sessions: graphs of nodes (behaviours.md 0.3, 8, 9)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.conversations.model import SessionId
from gitmem.interop.document import Document, Sample
from gitmem.interop.ingest import ingest
from gitmem.interop.openprogram import looks_like_openprogram, read_openprogram
from gitmem.interop.reading import Current, Draft, Fault, Skipped, Written
from gitmem.testing.conversations import MemoryConversations

if TYPE_CHECKING:
    from pathlib import Path

SESSION = SessionId("openprogram", "s1")
PENDING = {"trust_state": "pending", "principal_id": "x", "speaker_kind": "human", "authority_tier": None}


def node(name: str, content: object = "hello", role: str = "user", **values: Any) -> dict[str, Any]:
    return {"id": name, "role": role, "content": content, **values}


def session(*nodes: object, **values: Any) -> dict[str, Any]:
    return {"id": "s1", "nodes": list(nodes), **values}


def read(tmp_path: Path, document: object) -> list[Any]:
    path = tmp_path / "session.json"
    path.write_text(json.dumps(document), "utf-8")
    return list(read_openprogram(Document.of(path)))


def links(found: list[Any]) -> list[tuple[str, str | None]]:
    return [(item.id, item.parent) for item in found if isinstance(item, Draft)]


def only(tmp_path: Path, found: dict[str, Any]) -> Draft:
    (draft,) = read(tmp_path, session(found))
    assert isinstance(draft, Draft)
    return draft


# --- the graph


@pytest.mark.parametrize("key", ["parent", "parent_id", "predecessor", "predecessor_id"])
def test_nodes_follow_what_they_name(tmp_path: Path, key: str) -> None:
    nodes = (node("n1"), node("n2"), node("n3", **{key: "n1"}), node("n4", **{key: None}), node("n5"))
    found = read(tmp_path, session(*nodes, head="n3"))
    assert links(found) == [("n1", None), ("n2", "n1"), ("n3", "n1"), ("n4", None), ("n5", "n4")]
    assert found[0].session == SESSION
    assert found[-1] == Current(SESSION, "n3")


@pytest.mark.parametrize(
    "document",
    [
        [session(node("n1"), node("n2"))],
        {"session_id": "s1", "messages": [node("n1"), node("n2")]},
        {"id": "s1", "nodes": {"n1": {"role": "user", "content": "a"}, "n2": {"role": "user", "content": "b"}}},
    ],
)
def test_a_session_may_be_written_down_in_several_ways(tmp_path: Path, document: object) -> None:
    found = read(tmp_path, document)
    assert links(found) == [("n1", None), ("n2", "n1")]
    assert {item.session for item in found} == {SESSION}


def test_nodes_may_stand_one_a_line(tmp_path: Path) -> None:
    lines = [
        node("n1", session_id="s1"),
        node("m1", session_id="s2", parent_id=None),
        node("n2", session_id="s1", parent_id="n1"),
        node("x1"),
    ]
    path = tmp_path / "all.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    found = list(read_openprogram(Document.of(path)))
    assert links(found) == [("n1", None), ("m1", None), ("n2", "n1"), ("x1", None)]
    assert [item.session.thread for item in found] == ["s1", "s2", "s1", "all"]
    assert [item.place.line for item in found if isinstance(item, Draft)] == [1, 2, 3, 4]


def test_what_follows_a_node_that_says_nothing_follows_what_that_followed(tmp_path: Path) -> None:
    nodes = (node("n3", parent="n2"), node("n2", "", parent="n1"), node("n1", parent=None))
    found = read(tmp_path, session(*nodes, head="n2"))
    assert found[0] == Skipped(SESSION)
    assert links(found) == [("n3", "n1"), ("n1", None)]
    assert found[-1] == Current(SESSION, "n1")


# --- what a node says


@pytest.mark.parametrize(
    ("role", "kept"),
    [("user", "user"), ("assistant", "assistant"), ("llm", "assistant"), ("code", "tool"), ("tool", "tool")],
)
def test_roles_are_those_of_a_turn(tmp_path: Path, role: str, kept: str) -> None:
    assert only(tmp_path, node("n1", role=role)).role == kept


def test_content_may_be_blocks(tmp_path: Path) -> None:
    blocks = [{"type": "tool_use", "name": "read", "input": {}}, {"type": "text", "text": "done"}]
    found = read(tmp_path, session(node("n1", blocks, "assistant"), {"id": "n2", "role": "llm", "output": "bye"}))
    assert [(item.id, item.role, item.content) for item in found] == [
        ("n1.1", "tool", "[tool_use: read] {}"),
        ("n1", "assistant", "done"),
        ("n2", "assistant", "bye"),
    ]


def test_times_are_unix_seconds_or_iso(tmp_path: Path) -> None:
    # behaviours.md 0.29, 10.7
    assert only(tmp_path, node("n1", timestamp=1695326273)).timestamp == "2023-09-21T19:57:53+00:00"
    assert only(tmp_path, node("n1", created_at="2026-01-02")).timestamp == "2026-01-02"
    error, draft = read(tmp_path, session(node("n1", timestamp="soon")))
    assert (error.code, draft.timestamp) == (Fault.BAD_TIME, None)


@pytest.mark.parametrize("inside", [True, False])
def test_who_speaks_is_what_the_node_says_and_never_the_text(tmp_path: Path, inside: bool) -> None:
    # behaviours.md 8.1
    who = {"speaker_id": "7391", "speaker_display": "Ada"}
    values = {"metadata": {**who, "peer_id": "g1"}} if inside else who
    found = only(tmp_path, node("n1", "[Bo (u1)] hi", **values))
    assert (found.speaker_id, found.speaker_display, found.content) == ("7391", "Ada", "[Bo (u1)] hi")
    assert dict(found.metadata) == ({"peer_id": "g1"} if inside else {})
    assert only(tmp_path, node("n1", "x", "assistant", metadata=who)).speaker_id is None


@pytest.mark.parametrize("values", [{"display": "runtime"}, {"source": "job_followup"}, {"source": "merge_turn"}])
@pytest.mark.parametrize("inside", [True, False])
def test_the_runtimes_own_turns_are_known(tmp_path: Path, values: dict[str, str], inside: bool) -> None:
    # behaviours.md 9.4
    found = only(tmp_path, node("n1", **({"metadata": values} if inside else values)))
    assert (found.display, found.source) == (values.get("display"), values.get("source"))


def test_a_file_can_lower_its_authority_and_never_raise_it(tmp_path: Path) -> None:
    # behaviours.md 8.11, 8.13
    assert only(tmp_path, node("n1", metadata={"authority": PENDING})).pending
    raised = {"trust_state": "trusted", "authority_tier": "owner"}
    people = [node(f"n{n}", metadata={"speaker_id": str(n), "authority": raised}) for n in range(2)]
    path = tmp_path / "session.json"
    path.write_text(json.dumps(session(*people, head="n1")), "utf-8")
    assert ingest(MemoryConversations(), [path]).pending == 2
    assert ingest(MemoryConversations(), [path], owner="1").pending == 1


def test_metadata_that_no_turn_can_hold_is_left_out(tmp_path: Path) -> None:
    assert dict(only(tmp_path, node("n1", metadata={"a": "\ud83d"})).metadata) == {}


def test_marks_are_told_and_are_no_part_of_the_turn(tmp_path: Path) -> None:
    mark = {"memory_written_scriptorium": "w-1234abcd"}
    found = read(tmp_path, session(node("n1", metadata=mark), node("n2", **mark), node("n3"), node("n4", "", **mark)))
    assert [item for item in found if isinstance(item, Written)] == [
        Written(SESSION, "n1", "w-1234abcd"),
        Written(SESSION, "n2", "w-1234abcd"),
    ]
    assert {str(dict(item.metadata)) for item in found if isinstance(item, Draft)} == {"{}"}


# --- what cannot be read


@pytest.mark.parametrize(
    ("broken", "code"),
    [
        ("text", Fault.NOT_A_TURN),
        ({"role": "user", "content": "x"}, Fault.BAD_ID),
        (node("a]b"), Fault.BAD_ID),
        (node("n0", role="no role"), Fault.BAD_FIELD),
        ({"id": "n0", "content": "x"}, Fault.BAD_FIELD),
        (node("n0", {"a": 1}), Fault.BAD_FIELD),
        (node("n0", "\0"), Fault.BAD_TEXT),
        (node("n0", speaker_id="\0"), Fault.BAD_TEXT),
    ],
)
def test_a_broken_node_is_reported_and_the_rest_is_read(tmp_path: Path, broken: object, code: Fault) -> None:
    # behaviours.md 9.4: a row without id
    error, draft = read(tmp_path, session(broken, node("n1", parent=None)))
    assert (error.code, draft.id) == (code, "n1")
    assert error.item == "conversation 1, message 1"


@pytest.mark.parametrize("found", [7, {"id": "s1"}, {"nodes": []}, {"id": 7, "nodes": []}, {"id": "s1", "nodes": 7}])
def test_a_broken_session_is_reported_and_the_others_are_read(tmp_path: Path, found: object) -> None:
    error, draft = read(tmp_path, [found, session(node("n1"))])
    assert (error.code, error.item, draft.id) == (Fault.NOT_A_CONVERSATION, "conversation 1", "n1")


@pytest.mark.parametrize("name", ["a/b", "..", "[x]"])
def test_a_session_that_no_archive_can_be_named_for_is_reported(tmp_path: Path, name: str) -> None:
    (error,) = read(tmp_path, {"id": name, "nodes": []})
    assert error.code in {Fault.BAD_SESSION, Fault.BAD_ID}
    path = tmp_path / "x.jsonl"
    path.write_text(json.dumps(node("n1", session_id=name)) + "\n{\n", "utf-8")
    assert [item.place if isinstance(item, Draft) else item.line for item in read_openprogram(Document.of(path))] == [  # type: ignore[union-attr]
        1,
        2,
    ]


@pytest.mark.parametrize(
    ("head", "known"),
    [
        (b'{"id": "s1", "head": "n1", "nodes": [', True),
        (b'[{"session_id": "s1", "nodes": {', True),
        (b'{"id": "s1", "nodes": [', False),
        (b'{"content": "x", "metadata": {"memory_written_scriptorium": "w-1234abcd"}}', True),
        (b'{"content": "\\"memory_written_scriptorium\\": 1"}', False),
        (b'{"session_id": "s1", "parent_id": null, "role": "user", "content": "x"}\n', True),
        (b'{"session_id": "s1", "role": "user", "content": "x"}\n', False),
        (b'"nodes": [] "head": 1', False),
    ],
)
def test_it_is_known_by_marks_and_by_nodes_with_a_head(head: bytes, known: bool) -> None:
    assert looks_like_openprogram(Sample("session.json", head)) is known
