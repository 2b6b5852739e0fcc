"""What was kept before something destructive (cli.md, "autosave list")."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gitmem.errors import InvalidRequest
from gitmem.json_form import to_json
from gitmem.store.snapshot import Snapshot
from stories import ADA, claim, revision
from untouched import byte_identical
from workspaces import make

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.workspace import Workspace
    from running import Git
    from stories import Story


def test_every_autosave_is_listed_newest_first(story: Story) -> None:
    # left by merge-blocks and rm
    answer = to_json(story.workspace.autosaves())
    assert isinstance(answer, dict)
    assert [list(kept) for kept in answer["autosaves"]] == [["name", "ref", "at", "revision", "subject", "kind"]] * 2
    assert [(kept["name"], kept["revision"]) for kept in answer["autosaves"]] == [
        ("autosave/1", story.revisions["merge"]),
        ("autosave/2", story.revisions["move"]),
    ]
    assert answer["autosaves"][1]["subject"] == "memory: move 1 claim"


def shape(folder: Path) -> dict[Path, tuple[int, ...]]:
    """What would tell that somebody touched a file of the working directory."""
    files = [path for path in folder.rglob("*") if ".git" not in path.parts]
    stats = {path: path.lstat() for path in files}
    return {path: (stat.st_ino, stat.st_mode, stat.st_size, stat.st_mtime_ns) for path, stat in stats.items()}


def test_uncommitted_text_is_kept_to_the_byte(workspace: Workspace, git: Git) -> None:
    # architecture.md section 2
    claim(workspace, "Ada lives in Basel.")
    folder = workspace.repo.path
    index, tip = (folder / ".git" / "index").read_bytes(), workspace.resolve("HEAD")
    (folder / "topics" / ADA).write_bytes(b"# Ada\r\n\nNobody cited this \n\n\n")
    (folder / "topics" / "new.md").write_text("- a list\n")
    (folder / "topics" / "new.md").chmod(0o755)
    (folder / "link").symlink_to("topics")
    (folder / "relations.json").unlink()
    before = shape(folder)
    kept = workspace.save_autosave().saved
    assert kept is not None
    assert (kept.name, kept.revision) == ("autosave/1", workspace.resolve(kept.ref))
    assert workspace.resolve(f"{kept.ref}^") == workspace.resolve("HEAD") == tip
    changed = git(folder, "diff", "--raw", "--abbrev=1", "HEAD", kept.ref).split("\n")
    assert [(line.split()[1], line.split()[4], line.split("\t")[1]) for line in changed] == [
        ("120000", "A", "link"),
        ("000000", "D", "relations.json"),
        ("100755", "A", "topics/new.md"),
        ("100644", "M", f"topics/{ADA}"),
    ]
    data = Snapshot.at(workspace.repo, workspace.resolve(kept.ref)).read(f"topics/{ADA}")
    assert data == b"# Ada\r\n\nNobody cited this \n\n\n"
    assert shape(folder) == before
    assert (folder / ".git" / "index").read_bytes() == index
    assert workspace.show("autosave/1").subject == "autosave: text that is not committed"
    assert workspace.save_autosave().saved == kept
    assert len(workspace.autosaves().autosaves) == 1


def test_what_is_committed_need_not_be_kept(workspace: Workspace, tmp_path: Path) -> None:
    claim(workspace, "Ada lives in Basel.")
    with byte_identical(workspace.repo.path):
        assert workspace.save_autosave().saved is None
    with pytest.raises(InvalidRequest):
        make(tmp_path / "bare", bare=True).save_autosave()


def test_its_ref_holds_the_state_before(workspace: Workspace) -> None:
    assert workspace.autosaves().autosaves == ()
    block = claim(workspace, "Ada lives in Basel.")
    tip, before = workspace.resolve("HEAD"), revision(workspace)
    result = workspace.remove([block])
    (kept,) = workspace.autosaves().autosaves
    assert (kept.ref, kept.revision) == (result.autosave, before)
    assert workspace.resolve(kept.ref) == workspace.resolve("autosave/1") == tip
