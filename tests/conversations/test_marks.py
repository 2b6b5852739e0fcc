"""Marks as the lines of a note, and which of them count."""

from __future__ import annotations

import pytest

from gitmem.conversations.marks import Standing, add_mark, parse_marks, render_mark
from gitmem.conversations.model import Mark
from gitmem.ids import Oid, WorkspaceId

OURS = Mark(WorkspaceId("w-0000000a"), Oid("a" * 40))
LATER = Mark(WorkspaceId("w-0000000a"), Oid("b" * 40))
THEIRS = Mark(WorkspaceId("w-0000000b"), Oid("c" * 40))


def test_a_mark_is_the_workspace_and_the_memory_commit_on_a_line() -> None:
    # behaviours.md 0.3
    assert render_mark(OURS) == f"w-0000000a {'a' * 40}"
    assert add_mark("", OURS) == f"w-0000000a {'a' * 40}\n"


def test_marks_are_appended_and_never_repeated() -> None:
    text = add_mark(add_mark("", THEIRS), OURS)
    assert text == f"{render_mark(THEIRS)}\n{render_mark(OURS)}\n"
    assert add_mark(text, OURS) == text


def test_a_note_without_line_end_is_continued_on_a_line_of_its_own() -> None:
    assert add_mark("a person's note", OURS) == f"a person's note\n{render_mark(OURS)}\n"


@pytest.mark.parametrize(
    "line",
    [
        "",
        "a note",
        "w-0000000a",
        f"w-0000000a  {'a' * 40}",
        f"w-0000000A {'a' * 40}",
        f"w-0000000a {'a' * 39}",
        f"x w-0000000a {'a' * 40}",
    ],
)
def test_lines_that_are_no_marks_say_nothing(line: str) -> None:
    assert parse_marks(f"{line}\n{render_mark(OURS)}\n") == (OURS,)


def test_marks_come_sorted_and_each_once() -> None:
    text = "\n".join(map(render_mark, (THEIRS, LATER, OURS, LATER)))
    assert parse_marks(text) == (OURS, LATER, THEIRS)


def test_a_mark_of_this_workspace_counts_while_its_commit_is_part_of_the_memory() -> None:
    # behaviours.md 0.16, 9.2
    standing = Standing(OURS.workspace, lambda commit: commit == OURS.commit)
    assert standing.counts([OURS])
    assert standing.counts([LATER, OURS])
    assert not standing.counts([LATER])
    assert not standing.counts([])


def test_a_mark_of_another_workspace_never_counts() -> None:
    # behaviours.md 9.2
    assert not Standing(OURS.workspace, lambda _: True).counts([THEIRS])


def test_whether_a_commit_is_part_of_the_memory_is_asked_once() -> None:
    asked: list[Oid] = []

    def is_ancestor(commit: Oid) -> bool:
        asked.append(commit)
        return False

    standing = Standing(OURS.workspace, is_ancestor)
    assert not any(standing.counts([OURS, LATER, THEIRS]) for _ in range(3))
    assert asked == [OURS.commit, LATER.commit]
