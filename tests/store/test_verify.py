"""Every ref is followed to the commits behind it (`doctor`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.ids import Oid
from gitmem.store.verify import unreadable
from workspaces import make

if TYPE_CHECKING:
    from pathlib import Path

    from running import Git


def test_annotated_tags_and_tags_of_files_are_whole(tmp_path: Path, git: Git) -> None:
    folder = tmp_path / "w"
    repo = make(folder).repo
    git(folder, "tag", "-a", "v1", "-m", "the first")
    git(folder, "tag", "-a", "v2", "-m", "the tag", "v1")
    git(folder, "tag", "file", git(folder, "rev-parse", "HEAD:.gitmem"))
    tips = [Oid(git(folder, "rev-parse", name)) for name in ("v1", "v2", "file")]
    assert list(unreadable(repo.fresh(), tips)) == []


def test_a_tip_that_is_not_there_is_missing(tmp_path: Path) -> None:
    repo = make(tmp_path / "w").repo
    (bad,) = unreadable(repo, [Oid("1" * 40)])
    assert bad.missing
