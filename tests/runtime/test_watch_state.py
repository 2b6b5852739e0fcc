"""What the watcher remembers between looks (`behaviours.md` 10.10)."""

from __future__ import annotations

import json
from datetime import date
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.conversations.model import NodeId, SessionId, session_of
from gitmem.errors import Code, Unavailable
from gitmem.runtime.watch_state import FILE, WatchState, heads_of, load, save

if TYPE_CHECKING:
    from pathlib import Path

FULL = WatchState({"a/1": "ab"}, {"a/2": ("cd", 12)}, {"a/3": 2}, date(2026, 8, 10), date(2026, 8, 9), 1)
NAMES = st.text(max_size=8)
COUNTS = st.integers(0, 2**40)
DATES = st.none() | st.dates()


@given(
    st.builds(
        WatchState,
        handled=st.dictionaries(NAMES, NAMES),
        seen=st.dictionaries(NAMES, st.tuples(NAMES, COUNTS)),
        failed=st.dictionaries(NAMES, COUNTS),
        forced=DATES,
        night=DATES,
        tries=COUNTS,
    )
)
def test_what_is_saved_is_loaded(tmp_path_factory: pytest.TempPathFactory, state: WatchState) -> None:
    folder = tmp_path_factory.mktemp("runtime")
    save(folder, state)
    assert load(folder) == state


def test_nothing_was_handled_at_first(tmp_path: Path) -> None:
    assert load(tmp_path) == WatchState()
    assert list(tmp_path.iterdir()) == []


def test_the_file_is_whole_and_private(tmp_path: Path) -> None:
    save(tmp_path, FULL)
    assert [path.name for path in tmp_path.iterdir()] == [FILE]
    assert (tmp_path / FILE).stat().st_mode & 0o777 == 0o600


def test_a_save_that_fails_leaves_what_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(tmp_path, FULL)
    before = (tmp_path / FILE).read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("pathlib.Path.write_bytes", full)
        with pytest.raises(OSError, match="space"):
            save(tmp_path, WatchState())
    assert [path.name for path in tmp_path.iterdir()] == [FILE]
    assert (tmp_path / FILE).read_bytes() == before


def damaged(**fields: object) -> bytes:
    known = {"version": 1, "forced": None, "night": None, "tries": 0, "failed": {}, "seen": {}, "handled": {}}
    return json.dumps({**known, **fields}).encode()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff",
        b"[" * 100_000,
        b"[]",
        b"null",
        b"{}",
        damaged(version=2),
        damaged(version=None),
        damaged(night="yesterday"),
        damaged(night=3),
        damaged(forced="2026-13-01"),
        damaged(tries="3"),
        damaged(tries=True),
        damaged(failed=[]),
        damaged(failed={"a/1": None}),
        damaged(seen={"a/1": "ab"}),
        damaged(seen={"a/1": ["ab"]}),
        damaged(seen={"a/1": ["ab", 1.5]}),
        damaged(handled={"a/1": 3}),
        damaged(handled=None),
    ],
)
def test_a_damaged_file_is_told_and_stays(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE).write_bytes(content)
    with pytest.raises(Unavailable) as raised:
        load(tmp_path)
    assert raised.value.code is Code.STORAGE_UNAVAILABLE
    assert (tmp_path / FILE).read_bytes() == content


def test_a_conversation_is_another_when_any_branch_grew() -> None:
    chat = SessionId("team", "chat")
    first = session_of(chat, {"main": NodeId("1"), "aside": NodeId("2")})
    assert heads_of(first) == heads_of(session_of(chat, {"aside": NodeId("2"), "main": NodeId("1")}))
    others = (
        {"main": NodeId("3"), "aside": NodeId("2")},
        {"main": NodeId("1")},
        {"main": NodeId("1"), "b": NodeId("2")},
    )
    assert len({heads_of(first), *(heads_of(session_of(chat, heads)) for heads in others)}) == 4


def test_what_is_gone_is_forgotten() -> None:
    state = WatchState({"a/1": "ab", "a/2": "ab"}, {"a/1": ("ab", 1), "a/2": ("ab", 1)}, {"a/1": 1, "a/2": 1})
    state.keep({"a/2", "a/3"})
    assert (state.handled, state.seen, state.failed) == ({"a/2": "ab"}, {"a/2": ("ab", 1)}, {"a/2": 1})
