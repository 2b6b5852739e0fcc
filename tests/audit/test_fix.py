"""`check --fix` mends what cannot change meaning, and nothing else (`cli.md`, check)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.audit.fix import mended
from gitmem.errors import InvalidRequest
from workspaces import make

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.workspace import Workspace
    from running import Git

ADA = "topics/people/ada.md"


def test_line_ends_and_marks_are_mended(workspace: Workspace, folder: Path, git: Git) -> None:
    text = (folder / ADA).read_bytes()
    (folder / ADA).write_bytes(b"\xef\xbb\xbf" + text.rstrip(b"\n").replace(b"\n", b"\r\n"))
    assert not workspace.check().ok
    answer = workspace.check(fix=True)
    assert answer.ok
    assert answer.fixed == (ADA,)
    assert (folder / ADA).read_bytes() == text
    assert git(folder, "status", "--porcelain") == ""
    assert workspace.check(fix=True).fixed == ()


def test_what_has_another_meaning_is_left_alone(workspace: Workspace, folder: Path) -> None:
    (folder / ADA).write_bytes(b"\xff\r\n" + (folder / ADA).read_bytes())
    (folder / "topics" / "link.md").symlink_to("people/bob.md")
    (folder / "topics" / "empty.md").write_bytes(b"")
    before = (folder / ADA).read_bytes()
    assert workspace.check(fix=True).fixed == ()
    assert (folder / ADA).read_bytes() == before
    assert (folder / "topics" / "link.md").is_symlink()


def test_only_files_can_be_fixed(workspace: Workspace, tmp_path: Path) -> None:
    for how in ({"revision": "HEAD"}, {"staged": True}, {"all_history": True}):
        with pytest.raises(InvalidRequest):
            workspace.check(fix=True, **how)  # type: ignore[arg-type]
    with pytest.raises(InvalidRequest):
        make(tmp_path / "bare.git", bare=True).check(fix=True)


@given(st.binary().filter(lambda data: not data.startswith(b"\xef\xbb\xbf\xef\xbb\xbf")))
def test_mending_twice_is_mending_once(data: bytes) -> None:
    once = mended(data)
    assert not once.strip() or once.endswith(b"\n")
    assert mended(once) == once
