"""``init`` as scripts and people see it (cli.md, "Workspace"; behaviours.md 0.23, 11.2, 13.4)."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from stories import claim, revision
from untouched import byte_identical
from workspaces import make, reopened

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.workspace import Workspace
    from running import Git, Gitmem


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    make(tmp_path / "w").close()
    return tmp_path / "w"


@pytest.fixture
def workspace(folder: Path) -> Workspace:
    return reopened(folder)


def test_init_has_the_documented_shape(gitmem: Gitmem, tmp_path: Path) -> None:
    answer = gitmem("init", "memory", "--json")
    assert (answer.status, answer.err) == (0, "")
    assert list(answer.json) == [
        *("ok", "created", "workspace_id", "revision", "derived_commit", "branch", "bare", "adopted", "rescues")
    ]
    assert answer.json["adopted"] == {"topics": 0, "sources": 0, "core": None}
    assert (answer.json["created"], answer.json["branch"], answer.json["bare"]) == (True, "main", False)
    assert answer.json["revision"] == revision(reopened(tmp_path / "memory"))
    again = gitmem("init", "memory", "--json")
    assert (again.status, again.json["created"]) == (0, False)
    assert again.json["workspace_id"] == answer.json["workspace_id"]


def test_init_says_where_a_loose_core_went(gitmem: Gitmem, tmp_path: Path) -> None:  # behaviours.md 0.23, 11.2
    old = tmp_path / "old"
    (old / "topics").mkdir(parents=True)
    (old / "core.md").write_text("- Ada likes tea.\n")
    answer = gitmem("init", "memory", "--adopt", "old", "--json")
    assert (answer.json["adopted"]["topics"], answer.json["adopted"]["sources"]) == (0, 1)
    handle = answer.json["adopted"]["core"]
    assert handle.startswith("openprogram-migration/legacy-core/")
    shown = gitmem("init", "again", "--adopt", "old")
    assert f"archived as evidence: {handle}" in shown.out
    assert answer.json["rescues"][0].startswith("refs/gitmem/rescue/")
    assert "refs/gitmem/rescue/" in shown.out
    read = gitmem("backfill", "--writer", "embedded", "--json", cwd=tmp_path / "memory")
    assert (read.json["status"], read.json["candidates"]) == ("ok", 1)


def test_init_says_that_a_valid_core_became_a_topic(gitmem: Gitmem, tmp_path: Path) -> None:  # 0.23, 13.4
    make(tmp_path / "model").remember("Ada likes tea.", "topics/core.md", time="2024")
    old = tmp_path / "old"
    shutil.copytree(tmp_path / "model" / "sources", old / "sources")
    shutil.copy(tmp_path / "model" / "core.md", old)
    answer = gitmem("init", "memory", "--adopt", "old")
    assert "core.md became topics/core.md." in answer.out
    assert (tmp_path / "memory/topics/core.md").read_bytes() == (tmp_path / "model/topics/core.md").read_bytes()


def test_init_says_what_to_do_next(gitmem: Gitmem, tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    answer = gitmem("-C", "here", "init")
    assert answer.status == 0
    assert "Created a workspace in here" in answer.out
    assert "gitmem ingest" in answer.out
    again = gitmem("init", cwd=tmp_path / "here")
    assert "There is already a workspace" in again.out
    assert "gitmem ingest" not in again.out


def test_init_takes_over_what_it_is_given(gitmem: Gitmem, workspace: Workspace, folder: Path) -> None:
    claim(workspace, "Ada lives in Basel.")
    answer = gitmem("init", "new", "--adopt", str(folder))
    assert (answer.status, "Took over 1 topic and 1 archive." in answer.out) == (0, True)
    bare = gitmem("init", "bare.git", "--bare", "--adopt", "w", "--json")
    assert (bare.json["bare"], bare.json["adopted"]) == (True, {"topics": 1, "sources": 1, "core": None})
    missing = gitmem("init", "other", "--adopt", "nowhere", "--json")
    assert (missing.status, missing.code) == (4, "PATH_NOT_FOUND")


def test_init_inside_another_repository_is_refused(gitmem: Gitmem, tmp_path: Path, git: Git) -> None:
    (tmp_path / "repo" / "sub").mkdir(parents=True)
    git(tmp_path / "repo", "init", "-q")
    with byte_identical(tmp_path / "repo"):
        for target in ("repo", "repo/sub", "repo/new/deep"):
            answer = gitmem("init", target, "--json")
            assert (answer.status, answer.code) == (1, "NESTED_REPOSITORY")


def test_init_where_no_folder_can_be_is_used_wrongly(gitmem: Gitmem, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    for target in ("file", "file/below", "x" * 5000):
        answer = gitmem("init", target, "--json")
        assert (answer.status, answer.code) == (2, "INVALID_ARGUMENT")
    assert (tmp_path / "file").read_text() == "mine"


def test_init_leaves_the_folders_alone_that_hold_everything_else(
    gitmem: Gitmem, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object, **__: object) -> None:
        pytest.fail("it must be refused before anything is made")

    monkeypatch.setattr("gitmem.workspace.Workspace.create", never)
    for target in ("/", "//", "/usr/..", str(home)):
        answer = gitmem("init", target, "--json")
        assert (answer.status, answer.code) == (2, "INVALID_ARGUMENT")
    assert gitmem("init", "--json", cwd=home).code == "INVALID_ARGUMENT"


def test_init_while_memory_is_off_makes_nothing(gitmem: Gitmem, tmp_path: Path) -> None:
    # behaviours.md 14.8
    answer = gitmem("-c", "gitmem.backend=none", "init", "memory", "--json")
    assert (answer.status, answer.code) == (5, "MEMORY_DISABLED")
    assert not (tmp_path / "memory").exists()
