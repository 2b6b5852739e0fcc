"""Names that one file system would take for each other (behaviours.md 7.11)."""

from __future__ import annotations

import pytest

from gitmem.conversations.model import MAIN, Branch, NodeId, SessionId, session_of
from gitmem.conversations.names import refuse_twins
from gitmem.errors import Code, InvalidRequest
from gitmem.format.layout import session_ref

STANDING = [session_ref("chat", "Caf\u00e9", "main")]


@pytest.mark.parametrize(
    "names",
    [
        ("chat", "Caf\u00e9", "main"),
        ("chat", "Caf\u00e9", "other"),
        ("chat", "Cafe", "main"),
        ("tel", "Caf\u00e9", "Main"),
    ],
)
def test_other_names_are_taken(names: tuple[str, str, str]) -> None:
    refuse_twins(STANDING, [session_ref(*names)])


@pytest.mark.parametrize(
    "names",
    [("Chat", "x", "main"), ("chat", "caf\u00e9", "main"), ("chat", "Cafe\u0301", "y"), ("chat", "Caf\u00e9", "MAIN")],
)
def test_twins_of_standing_names_are_refused(names: tuple[str, str, str]) -> None:
    with pytest.raises(InvalidRequest) as caught:
        refuse_twins(STANDING, [session_ref(*names)])
    assert caught.value.code is Code.INVALID_ARGUMENT
    assert set(caught.value.details) == {"name", "twin"}


def test_twins_among_added_names_are_refused() -> None:
    with pytest.raises(InvalidRequest):
        refuse_twins((), [session_ref("chat", "a", "main"), session_ref("chat", "A", "main")])


def test_a_session_is_written_provider_thread() -> None:
    assert str(SessionId("telegram", "g1")) == "telegram/g1"
    assert SessionId.parse("telegram/g1") == SessionId("telegram", "g1")


@pytest.mark.parametrize("text", ["", "g1", "/g1", "telegram/", "a/b/c"])
def test_anything_else_names_no_session(text: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        SessionId.parse(text)
    assert caught.value.code is Code.INVALID_ARGUMENT


def test_the_head_is_main_or_else_the_first_branch_by_name() -> None:
    one, two = NodeId("1"), NodeId("2")
    assert session_of(SessionId("a", "b"), {"a": one, MAIN: two}).head == Branch(MAIN, two)
    assert session_of(SessionId("a", "b"), {"b": one, "a": two}).head == Branch("a", two)
