"""HEAD where no memory is: it is said, nothing is answered as if the memory were empty, and nothing is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gitmem.errors import Code, Conflict, GitmemError
from gitmem.request import NewSource, NoEdit
from gitmem.workspace import Workspace
from untouched import byte_identical
from workspaces import ME, QUICK, make

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from running import Git

READING: list[Callable[[Workspace], object]] = [
    lambda memory: memory.search("tea"),
    lambda memory: memory.grep("tea"),
    lambda memory: memory.get("people/mara.md"),
    lambda memory: memory.browse(),
    lambda memory: memory.status(),
    lambda memory: memory.log(),
    lambda memory: memory.diff(),
    lambda memory: memory.why(text="tea"),
    lambda memory: memory.check(),
    lambda memory: memory.check(all_history=True),
    lambda memory: memory.turn_sessions(),
    lambda memory: memory.waiting(),
]
WRITING: list[Callable[[Workspace], object]] = [
    lambda memory: memory.remember("Mara likes milk.", "people/mara.md"),
    lambda memory: memory.commit_edits(),
    lambda memory: memory.write(force=True),
    lambda memory: memory.reorganize(),
    lambda memory: memory.backfill(),
    lambda memory: memory.undo(),
    lambda memory: memory.save_autosave(),
    lambda memory: memory.staged_copy("people/mara.md"),
    lambda memory: memory.follow(),
]


def kept(folder: Path) -> Workspace:
    workspace = make(folder)
    workspace.remember("Mara likes tea.", "people/mara.md", time="2024")
    return workspace


def unborn(git: Git, folder: Path, how: str) -> None:
    if how == "orphan":
        git(folder, "checkout", "-q", "--orphan", "elsewhere")
    else:
        git(folder, "symbolic-ref", "HEAD", "refs/heads/elsewhere")


@pytest.mark.parametrize("how", ["orphan", "symbolic-ref"])
def test_a_branch_without_a_commit_holds_no_memory(tmp_path: Path, git: Git, how: str) -> None:
    kept(tmp_path / "w").close()
    unborn(git, tmp_path / "w", how)
    with Workspace.open(tmp_path / "w", ME, QUICK) as memory, byte_identical(tmp_path / "w"):
        for act in (*READING, *WRITING):
            with pytest.raises(GitmemError) as caught:
                act(memory)
            assert caught.value.code in {Code.REVISION_NOT_FOUND, Code.REPOSITORY_BUSY}
            assert "elsewhere has no commit" in caught.value.message
        found = memory.doctor()
        assert (found.ok, [finding.code for finding in found.findings]) == (False, ["no-memory"])


def test_a_request_that_read_nothing_is_refused_too(tmp_path: Path, git: Git) -> None:  # architecture.md, section 3
    memory = kept(tmp_path / "w")
    request = memory.request(NoEdit(), [NewSource("Mara likes milk.", "user", label="new-source-a")])
    unborn(git, tmp_path / "w", "orphan")
    with byte_identical(tmp_path / "w"), pytest.raises(Conflict) as caught:
        memory.commit(request)
    assert caught.value.code is Code.REPOSITORY_BUSY


@pytest.mark.parametrize("ref", ["refs/tags/t", "refs/elsewhere/x"])
def test_a_head_that_names_no_branch_is_not_written(tmp_path: Path, git: Git, ref: str) -> None:
    kept(tmp_path / "w").close()
    git(tmp_path / "w", "update-ref", ref, "HEAD")
    (tmp_path / "w" / ".git" / "HEAD").write_text(f"ref: {ref}\n")
    with Workspace.open(tmp_path / "w", ME, QUICK) as memory, byte_identical(tmp_path / "w"):
        with pytest.raises(Conflict) as caught:
            memory.remember("Mara likes milk.", "people/mara.md")
        assert caught.value.code is Code.REPOSITORY_BUSY
        assert [found.content for found in memory.search("tea", topics_only=True).results] == ["Mara likes tea."]
