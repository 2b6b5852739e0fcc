"""Listing what there is (`behaviours.md` 13.6, 17.12)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gitmem.answers import to_json
from gitmem.errors import Refused
from reading_memory import ADA, BOB, CORE, DIALOG, LEGACY, V2
from workspaces import make

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.workspace import Workspace


def test_every_file_is_listed_with_what_it_holds(memory: Workspace) -> None:
    # behaviours.md 13.6: the core is no ordinary topic
    answer = memory.browse()
    assert [(e.path, e.kind, e.title, e.blocks, e.records) for e in answer.entries] == [
        (CORE, "core", "Core", 1, 0),
        (ADA, "topic", "Ada", 4, 0),
        (BOB, "topic", "Bob", 1, 0),
        (DIALOG, "archive", "D1.md", 0, 2),
        (V2, "archive", "chat/g1", 0, 6),
        (LEGACY, "archive", "chat/g1", 0, 2),
    ]
    assert (answer.prefix, answer.total, answer.truncated) == ("", 6, False)


def test_files_are_counted_before_they_are_cut(memory: Workspace) -> None:  # 17.12
    answer = memory.browse(limit=2)
    assert (answer.total, answer.truncated, len(answer.entries)) == (6, True, 2)


@pytest.mark.parametrize(
    ("prefix", "paths"),
    [
        ("topics/people", [ADA, BOB]),
        ("people/a", [ADA]),
        ("sources/chat", [V2, LEGACY]),
        ("sources/chat/g1.md", [V2, LEGACY]),
        ("core", [CORE]),
        ("core.md", ["core.md"]),
        ("timeline/2024", ["timeline/2024/03/15.md"]),
        ("topics/people/", [ADA, BOB]),
        ("nowhere", []),
    ],
)
def test_a_prefix_limits_the_list(memory: Workspace, prefix: str, paths: list[str]) -> None:
    answer = memory.browse(prefix)
    assert [entry.path for entry in answer.entries] == paths
    assert answer.total == len(paths)


def test_a_view_is_listed_where_it_is_named(memory: Workspace) -> None:
    assert [entry.kind for entry in memory.browse("relations.json").entries] == ["view"]


def test_a_prefix_outside_is_refused(memory: Workspace) -> None:
    with pytest.raises(Refused):
        memory.browse("../other")


def test_an_older_revision_is_listed_as_it_was(memory: Workspace) -> None:
    (ada,) = memory.browse(ADA, at="HEAD~1").entries
    assert (ada.blocks, ada.title) == (3, "Ada")


def test_a_new_memory_is_empty(tmp_path: Path) -> None:
    answer = make(tmp_path / "new").browse()
    assert (answer.total, answer.entries) == (0, ())


def test_a_file_without_blocks_has_its_name_for_a_title(tmp_path: Path) -> None:
    (tmp_path / "given" / "topics").mkdir(parents=True)
    (tmp_path / "given" / "topics" / "to-do_list.md").write_text("<!-- later -->\n")
    (entry,) = make(tmp_path / "new", adopt=tmp_path / "given").browse().entries
    assert (entry.title, entry.blocks) == ("To do list", 0)


def test_an_answer_has_the_documented_keys(memory: Workspace) -> None:  # cli.md, browse
    answer = to_json(memory.browse())
    assert list(answer) == ["revision", "fresh", "prefix", "total", "truncated", "entries"]  # type: ignore[call-overload]
    assert list(answer["entries"][0]) == ["path", "kind", "title", "blocks", "records"]  # type: ignore[index]
