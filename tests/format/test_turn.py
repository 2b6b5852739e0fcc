"""Turns as commits: the same turn, the same bytes, everywhere (formats.md, "Turns")."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pygit2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.errors import Code, InvalidRequest, Refused
from gitmem.format.turn import NO_EMAIL, Turn, TurnCommit, parse_turn, render_turn

if TYPE_CHECKING:
    from pathlib import Path

TURN = Turn(
    provider="telegram",
    thread="g1",
    id="m3",
    parent="m2",
    role="user",
    content="the budget is 50k\nall in all — 日本",
    timestamp="2026-08-09T10:00:00+08:00",
    speaker_id="7391",
    speaker_display="Ada",
)


def test_a_turn_has_exactly_these_bytes() -> None:
    assert render_turn(TURN) == TurnCommit(
        message=(
            "user Ada (7391): the budget is 50k\n\n"
            '{"authority":null,"content":"the budget is 50k\\nall in all \\u2014 \\u65e5\\u672c","display":null,'
            '"id":"m3","metadata":{},"parent":"m2","provider":"telegram","role":"user","source":null,'
            '"speaker_display":"Ada","speaker_id":"7391","thread":"g1","timestamp":"2026-08-09T10:00:00+08:00"}\n'
        ),
        name="Ada",
        email="7391",
        seconds=1786240800,
        offset=480,
    )


TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30)
NAME = TEXT.filter(bool)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)
OBJECT = st.dictionaries(TEXT, JSON, max_size=3)
MAYBE = st.none() | TEXT
TURNS = st.builds(
    Turn,
    provider=NAME,
    thread=NAME,
    id=NAME,
    parent=MAYBE,
    role=NAME,
    content=TEXT,
    timestamp=MAYBE,
    speaker_id=MAYBE,
    speaker_display=MAYBE,
    authority=st.none() | OBJECT,
    display=MAYBE,
    source=MAYBE,
    metadata=OBJECT,
)


@given(TURNS)
def test_a_turn_reads_back_and_is_one_line_under_one_line(turn: Turn) -> None:
    commit = render_turn(turn)
    assert parse_turn(commit.message) == turn
    subject, blank, line, end = commit.message.split("\n")
    assert (blank, end) == ("", "")
    assert line.isascii()
    assert subject.isprintable() or subject  # it is never empty, and has no line breaks of any kind
    assert len(subject.splitlines()) == 1


@given(TURNS)
def test_git_keeps_the_author_as_given(turn: Turn) -> None:
    commit = render_turn(turn)
    signature = pygit2.Signature(commit.name, commit.email, commit.seconds, commit.offset)
    assert (signature.name, signature.email) == (commit.name, commit.email)
    assert (signature.time, signature.offset) == (commit.seconds, commit.offset)


def test_the_same_turn_is_the_same_commit(tmp_path: Path) -> None:
    def commit(name: str, turn: Turn) -> str:
        repo = pygit2.init_repository(tmp_path / name, bare=True)
        made = render_turn(turn)
        author = pygit2.Signature(made.name, made.email, made.seconds, made.offset)
        return str(repo.create_commit(None, author, author, made.message, repo.TreeBuilder().write(), []))

    assert commit("a", TURN) == commit("b", replace(TURN)) != commit("a", replace(TURN, thread="g2"))


@pytest.mark.parametrize(
    ("timestamp", "seconds", "offset"),
    [
        ("2026-08-09T10:00:00+08:00", 1786240800, 480),
        ("2026-08-09T10:00:00-03:30", 1786282200, -210),
        ("2026-08-09", 1786233600, 0),
        ("1786240800", 1786240800, 0),
        ("1969-12-31T23:59:59+08:00", 0, 0),
        ("1970-01-01T00:00:00Z", 0, 0),
        ("tomorrow", 0, 0),
        (None, 0, 0),
    ],
)
def test_the_commits_time_is_the_messages(timestamp: str | None, seconds: int, offset: int) -> None:
    commit = render_turn(replace(TURN, timestamp=timestamp))
    assert (commit.seconds, commit.offset) == (seconds, offset)


@pytest.mark.parametrize(
    ("fields", "subject", "name", "email"),
    [
        ({"speaker_id": None, "speaker_display": None, "role": "assistant"}, "assistant:", "assistant", NO_EMAIL),
        ({"speaker_display": None}, "user 7391:", "7391", "7391"),
        ({"speaker_id": None}, "user Ada:", "Ada", NO_EMAIL),
        ({"speaker_id": "a-b@c..", "speaker_display": "<Bo>."}, "user <Bo>. (a-b@c..):", "Bo", "a%2Db%40c%2E%2E"),
        ({"speaker_id": "\x01", "speaker_display": "unknown"}, "user unknown:", "unknown", NO_EMAIL),
        ({"speaker_id": None, "speaker_display": "...", "role": ":"}, "\uff1a ...:", "\uff1a", NO_EMAIL),
        ({"speaker_id": None, "speaker_display": None, "role": "\x01"}, "unknown:", "unknown", NO_EMAIL),
    ],
)
def test_the_author_is_the_speaker(fields: dict[str, Any], subject: str, name: str, email: str) -> None:
    commit = render_turn(replace(TURN, content="\n \n", **fields))
    assert (commit.message.split("\n")[0], commit.name, commit.email) == (subject, name, email)


def test_a_subject_shows_the_first_line_with_text_shortened() -> None:
    subject = render_turn(replace(TURN, content="\n\n  " + "word " * 40)).message.split("\n")[0]
    assert subject.startswith("user Ada (7391): word word")
    assert subject.endswith("word…")
    assert len(subject) <= len("user Ada (7391): ") + 72


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"content": "a\0b"}, "NUL"),
        ({"content": "\ud800"}, "surrogate"),
        ({"metadata": {"k": ["\0"]}}, "NUL"),
        ({"metadata": {"\ud800": 1}}, "surrogate"),
        ({"metadata": {1: 2}}, "JSON does not have"),
        ({"metadata": {"k": (1,)}}, "JSON does not have"),
        ({"metadata": {"k": float("nan")}}, "JSON does not have"),
        ({"metadata": {"k": 10**400}}, "JSON does not have"),
        ({"metadata": []}, "JSON object"),
        ({"authority": "owner"}, "JSON object"),
        ({"id": ""}, "no id"),
        ({"role": ""}, "no role"),
        ({"content": None}, "no content"),
        ({"parent": 3}, "parent"),
        ({"timestamp": 17.5}, "timestamp"),
    ],
)
def test_a_turn_that_could_not_be_read_back_is_refused(fields: dict[str, Any], reason: str) -> None:
    with pytest.raises(InvalidRequest, match=reason):
        render_turn(replace(TURN, **fields))


def test_nesting_has_a_bound() -> None:
    deep: dict[str, object] = {}
    for _ in range(100):
        deep = {"k": deep}
    with pytest.raises(InvalidRequest, match="nested"):
        render_turn(replace(TURN, metadata=deep))


VALUES = json.loads(render_turn(TURN).message.split("\n")[2])


def spelled(values: object, **style: Any) -> str:
    return "s\n\n" + json.dumps(values, **({"sort_keys": True, "separators": (",", ":")} | style)) + "\n"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "subject only\n",
        "s\n\nnot JSON\n",
        "s\n\n[]\n",
        "s\n\n" + "[" * 30_000,
        spelled(VALUES | {"more": 1}),
        spelled({name: value for name, value in VALUES.items() if name != "parent"}),
        spelled(VALUES | {"id": ""}),
        spelled(VALUES, ensure_ascii=False),
        spelled(VALUES, separators=(", ", ": ")),
        spelled(dict(reversed(VALUES.items())), sort_keys=False),
        spelled(VALUES) + "\nGitmem-Writer: cli\n",
        spelled(VALUES | {"content": "\ud800"}),
        spelled(VALUES | {"metadata": {"k": float("inf")}}),
    ],
)
def test_a_message_that_is_not_the_one_form_holds_no_turn(text: str) -> None:
    with pytest.raises(Refused) as refused:
        parse_turn(text)
    assert refused.value.code is Code.SESSION_NODES_UNAVAILABLE


def test_the_line_is_the_turn_whatever_the_subject_says() -> None:
    assert parse_turn(spelled(VALUES)) == TURN
