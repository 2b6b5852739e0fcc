"""Bringing back what an autosave holds, and for how long there is one (cli.md, "autosave")."""

from __future__ import annotations

from dataclasses import fields
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from gitmem.config import Config
from gitmem.edit.parse_request import parse_update
from gitmem.errors import Code, Conflict, GitmemError, InvalidRequest, NotFound, Unavailable
from gitmem.history.back import BackAnswer
from gitmem.history.put_back import PutBackAnswer
from gitmem.history.retention import Retention, prune_autosaves
from gitmem.request import Request
from gitmem.store import refs
from gitmem.store.left_alone import read_bases
from gitmem.store.snapshot import blob
from gitmem.transaction.options import Options
from stories import ADA, claim
from untouched import byte_identical
from workspaces import ME, make, state

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.workspace import Workspace
    from running import Git

TYPED = {
    f"topics/{ADA}": b"# Ada\r\n\r\nno final newline",
    "topics/new.md": b"- a list\n",
    "topics/bytes.bin": b"\0\xff\x00",
}


def type_in(folder: Path) -> None:
    for path, data in TYPED.items():
        (folder / path).write_bytes(data)
    (folder / "topics/new.md").chmod(0o755)
    (folder / "relations.json").unlink()


def disk(folder: Path) -> dict[str, tuple[bytes, bool]]:
    files = [path for path in folder.rglob("*") if ".git" not in path.parts and path.is_file()]
    return {
        str(path.relative_to(folder)): (path.read_bytes(), bool(path.stat().st_mode & 0o100)) for path in sorted(files)
    }


def put_back(workspace: Workspace, number: int) -> PutBackAnswer:
    answer = workspace.restore_autosave(number)
    assert isinstance(answer, PutBackAnswer)
    return answer


def kinds(workspace: Workspace) -> list[str]:
    return [str(kept.kind) for kept in workspace.autosaves().autosaves]


@pytest.fixture
def folder(workspace: Workspace) -> Path:
    claim(workspace, "Ada lives in Basel.")
    return workspace.repo.path


# --- putting back


def test_text_comes_back_to_the_byte_and_goes_again(workspace: Workspace, folder: Path, git: Git) -> None:
    clean, head = disk(folder), git(folder, "rev-parse", "HEAD")
    type_in(folder)
    typed = disk(folder)
    workspace.save_autosave()
    git(folder, "checkout", "-q", "--", ".")
    git(folder, "clean", "-fdq")
    assert disk(folder) == clean
    back = put_back(workspace, 1)
    assert disk(folder) == typed
    assert back.changed_files == ("relations.json", "topics/bytes.bin", "topics/new.md", f"topics/{ADA}")
    assert (back.ok, back.warnings, back.of.name, back.go_back) == (True, (), "autosave/2", "gitmem autosave restore 1")
    assert git(folder, "rev-parse", "HEAD") == head
    again = put_back(workspace, 1)
    assert disk(folder) == clean
    assert again.go_back is not None
    put_back(workspace, int(again.go_back.split()[-1]))
    assert disk(folder) == typed


def test_other_edits_stay_and_are_kept(workspace: Workspace, folder: Path) -> None:
    (folder / "topics/one.md").write_text("one\n")
    workspace.save_autosave()
    (folder / "topics/one.md").write_text("one, changed\n")
    (folder / "topics/two.md").write_text("two\n")
    put_back(workspace, 1)
    assert (folder / "topics/one.md").read_text() == "one\n"
    assert (folder / "topics/two.md").read_text() == "two\n"
    (kept, _) = workspace.autosaves().autosaves
    patches = {file.path: file.patch for file in workspace.autosave(1).files}
    assert kept.kind == "text"
    assert patches == {
        "topics/one.md": "--- /dev/null\n+++ b/topics/one.md\n@@ -0,0 +1 @@\n+one, changed\n",
        "topics/two.md": "--- /dev/null\n+++ b/topics/two.md\n@@ -0,0 +1 @@\n+two\n",
    }


def test_what_stands_there_already_leaves_no_autosave(workspace: Workspace, folder: Path) -> None:
    type_in(folder)
    workspace.save_autosave()
    with byte_identical(folder):
        answer = put_back(workspace, 1)
    assert (answer.changed_files, answer.autosave, answer.go_back) == ((), None, None)


def test_text_that_memory_moved_on_under_is_noted_as_older(workspace: Workspace, folder: Path, git: Git) -> None:
    # architecture.md section 3, step 8: committing it later must take nothing back
    path = f"topics/{ADA}"
    before = (folder / path).read_bytes()
    (folder / path).write_bytes(before + b"\nAda has a cat.\n")
    workspace.save_autosave()
    git(folder, "checkout", "-q", "--", ".")
    claim(workspace, "Ada plays chess.")
    put_back(workspace, 1)
    bases = read_bases(workspace.repo)
    assert {at: blob(workspace.repo, oid) for at, oid in bases.items()} == {path: before}
    put_back(workspace, 1)
    assert read_bases(workspace.repo) == {}
    assert git(folder, "status", "--porcelain") == ""


def test_links_are_neither_followed_nor_made(workspace: Workspace, folder: Path, tmp_path: Path) -> None:
    (folder / "link").symlink_to(tmp_path)
    (folder / "topics/in.md").write_text("in\n")
    workspace.save_autosave()
    (folder / "link").unlink()
    (folder / "topics/in.md").unlink()
    (folder / "topics/in.md").symlink_to(tmp_path / "elsewhere")
    answer = put_back(workspace, 1)
    assert not answer.ok
    assert len(answer.warnings) == 2
    assert not (tmp_path / "elsewhere").exists()


def test_a_path_out_of_the_folder_is_never_touched(workspace: Workspace, folder: Path, git: Git) -> None:
    (folder.parent / "outside").write_text("mine\n")
    tree, parent = git(folder, "rev-parse", "HEAD^{tree}"), git(folder, "rev-parse", "HEAD")
    message = "autosave: text that is not committed\n\n../outside\n.git/config\n"
    forged = git(folder, "commit-tree", tree, "-p", parent, stdin=message)
    git(folder, "update-ref", "refs/gitmem/autosave/20240101T000000Z-1", forged)
    assert put_back(workspace, 1).changed_files == ()
    assert (folder.parent / "outside").exists()
    assert (folder / ".git/config").exists()


def test_a_memory_comes_back_by_a_transaction(workspace: Workspace, folder: Path) -> None:
    block = claim(workspace, "Ada plays chess.")
    text = (folder / "topics" / ADA).read_bytes()
    workspace.remove([block])
    assert kinds(workspace) == ["memory"]
    assert workspace.diff_autosave(1).from_ == "autosave/1"
    assert [gone.id for gone in workspace.diff_autosave(1).claims.removed] == [block]
    answer = workspace.restore_autosave(1)
    assert isinstance(answer, BackAnswer)
    assert answer.autosave == workspace.autosaves().autosaves[0].ref
    assert (folder / "topics" / ADA).read_bytes() == text


def test_text_is_compared_with_the_files(workspace: Workspace, folder: Path) -> None:
    (folder / "topics" / ADA).unlink()
    workspace.save_autosave()
    assert workspace.diff_autosave(1).stat == ()
    assert workspace.diff_autosave(1).to == "working directory"
    assert [(file.path, file.what) for file in workspace.autosave(1).files] == [(f"topics/{ADA}", "deleted")]


def test_what_is_no_text_has_no_patch(workspace: Workspace, folder: Path) -> None:
    type_in(folder)
    workspace.save_autosave()
    patches = {file.path: file.patch for file in workspace.autosave(1).files}
    assert patches["topics/bytes.bin"] is None
    assert str(patches[f"topics/{ADA}"]).endswith("+# Ada\r\n+\r\n+no final newline\n\\ No newline at end of file\n")


def test_there_must_be_one_and_files_to_put_it_into(workspace: Workspace, folder: Path, git: Git) -> None:
    for call in (workspace.autosave, workspace.diff_autosave, workspace.restore_autosave):
        with pytest.raises(NotFound):
            call(1)
    type_in(folder)
    workspace.save_autosave()
    git(folder, "switch", "-q", "--detach")
    with byte_identical(folder), pytest.raises(Conflict):
        put_back(workspace, 1)


# --- made by itself


def test_text_in_the_way_of_a_write_is_kept_first(workspace: Workspace, folder: Path) -> None:
    path = folder / "topics" / ADA
    typed = path.read_bytes() + b"\r\nhalf a thought"
    path.write_bytes(typed)
    (folder / "topics/other.md").write_text("not in the way\n")
    result = workspace.remember("Ada plays chess.", ADA, time="2024")
    assert result.autosave is None
    assert kinds(workspace) == ["text"]
    assert [file.path for file in workspace.autosave(1).files] == [f"topics/{ADA}"]
    kept = workspace.memory("autosave/1").snapshot.read(f"topics/{ADA}")
    assert kept == typed
    workspace.remember("Ada likes tea.", ADA, time="2024")
    assert len(kinds(workspace)) == 1 or path.read_bytes() != typed


def test_a_file_that_was_deleted_or_is_new_is_text_too(workspace: Workspace, folder: Path) -> None:
    (folder / "topics" / ADA).unlink()
    (folder / "topics/people/new.md").write_text("mine\n")
    workspace.remember("Ada plays chess.", ADA, time="2024")
    workspace.remember("New is new.", "people/new.md", time="2024")
    found = [(kept.path, kept.what) for number in (2, 1) for kept in workspace.autosave(number).files]
    assert found == [(f"topics/{ADA}", "deleted"), ("topics/people/new.md", "added")]


def test_a_refused_edit_leaves_none(workspace: Workspace, folder: Path) -> None:
    (folder / "topics" / ADA).write_text("typed\n")
    with byte_identical(folder), pytest.raises(GitmemError):
        workspace.update(
            {
                "base_revision": workspace.memory().revision,
                "changes": [
                    {"path": f"topics/{ADA}", "action": "write", "content": "nobody said this\n"},
                ],
            }
        )


def test_without_an_autosave_nothing_is_installed(workspace: Workspace, folder: Path, git: Git) -> None:
    block = claim(workspace, "Ada plays chess.")
    refs_there = git(folder, "for-each-ref")
    (folder / ".git/refs/gitmem").mkdir(exist_ok=True)
    (folder / ".git/refs/gitmem/autosave").write_text("in the way\n")
    text = (folder / "topics" / ADA).read_bytes()
    index = (folder / ".git/index").read_bytes()
    with pytest.raises(Unavailable):
        workspace.remove([block])
    (folder / "topics" / ADA).write_bytes(text + b"typed")
    with pytest.raises(Unavailable):
        workspace.remember("Ada likes tea.", ADA, time="2024")
    (folder / ".git/refs/gitmem/autosave").unlink()
    assert git(folder, "for-each-ref") == refs_there
    assert (folder / "topics" / ADA).read_bytes() == text + b"typed"
    assert (folder / ".git/index").read_bytes() == index
    assert not (folder / ".git/index.lock").exists()
    assert not (folder / ".git/gitmem-projection").exists()


def test_a_move_that_is_lost_leaves_none(workspace: Workspace, folder: Path, git: Git) -> None:
    block = claim(workspace, "Ada plays chess.")
    there = git(folder, "for-each-ref")
    path = folder / "topics" / ADA
    path.write_bytes(path.read_bytes() + b"typed")

    def lose(step: str) -> None:
        if step == "before-ref-move":
            raise Conflict(Code.CONCURRENT_UPDATE, "somebody was faster")

    workspace.options = Options(on_step=lose)
    with pytest.raises(Conflict):
        workspace.remove([block])
    assert git(folder, "for-each-ref") == there
    assert path.read_bytes().endswith(b"typed")


def test_nobody_can_ask_for_one(workspace: Workspace) -> None:
    # architecture.md section 3, 7a: a consequence of what is done, never a wish
    assert not [field.name for field in fields(Request) if "autosave" in field.name]
    base = workspace.memory().revision
    for key in ("autosave", "snapshot", "skip_autosave"):
        with pytest.raises(InvalidRequest):
            parse_update({"base_revision": base, "changes": [], key: False})


# --- retention


NOW = datetime(2026, 12, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("days", "count", "left"), [(30, 0, 3), (30, 4, 4), (0, 2, 2), (0, 0, 1), (1000, 0, 5), (5, 200, 5)]
)
def test_only_what_is_both_old_and_beyond_the_count_goes(
    workspace: Workspace, days: int, count: int, left: int
) -> None:
    # 30 days old to the second is not older than 30 days
    ages = (timedelta(0), timedelta(days=29), timedelta(days=30), timedelta(days=30, seconds=1), timedelta(days=900))
    tip = workspace.resolve("HEAD")
    names = [refs.create_autosave(workspace.repo, tip, at=NOW - age) for age in ages]
    there = state(workspace.repo.path)
    dry = prune_autosaves(workspace.repo, Retention(days, count), NOW, lock_timeout=1, dry_run=True)
    assert state(workspace.repo.path) == there
    done = prune_autosaves(workspace.repo, Retention(days, count), NOW, lock_timeout=1)
    assert dry.removed == done.removed
    assert done.kept == left
    assert [kept.ref for kept in workspace.autosaves().autosaves] == names[:left]
    assert [gone.ref for gone in done.removed] == names[left:]


def test_the_settings_decide(tmp_path: Path) -> None:
    folder = make(tmp_path / "w").repo.path
    from gitmem.workspace import Workspace  # noqa: PLC0415  (the type alone is known above)

    workspace = Workspace.open(folder, ME, Config(fsync=False, autosave_keep_days=1, autosave_keep_count=1))
    tip = workspace.resolve("HEAD")
    for age in (5, 6):
        refs.create_autosave(workspace.repo, tip, at=datetime.now(UTC) - timedelta(days=age))
    assert (len(workspace.prune_autosaves().removed), workspace.prune_autosaves().kept) == (1, 1)
