"""What OpenProgram's memory has written is not written again (behaviours.md 0.3, 9.2, 9.10)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from archives import OWNER
from gitmem.conversations.model import SessionId
from gitmem.format.frame import append_frames, render_frame
from gitmem.format.layout import anchor, archive_path
from gitmem.ids import SourceId
from workspaces import make

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.workspace import Workspace
    from running import Git

NODES = ("n1", "n2", "n3", "n4")


def frames(*names: str) -> bytes:
    found = [
        render_frame(
            handle=SourceId(f"openprogram/s1/{name}"),
            timestamp="2026-01-02",
            role="user",
            body=f"words of {name}",
            speaker_id=None,
            speaker_display=None,
            metadata=OWNER,
        )
        for name in names
    ]
    return append_frames(archive_path("openprogram", "s1"), None, None, found)


def taken_over(tmp_path: Path, archived: dict[str, bytes]) -> Workspace:
    """A workspace that took over the archives of another memory."""
    folder = tmp_path / "old"
    for path, data in archived.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    folder.mkdir(exist_ok=True)
    return make(tmp_path / "memory", adopt=folder)


def node(name: str, **values: Any) -> dict[str, Any]:
    return {"id": name, "role": "user", "content": f"words of {name}", **values}


def exported(tmp_path: Path, *nodes: dict[str, Any], cursors: object = None) -> Path:
    folder = tmp_path / "export"
    folder.mkdir(exist_ok=True)
    (folder / "s1.json").write_text(json.dumps({"id": "s1", "head": nodes[-1]["id"], "nodes": nodes}), "utf-8")
    if cursors is not None:
        (folder / "runtime.json").write_text(json.dumps({"cursors": cursors}, indent=1), "utf-8")
    return folder


def waiting(workspace: Workspace) -> list[str]:
    return [turn.id for turn in workspace.turns("openprogram/s1", unwritten=True).turns]


def workspace_id(workspace: Workspace) -> str:
    return str(workspace._workspace_id())


@pytest.mark.parametrize("archived", [(), ("n1", "n2")])
def test_a_mark_of_this_workspace_stands_for_everything_before_it(
    tmp_path: Path, git: Git, archived: tuple[str, ...]
) -> None:
    # behaviours.md 0.3, 9.3
    workspace = taken_over(tmp_path, {archive_path("openprogram", "s1"): frames(*archived)} if archived else {})
    mark = {"metadata": {"memory_written_scriptorium": workspace_id(workspace)}}
    folder = exported(tmp_path, node("n1", **mark), node("n2", **mark), node("n3"), node("n4"))
    workspace.ingest([folder])
    assert waiting(workspace) == ["n3", "n4"]
    notes = git(tmp_path / "memory", "notes", "--ref=gitmem/written", "list").split("\n")
    assert len([line for line in notes if line]) == 2
    text = git(tmp_path / "memory", "notes", "--ref=gitmem/written", "show", notes[0].split()[1])
    assert text.strip() == f"{workspace_id(workspace)} {workspace.memory().revision}"


def test_a_mark_of_another_workspace_says_nothing(tmp_path: Path) -> None:
    # behaviours.md 9.2
    workspace = make(tmp_path / "memory")
    mark = {"metadata": {"memory_written_scriptorium": "w-00000000"}}
    workspace.ingest([exported(tmp_path, *(node(name, **mark) for name in NODES))])
    assert waiting(workspace) == list(NODES)


def test_of_a_session_with_a_cursor_the_archived_beginning_is_written(tmp_path: Path) -> None:
    # behaviours.md 9.10: continuous prefix, under the live row filter; what is archived after a gap is written again
    workspace = taken_over(tmp_path, {archive_path("openprogram", "s1"): frames("n1", "n2", "n4")})
    tool = node("t1") | {"role": "tool"}
    nodes = (node("n1"), tool, node("n2"), node("n3"), node("n4"), node("x2", parent="n1"))
    workspace.ingest([exported(tmp_path, *nodes, cursors={"s1": 3})])
    assert waiting(workspace) == ["x2"]
    assert [turn.id for turn in workspace.turns("openprogram/s1", branch="n4", unwritten=True).turns] == ["n3", "n4"]


@pytest.mark.parametrize("cursors", [None, {}, {"s2": 1}, [], "x"])
def test_without_a_cursor_what_is_archived_says_nothing(tmp_path: Path, cursors: object) -> None:
    # behaviours.md 9.5, 9.11: a batch that failed was archived too
    workspace = taken_over(tmp_path, {archive_path("openprogram", "s1"): frames(*NODES)})
    workspace.ingest([exported(tmp_path, *map(node, NODES), cursors=cursors)])
    assert waiting(workspace) == list(NODES)


def test_without_an_archive_nothing_is_marked(tmp_path: Path) -> None:
    # behaviours.md 9.10
    workspace = make(tmp_path / "memory")
    workspace.ingest([exported(tmp_path, *map(node, NODES), cursors={"openprogram/s1": 3})])
    assert waiting(workspace) == list(NODES)


def test_of_an_archive_that_breaks_off_the_valid_part_counts(tmp_path: Path, git: Git) -> None:
    # behaviours.md 9.10
    workspace = make(tmp_path / "memory")
    path = tmp_path / "memory" / archive_path("openprogram", "s1")
    path.parent.mkdir(parents=True)
    path.write_bytes(frames(*NODES)[:-20])
    git(tmp_path / "memory", "add", ".")
    git(tmp_path / "memory", "commit", "-q", "-m", "by hand")
    workspace.ingest([exported(tmp_path, *map(node, NODES), cursors={"s1": 3})])
    assert waiting(workspace) == ["n4"]


@pytest.mark.parametrize(
    ("title", "left"),
    [
        ("s1", ["n2", "n3", "n4"]),
        ("openprogram/s1", ["n2", "n3", "n4"]),
        ("another", list(NODES)),
        ("s1\n\nmore", list(NODES)),
    ],
)
def test_of_a_legacy_file_only_the_first_header_under_its_title_counts(
    tmp_path: Path, title: str, left: list[str]
) -> None:
    # behaviours.md 9.10: a later one may be something that somebody wrote
    handles = [SourceId(f"openprogram/s1/{name}") for name in ("n1", "n2")]
    records = "\n".join(
        f'<a id="{anchor(handle)}"></a>\n<!-- source-id:{handle} -->\n[2026-01-02] user: words\n' for handle in handles
    )
    workspace = taken_over(tmp_path, {"sources/openprogram/s1.md": f"# {title}\n\n{records}".encode()})
    assert workspace.memory().facts.source(SourceId("openprogram/s1/n2")) is not None
    workspace.ingest([exported(tmp_path, *map(node, NODES), cursors={"s1": 3})])
    assert waiting(workspace) == left


def test_a_second_time_nothing_changes(tmp_path: Path, git: Git) -> None:
    # behaviours.md 9.10
    workspace = taken_over(tmp_path, {archive_path("openprogram", "s1"): frames("n1", "n2")})
    folder = exported(tmp_path, *map(node, NODES), cursors={"s1": 1})
    assert workspace.ingest([folder]).new == 4
    refs = git(tmp_path / "memory", "for-each-ref")
    assert workspace.ingest([folder]).new == 0
    assert git(tmp_path / "memory", "for-each-ref") == refs
    assert SessionId("openprogram", "s1") in {found.id for found in workspace.conversations.sessions()}


def test_what_is_marked_is_not_written_and_the_rest_is(tmp_path: Path) -> None:
    workspace = taken_over(tmp_path, {archive_path("openprogram", "s1"): frames("n1", "n2")})
    workspace.ingest([exported(tmp_path, *map(node, NODES), cursors={"s1": 1})])
    answer = workspace.write(force=True)
    assert [batch.turns for batch in answer.batches] == [2]
    assert answer.pending_turns == 0
