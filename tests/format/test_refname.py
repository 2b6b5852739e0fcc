"""Session refs: canonical, bounded, and valid for git (architecture.md section 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.errors import InvalidRequest
from gitmem.format.refname import MAX_COMPONENT_BYTES, SessionName, parse_session_ref, session_ref

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Git

UNICODE = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)


def test_components_are_percent_encoded_dots_too() -> None:
    assert session_ref("telegram", "a.b/c", "main") == "refs/gitmem/sessions/telegram/a%2Eb%2Fc/main"
    assert session_ref("~", "..", "@{-1}") == "refs/gitmem/sessions/%7E/%2E%2E/%40%7B-1%7D"


@given(UNICODE, UNICODE, UNICODE)
def test_a_session_ref_reads_back(provider: str, thread: str, branch: str) -> None:
    assert parse_session_ref(session_ref(provider, thread, branch)) == SessionName(provider, thread, branch)


@pytest.mark.parametrize(
    "ref",
    [
        "refs/heads/main",
        "refs/gitmem/sessions/a/b",
        "refs/gitmem/sessions/a/b/c/d",
        "refs/gitmem/sessions/a/b.c/d",
        "refs/gitmem/sessions/a/%62/d",
        "refs/gitmem/sessions/a/%ff/d",
        "refs/gitmem/sessions/a/%e9/d",
        f"refs/gitmem/sessions/a/{'x' * 241}/d",
    ],
)
def test_another_spelling_is_no_session_ref(ref: str) -> None:
    assert parse_session_ref(ref) is None


def test_a_component_has_one_to_240_bytes() -> None:
    assert session_ref("p", "x" * MAX_COMPONENT_BYTES, "b")
    for thread in ("", "x" * (MAX_COMPONENT_BYTES + 1), "é" * 41):
        with pytest.raises(InvalidRequest):
            session_ref("p", thread, "b")


def test_a_name_that_is_not_unicode_is_refused() -> None:
    with pytest.raises(InvalidRequest):
        session_ref("p", "\ud800", "b")


@pytest.mark.parametrize("thread", ["a.lock", "..", "@", "-x", "a b", "~^:?*[\\", "\x01\x7f", "日本", "x" * 240])
def test_git_takes_the_ref(tmp_path: Path, git: Git, thread: str) -> None:
    git(tmp_path, "check-ref-format", session_ref("p", thread, "main"))
