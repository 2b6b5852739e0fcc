"""``gitmem turn`` as scripts and people see it (`cli.md`, Conversations; Shapes)."""

from __future__ import annotations

import io
from datetime import datetime
from typing import TYPE_CHECKING

import click
import pytest

from gitmem_cli.command import ALWAYS, EXITS, Documented
from gitmem_cli.commands.turn import command
from workspaces import make

if TYPE_CHECKING:
    from pathlib import Path

    from running import Answer, Git, Gitmem

SESSION = "chat/today"
ADDED = {
    "session", "branch", "new", "id", "parent", "role", "speaker_id", "speaker_display", "timestamp", "content",
    "eligible", "trust_state", "tier",
}  # fmt: skip
TURN = {
    "id", "parent", "role", "speaker_id", "speaker_display", "timestamp", "content", "eligible", "written",
}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    make(tmp_path / "w").close()
    return tmp_path / "w"


@pytest.fixture
def add(gitmem: Gitmem, folder: Path):  # type: ignore[no-untyped-def]  # noqa: ANN201 - a function of the test's own
    def call(text: str, *options: str) -> Answer:
        return gitmem("turn", "add", SESSION, *options, "--json", "--", text, cwd=folder)

    return call


@pytest.fixture
def forked(add) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001
    """``m1 m2``, then a retry of m2 that the conversation goes on from; nothing is written."""
    add("one", "--id", "m1")
    add("two", "--id", "m2", "--role", "assistant")
    add("zwei", "--id", "r2", "--role", "assistant", "--parent", "m1")


@pytest.mark.parametrize("name", command.commands)
def test_every_part_has_help_with_examples_that_name_it(gitmem: Gitmem, name: str) -> None:
    part = command.get_command(click.Context(command), name)
    assert isinstance(part, Documented)
    assert part.examples
    assert all(example.startswith(f"gitmem turn {name}") for example in part.examples)
    assert set(ALWAYS) <= set(part.exits) <= set(EXITS)
    answer = gitmem("turn", name, "--help")
    assert answer.status == 0
    assert answer.out.startswith(f"Usage: gitmem turn {name} ")
    assert "Exit codes:" in answer.out


def test_add_has_the_documented_shape(add) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001
    answer = add("the budget is 50k", "--id", "m1", "--speaker-id", "7391", "--speaker", "Ada", "--at", "2026-08-09")
    assert (answer.status, answer.err) == (0, "")
    assert answer.json == {
        "session": SESSION,
        "branch": "main",
        "new": True,
        "id": "m1",
        "parent": None,
        "role": "user",
        "speaker_id": "7391",
        "speaker_display": "Ada",
        "timestamp": "2026-08-09",
        "content": "the budget is 50k",
        "eligible": True,
        "trust_state": "trusted",
        "tier": "owner",
    }
    assert set(answer.json) == ADDED


def test_a_turn_is_said_now_and_again_is_the_same(add) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001
    first = add("hello", "--id", "m1")
    assert datetime.fromisoformat(first.json["timestamp"]).tzinfo is not None
    again = add("hello", "--id", "m1")
    assert again.json == {**first.json, "new": False}


def test_a_turn_comes_from_standing_input_byte_for_byte(
    gitmem: Gitmem, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = "two\r\nlines  \n\u2028é\n\n"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(body.encode())))
    assert gitmem("turn", "add", SESSION, "-", "--json", cwd=folder).json["content"] == body
    assert gitmem("turn", "list", SESSION, "--json", cwd=folder).json["turns"][0]["content"] == body


@pytest.mark.usefixtures("forked")
def test_list_has_the_documented_shape(gitmem: Gitmem, folder: Path) -> None:
    everything = gitmem("turn", "list", "--json", cwd=folder)
    assert (everything.status, everything.json) == (
        0,
        {
            "sessions": [
                {
                    "session": SESSION,
                    "branches": [
                        {"name": "main", "head": "r2", "turns": 2, "pending": 2},
                        {"name": "m2", "head": "m2", "turns": 2, "pending": 2},
                    ],
                }
            ]
        },
    )
    one = gitmem("turn", "list", SESSION, "--json", cwd=folder).json
    assert set(one) == {"session", "branch", "turns"}
    assert (one["session"], one["branch"], [turn["id"] for turn in one["turns"]]) == (SESSION, "main", ["m1", "r2"])
    assert all(set(turn) == TURN for turn in one["turns"])
    other = gitmem("turn", "list", SESSION, "--branch", "m2", "--json", cwd=folder).json
    assert (other["branch"], [turn["content"] for turn in other["turns"]]) == ("m2", ["one", "two"])


def test_what_is_written_is_listed_as_such(gitmem: Gitmem, folder: Path) -> None:
    for text in ("I moved to Basel in March 2024.", "I work as a baker in Basel."):
        gitmem("turn", "add", SESSION, text, cwd=folder)
    gitmem("turn", "add", SESSION, "--role", "tool", "42", cwd=folder)
    listed = gitmem("turn", "list", SESSION, "--json", cwd=folder).json["turns"]
    assert [(turn["eligible"], turn["written"]) for turn in listed] == [(True, False), (True, False), (False, False)]
    assert len(gitmem("turn", "list", SESSION, "--unwritten", "--json", cwd=folder).json["turns"]) == 2
    assert gitmem("write", "--force", cwd=folder).status == 0
    listed = gitmem("turn", "list", SESSION, "--json", cwd=folder).json["turns"]
    assert [(turn["eligible"], turn["written"]) for turn in listed] == [(True, True), (True, True), (False, False)]
    assert gitmem("turn", "list", SESSION, "--unwritten", "--json", cwd=folder).json["turns"] == []
    assert gitmem("turn", "list", "--unwritten", "--json", cwd=folder).json == {"sessions": []}


@pytest.mark.usefixtures("forked")
def test_branches_has_the_documented_shape(gitmem: Gitmem, folder: Path) -> None:
    assert gitmem("turn", "branches", SESSION, "--json", cwd=folder).json == {
        "session": SESSION,
        "head": "r2",
        "branches": [
            {"name": "main", "head": "r2", "turns": 2, "pending": 2, "archived": False},
            {"name": "m2", "head": "m2", "turns": 2, "pending": 2, "archived": False},
        ],
    }


@pytest.mark.usefixtures("forked")
def test_another_head_is_chosen_and_a_branch_archived(gitmem: Gitmem, folder: Path, git: Git) -> None:
    answer = gitmem("turn", "branches", SESSION, "--head", "m2", "--archive", "r2", "--json", cwd=folder)
    assert answer.status == 0
    assert [(b["name"], b["head"], b["pending"], b["archived"]) for b in answer.json["branches"]] == [
        ("main", "m2", 2, False),
        ("r2", "r2", 0, True),
    ]
    (listed,) = gitmem("turn", "list", "--json", cwd=folder).json["sessions"]
    assert [branch["name"] for branch in listed["branches"]] == ["main"]
    archived = gitmem("turn", "list", SESSION, "--branch", "r2", "--json", cwd=folder).json
    assert (archived["branch"], [turn["id"] for turn in archived["turns"]]) == ("r2", ["m1", "r2"])
    refs = git(folder, "for-each-ref", "--format=%(refname)", "refs/gitmem/sessions").split("\n")
    assert refs == ["refs/gitmem/sessions/chat/today/archived%2Fr2", "refs/gitmem/sessions/chat/today/main"]
    assert gitmem("status", "--json", cwd=folder).json["writer"]["pending_turns"] == 2
    again = gitmem("turn", "branches", SESSION, "--head", "r2", "--json", cwd=folder).json
    assert [(branch["name"], branch["archived"]) for branch in again["branches"]] == [("main", False), ("m2", False)]


@pytest.mark.usefixtures("forked")
def test_people_read_tables(gitmem: Gitmem, folder: Path) -> None:
    assert gitmem("turn", "list", cwd=folder).out == f"{SESSION}\tmain\tr2\t2\t2\n{SESSION}\tm2\tm2\t2\t2\n"
    rows = [line.split("\t") for line in gitmem("turn", "list", SESSION, cwd=folder).out.splitlines()]
    assert [(row[0], row[1], row[3], row[4]) for row in rows] == [
        ("m1", "user", "waits", "one"),
        ("r2", "assistant", "waits", "zwei"),
    ]
    gitmem("turn", "branches", SESSION, "--archive", "m2", cwd=folder)
    assert gitmem("turn", "branches", SESSION, cwd=folder).out == "main\tr2\t2\t2\tcurrent\nm2\tm2\t2\t0\tarchived\n"
    added = gitmem("turn", "add", SESSION, "--id", "m3", "three", cwd=folder)
    assert (added.out, added.err) == (f"added m3 of {SESSION}\n", "")
    assert gitmem("turn", "add", SESSION, "--id", "m3", "three", cwd=folder).out == f"unchanged: m3 of {SESSION}\n"


def test_the_first_person_who_is_named_is_the_owner_and_others_are_pending(  # behaviours.md part 8
    gitmem: Gitmem, folder: Path
) -> None:
    ada = gitmem("turn", "add", SESSION, "--speaker-id", "1", "--speaker", "Ada", "I am Ada.", cwd=folder)
    assert ada.err == ""
    bob = gitmem("turn", "add", SESSION, "--speaker-id", "2", "--speaker", "Ada (1)", "I am Ada.", cwd=folder)
    assert "pending" in bob.err
    nobody = gitmem("turn", "add", SESSION, "--pending", "--json", "Somebody said so.", cwd=folder)
    assert (nobody.json["trust_state"], nobody.json["tier"]) == ("pending", None)


def test_terminal_escapes_are_spelled_out(gitmem: Gitmem, folder: Path) -> None:
    gitmem("turn", "add", SESSION, "--speaker", "\x1b[31mAda", "\x1b]0;owned\x07 hello\u202e", cwd=folder)
    for answer in (gitmem("turn", "list", SESSION, cwd=folder), gitmem("turn", "list", SESSION, "--json", cwd=folder)):
        assert not {"\x1b", "\x07", "\u202e"} & set(answer.out)


@pytest.mark.parametrize(
    ("arguments", "status", "code"),
    [
        (("add", "chat", "text"), 2, "INVALID_ARGUMENT"),
        (("add", "../x", "text"), 2, "INVALID_ARGUMENT"),
        (("add", SESSION), 2, "INVALID_ARGUMENT"),
        (("add", SESSION, "text", "--parent", "gone"), 4, "SOURCE_NOT_FOUND"),
        (("add", SESSION, "text", "--at", "soon"), 2, "INVALID_ARGUMENT"),
        (("add", SESSION, "text", "--role", "a role"), 2, "INVALID_ARGUMENT"),
        (("add", SESSION, "text", "--role", ""), 2, "INVALID_ARGUMENT"),
        (("add", SESSION, "text", "--role", "wizard"), 2, "INVALID_ARGUMENT"),
        (("add", SESSION, ""), 2, "INVALID_ARGUMENT"),
        (("add", SESSION, " \n"), 2, "INVALID_ARGUMENT"),
        (("add", SESSION, "text", "--id", "<m1>"), 2, "INVALID_ARGUMENT"),
        (("list", "chat/none"), 4, "SOURCE_NOT_FOUND"),
        (("list", "--branch", "m2"), 2, "INVALID_ARGUMENT"),
        (("list", SESSION, "--branch", "gone"), 4, "SOURCE_NOT_FOUND"),
        (("branches", "chat/none"), 4, "SOURCE_NOT_FOUND"),
        (("branches", SESSION, "--head", "gone"), 4, "SOURCE_NOT_FOUND"),
        (("branches", SESSION, "--archive", "main"), 2, "INVALID_ARGUMENT"),
        (("nonsense",), 2, "INVALID_ARGUMENT"),
        ((), 2, "INVALID_ARGUMENT"),
    ],
)
@pytest.mark.usefixtures("forked")
def test_what_is_wrong_is_refused_with_its_code(
    gitmem: Gitmem, folder: Path, arguments: tuple[str, ...], status: int, code: str
) -> None:
    answer = gitmem("turn", *arguments, "--json", cwd=folder)
    assert (answer.status, answer.code) == (status, code)


@pytest.mark.usefixtures("forked")
def test_an_id_that_says_something_else_is_refused(gitmem: Gitmem, folder: Path) -> None:
    answer = gitmem("turn", "add", SESSION, "--id", "m1", "another", "--json", cwd=folder)
    assert (answer.status, answer.code) == (1, "COMMIT_REJECTED")
    assert len(gitmem("turn", "list", SESSION, "--json", cwd=folder).json["turns"]) == 2
