"""ChatGPT's export: a tree of messages with its branches (cli.md, Inputs)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.conversations.model import SessionId
from gitmem.interop.chatgpt import read_chatgpt
from gitmem.interop.document import Document
from gitmem.interop.reading import Current, Draft, Fault, ReadError, Skipped

if TYPE_CHECKING:
    from pathlib import Path

SESSION = SessionId("chatgpt", "c1")


def message(text: str = "hello", **values: Any) -> dict[str, Any]:
    return {"author": {"role": "user"}, "content": {"content_type": "text", "parts": [text]}, **values}


def said(role: str, content: object, **values: Any) -> dict[str, Any]:
    return {"author": {"role": role}, "content": content, **values}


def tree(*nodes: tuple[str, str | None, dict[str, Any] | None], **values: Any) -> dict[str, Any]:
    mapping = {name: {"id": name, "parent": parent, "message": found} for name, parent, found in nodes}
    return {"conversation_id": "c1", "mapping": mapping, **values}


def read(tmp_path: Path, document: object) -> list[Any]:
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps(document), "utf-8")
    return list(read_chatgpt(Document.of(path)))


def only(tmp_path: Path, found: dict[str, Any]) -> Draft:
    (draft,) = read(tmp_path, tree(("m1", None, found)))
    assert isinstance(draft, Draft)
    return draft


def fault(tmp_path: Path, document: object) -> ReadError:
    (error,) = read(tmp_path, document)
    assert isinstance(error, ReadError)
    return error


# --- the tree


def test_thread_and_ids_are_those_of_conversation_and_nodes(tmp_path: Path) -> None:
    found = read(tmp_path, [tree(("n1", None, message("a")), ("n2", "n1", message("b")), current_node="n2")])
    assert [(item.session, item.id, item.parent) for item in found[:2]] == [
        (SESSION, "n1", None),
        (SESSION, "n2", "n1"),
    ]
    assert found[2] == Current(SESSION, "n2")


@pytest.mark.parametrize("key", ["conversation_id", "id"])
def test_one_conversation_may_stand_alone(tmp_path: Path, key: str) -> None:
    document = tree(("n1", None, message())) | {"conversation_id": None, key: "c7"}
    assert read(tmp_path, document)[0].session == SessionId("chatgpt", "c7")


def test_nodes_without_text_leave_no_turn_and_are_counted(tmp_path: Path) -> None:
    document = tree(
        ("root", None, None),
        ("hidden", "root", message("", metadata={"is_visually_hidden_from_conversation": True})),
        ("blank", "hidden", message(" \n")),
        ("n1", "blank", message("a")),
        ("gap", "n1", said("assistant", None)),
        ("n2", "gap", message("b")),
        current_node="gap",
    )
    found = read(tmp_path, document)
    assert [item for item in found if isinstance(item, Skipped)] == [Skipped(SESSION)] * 4
    assert [(item.id, item.parent) for item in found if isinstance(item, Draft)] == [("n1", None), ("n2", "n1")]
    assert found[-1] == Current(SESSION, "n1")


def test_nodes_may_stand_in_any_order(tmp_path: Path) -> None:
    found = read(tmp_path, tree(("n2", "gap", message("b")), ("gap", "n1", None), ("n1", None, message("a"))))
    assert [(item.id, item.parent) for item in found if isinstance(item, Draft)] == [("n2", "n1"), ("n1", None)]


def test_what_follows_a_broken_node_follows_what_that_followed(tmp_path: Path) -> None:
    found = read(tmp_path, tree(("n1", None, message("a")), ("bad", "n1", message("\0")), ("n2", "bad", message("b"))))
    assert isinstance(found[0], ReadError)
    assert [(item.id, item.parent) for item in found[1:]] == [("n1", None), ("n2", "n1")]


def test_a_parent_that_the_export_does_not_have_is_named(tmp_path: Path) -> None:
    found = read(tmp_path, tree(("gap", "gone", None), ("n1", "gap", message("a"))))
    assert [(item.id, item.parent) for item in found if isinstance(item, Draft)] == [("n1", "gone")]


def test_a_circle_of_nodes_without_text_leads_nowhere(tmp_path: Path) -> None:
    found = read(
        tmp_path, tree(("a", "b", None), ("b", "a", None), ("n1", "a", message("x")), ("n2", "b", message("y")))
    )
    assert [(item.id, item.parent) for item in found if isinstance(item, Draft)] == [("n1", None), ("n2", None)]


@pytest.mark.parametrize("current", [None, 7, "nowhere", "root"])
def test_a_current_node_that_is_no_turn_says_nothing(tmp_path: Path, current: object) -> None:
    found = read(tmp_path, tree(("root", None, None), ("n1", "root", message()), current_node=current))
    assert not [item for item in found if isinstance(item, Current)]


def test_a_long_chain_of_nodes_without_text_is_walked_once(tmp_path: Path) -> None:
    nodes = [("0", None, message("root"))]
    nodes += [(str(n), str(n - 1), message(f"{n}") if n > 3000 else None) for n in range(1, 3100)]  # type: ignore[misc]
    nodes += [(f"x{n}", "2999", message("side")) for n in range(300)]
    found = [item for item in read(tmp_path, tree(*nodes)) if isinstance(item, Draft)]
    assert [item.parent for item in found if item.id.startswith("x")] == ["0"] * 300


# --- roles and texts


@pytest.mark.parametrize("role", ["user", "assistant", "system", "tool"])
def test_the_role_is_the_authors(tmp_path: Path, role: str) -> None:
    assert only(tmp_path, said(role, {"content_type": "text", "parts": ["x"]}, recipient="all")).role == role


@pytest.mark.parametrize(
    "found",
    [
        said("assistant", {"content_type": "text", "parts": ["search()"]}, recipient="browser"),
        said("assistant", {"content_type": "code", "text": "1 + 1"}, recipient="all"),
        said("assistant", {"content_type": "execution_output", "text": "2"}),
        said("assistant", {"content_type": "thoughts", "thoughts": [{"summary": "s", "content": "c"}]}),
        said("assistant", {"content_type": "text", "parts": ["x"]}, recipient=["a"]),
    ],
)
def test_what_is_said_to_tools_and_code_is_the_machinery_of_a_turn(tmp_path: Path, found: dict[str, Any]) -> None:
    assert only(tmp_path, found).role == "tool"


def test_hidden_text_is_not_what_anybody_said(tmp_path: Path) -> None:
    hidden = message("Use grams.", metadata={"is_visually_hidden_from_conversation": True})
    assert only(tmp_path, hidden).display == "runtime"
    assert only(tmp_path, message()).display is None


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ({"content_type": "text", "parts": ["a", "", "b"]}, "a\nb"),
        ({"content_type": "text", "parts": ["  kept \r\n"]}, "  kept \r\n"),
        ({"content_type": "code", "text": "x = 1"}, "x = 1"),
        ({"content_type": "execution_output", "text": "1"}, "1"),
        (
            {"content_type": "multimodal_text", "parts": [{"content_type": "image_asset_pointer"}, "look"]},
            "[image]\nlook",
        ),
        ({"content_type": "multimodal_text", "parts": [{"content_type": "audio_transcription", "text": "hi"}]}, "hi"),
        ({"content_type": "multimodal_text", "parts": [{}, 7, "x"]}, "[attachment]\nx"),
        ({"content_type": "tether_browsing_display", "result": "page"}, "page"),
        ({"content_type": "user_editable_context", "user_profile": "p", "user_instructions": "i"}, "p\ni"),
        ({"content_type": "thoughts", "thoughts": [{"summary": "s", "content": "c"}, "x", {}]}, "s\nc"),
        ({"content_type": "not known", "text": "t"}, "t"),
        ({"text": "t"}, "t"),
    ],
)
def test_every_kind_of_content_becomes_text(tmp_path: Path, content: dict[str, Any], text: str) -> None:
    assert only(tmp_path, said("user", content)).content == text


def test_attachments_become_placeholders_once(tmp_path: Path) -> None:
    parts = [{"content_type": "image_asset_pointer", "asset_pointer": "file-service://file-1"}, "this"]
    files = [{"id": "file-1", "name": "loaf.jpg"}, {"id": "file-2", "name": "recipe.pdf"}, {"id": "file-3"}, "x"]
    found = said("user", {"content_type": "multimodal_text", "parts": parts}, metadata={"attachments": files})
    assert only(tmp_path, found).content == "[image: loaf.jpg]\nthis\n[attachment: recipe.pdf]\n[attachment]"


def test_only_what_no_later_export_changes_is_kept_beside_the_text(tmp_path: Path) -> None:
    found = message(status="in_progress", weight=0.0, metadata={"model_slug": "x"}, recipient="all")
    assert only(tmp_path, found).metadata == {}
    code = said("assistant", {"content_type": "code", "text": "x"}, recipient="python")
    assert only(tmp_path, code).metadata == {"content_type": "code", "recipient": "python"}


def test_times_are_unix_seconds_in_utc(tmp_path: Path) -> None:
    # behaviours.md 0.29
    assert only(tmp_path, message(create_time=1695326273.5)).timestamp == "2023-09-21T19:57:53.500000+00:00"
    assert only(tmp_path, message(create_time=None)).timestamp is None


def test_a_message_with_a_bad_time_is_kept_without_one(tmp_path: Path) -> None:
    error, draft = read(tmp_path, tree(("m1", None, message(create_time="soon"))))
    assert (error.code, draft.timestamp) == (Fault.BAD_TIME, None)


# --- what cannot be read


@pytest.mark.parametrize(
    ("found", "code"),
    [
        ("text", Fault.NOT_A_TURN),
        ({"message": 7}, Fault.NOT_A_TURN),
        ({"message": said("narrator", {"parts": ["x"]})}, Fault.BAD_FIELD),
        ({"message": {"author": "me", "content": {"parts": ["x"]}}}, Fault.BAD_FIELD),
        ({"message": said("user", "flat")}, Fault.BAD_FIELD),
        ({"message": message("\0")}, Fault.BAD_TEXT),
        ({"message": message("\ud83d")}, Fault.BAD_TEXT),
    ],
)
def test_a_broken_node_is_reported_with_its_name(tmp_path: Path, found: object, code: Fault) -> None:
    error = fault(tmp_path, [{"conversation_id": "c1", "mapping": {"n1": found}}])
    assert (error.code, error.line, error.item) == (code, None, "conversation 1, message n1")


def test_a_node_whose_name_makes_no_handle_is_reported(tmp_path: Path) -> None:
    assert fault(tmp_path, tree(("a[1]", None, message()))).code is Fault.BAD_ID


@pytest.mark.parametrize(
    ("conversation", "code"),
    [
        (7, Fault.NOT_A_CONVERSATION),
        ({"conversation_id": "c1"}, Fault.NOT_A_CONVERSATION),
        ({"conversation_id": "c1", "mapping": []}, Fault.NOT_A_CONVERSATION),
        ({"mapping": {}}, Fault.NOT_A_CONVERSATION),
        ({"conversation_id": "a/b", "mapping": {}}, Fault.BAD_SESSION),
    ],
)
def test_a_broken_conversation_is_reported_and_the_others_are_read(
    tmp_path: Path, conversation: object, code: Fault
) -> None:
    error, draft = read(tmp_path, [conversation, tree(("m1", None, message()))])
    assert (error.code, error.item, draft.id) == (code, "conversation 1", "m1")


@pytest.mark.parametrize(
    ("data", "code", "line"),
    [
        (b"", Fault.INVALID_JSON, 1),
        (b"[\n\n", Fault.INVALID_JSON, 3),
        (b"\n}", Fault.INVALID_JSON, 2),
        (b"[\xff]", Fault.NOT_UTF8, 1),
        (b"[\n[1,\n2 3]]", Fault.INVALID_JSON, 3),
        (b"[" * 100_000, Fault.INVALID_JSON, 1),
        (b"[" + b"[" * 100_000 + b"]" * 100_001, Fault.INVALID_JSON, 1),
        (b"[" + b"9" * 5000 + b"]", Fault.INVALID_JSON, 1),
        (b"[] []", Fault.INVALID_JSON, None),
    ],
)
def test_a_file_that_is_no_json_is_one_error(tmp_path: Path, data: bytes, code: Fault, line: int | None) -> None:
    path = tmp_path / "conversations.json"
    path.write_bytes(data)
    (error,) = read_chatgpt(Document.of(path))
    assert isinstance(error, ReadError)
    assert (error.code, error.line) == (code, line)
