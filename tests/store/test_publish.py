"""One ref move makes a commit the memory; files and index follow (``architecture.md`` section 3, step 7)."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

import pytest

from gitmem.errors import Code, Conflict
from gitmem.ids import ZERO_OID
from gitmem.store.left_alone import read_bases
from gitmem.store.overlay import blob_id
from gitmem.store.projected import Kept, Why
from gitmem.store.publish import Publication, publish
from gitmem.store.quarantine import Quarantine
from gitmem.store.recovery import needs_recovery, recover
from gitmem.store.refs import autosaves, read_ref, rescues
from gitmem.store.snapshot import Snapshot
from gitmem.store.steps import STEPS
from stores import CHANGE, ROOT, Store, commit_object, make_store, reopened

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from running import Git


def state(folder: Path) -> Mapping[str, bytes]:
    """Every file below the folder but the lock that writers leave."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "write.lock"
    }


def is_tidy(store: Store) -> bool:
    """No lock, journal, temporary file or quarantine is left."""
    strays = ("*.lock", "gitmem-projection*", "index*.new", "quarantine-*", ".gitmem-new-*", "*.tmp-*")
    found = [path for pattern in strays for path in store.path.rglob(pattern) if path.name != "write.lock"]
    return not found


def test_files_index_and_history_agree_after_a_publish(store: Store, git: Git) -> None:
    made = store.commit(CHANGE)
    assert git(store.path, "rev-parse", "HEAD") == made.tip
    assert git(store.path, "status", "--porcelain") == ""
    assert git(store.path, "fsck", "--strict", "--no-dangling") == ""
    assert {path: store.read(path) for path in CHANGE} == dict(CHANGE)
    assert not (store.path / "topics/deep").exists()  # the folders that a deletion empties go with it
    assert is_tidy(store)


def test_the_index_knows_the_files_so_that_git_need_not_read_them(store: Store, git: Git) -> None:
    store.commit(CHANGE)
    before = (store.path / ".git/index").read_bytes()
    assert git(store.path, "diff-files", "--raw") == ""  # compares stat data, never content
    git(store.path, "update-index", "--refresh")
    assert (store.path / ".git/index").read_bytes() == before


def test_steps_come_in_their_documented_order(store: Store) -> None:
    seen: list[str] = []
    store.commit(CHANGE, on_step=seen.append, autosave=store.tip)
    assert tuple(seen) == STEPS


def test_files_are_private_and_so_are_their_folders(store: Store) -> None:
    store.commit(CHANGE)
    assert stat.S_IMODE((store.path / "topics/new/c.md").stat().st_mode) == 0o600  # behaviours.md 7.17
    assert stat.S_IMODE((store.path / "topics/new").stat().st_mode) == 0o700


def test_an_executable_file_stays_one(store: Store, git: Git) -> None:
    (store.path / "topics/a.md").chmod(0o755)
    git(store.path, "commit", "-qam", "mode")
    store.commit({"topics/a.md": b"changed\n"})
    assert git(store.path, "status", "--porcelain") == ""
    assert git(store.path, "ls-files", "-s", "topics/a.md").startswith("100755")


def test_a_bare_repository_gets_objects_and_ref_only(bare: Store, git: Git) -> None:
    seen: list[str] = []
    made = bare.commit(CHANGE, on_step=seen.append)
    assert git(bare.path, "rev-parse", "main") == made.tip
    assert "before-index-lock" not in seen
    assert "before-first-file" not in seen
    assert is_tidy(bare)


def test_the_first_commit_starts_from_an_unborn_branch(tmp_path: Path, git: Git) -> None:
    store = make_store(tmp_path / "memory")
    assert git(store.path, "rev-list", "--count", "main") == "1"
    assert git(store.path, "status", "--porcelain") == ""


def test_an_autosave_is_kept_before_the_branch_moves(store: Store) -> None:
    old = store.tip
    made = store.commit(CHANGE, autosave=old)
    assert [ref.oid for ref in autosaves(store.repo)] == [old]
    assert made.published.autosave == autosaves(store.repo)[0].name


def test_the_committer_and_hooks_are_untouched_by_settings_of_the_user(store: Store, git: Git) -> None:
    for key, value in (
        ("commit.gpgsign", "true"),
        ("gpg.program", "/nowhere"),
        ("core.autocrlf", "true"),
        ("core.hooksPath", str(store.path / "hooks")),
    ):
        git(store.path, "config", key, value)
    hooks = store.path / "hooks"
    hooks.mkdir()
    for name in ("pre-commit", "post-commit", "reference-transaction"):
        (hooks / name).write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
        (hooks / name).chmod(0o755)
    store.commit({"topics/a.md": b"one\r\ntwo\n"})
    assert store.read("topics/a.md") == b"one\r\ntwo\n"
    assert git(store.path, "log", "-1", "--format=%an|%cn|%ce|%G?") == "Test|gitmem|gitmem@localhost|N"
    assert git(store.path, "status", "--porcelain", "topics") == ""


# --- refusals ---------------------------------------------------------------------------------------------------


def test_a_discarded_change_leaves_every_byte_as_it_was(store: Store) -> None:
    before = state(store.path)
    with Quarantine(store.repo) as quarantine:
        tip = commit_object(quarantine.repo, store.tip, CHANGE)
        assert Snapshot.at(quarantine.repo, tip).read("topics/new/c.md") == b"# C\n"
    assert state(store.path) == before


def test_a_branch_that_moved_refuses_and_changes_nothing(store: Store) -> None:
    base = store.tip
    store.commit({"topics/a.md": b"somebody else's\n"})
    before = state(store.path)
    with Quarantine(store.repo) as quarantine:
        tip = commit_object(quarantine.repo, base, CHANGE)
        with pytest.raises(Conflict) as caught:
            publish(store.repo, quarantine, Publication("refs/heads/main", base, tip, "test"))
    assert caught.value.code is Code.CONCURRENT_UPDATE
    assert state(store.path) == before


def test_a_branch_that_moves_in_the_last_moment_wins(store: Store, git: Git) -> None:
    other = commit_object(store.repo, store.tip, {"topics/other.md": b"theirs\n"})

    def on_step(name: str) -> None:
        if name == "before-ref-move":
            git(store.path, "update-ref", "refs/heads/main", other)

    with pytest.raises(Conflict) as caught:
        store.commit(CHANGE, on_step=on_step)
    assert caught.value.code is Code.CONCURRENT_UPDATE
    assert store.tip == other
    assert store.read("topics/a.md") == ROOT["topics/a.md"]
    assert is_tidy(store)


def test_a_held_index_lock_refuses_before_any_object_is_written(store: Store) -> None:
    (store.path / ".git/index.lock").touch()
    before = state(store.path)
    with pytest.raises(Conflict) as caught:
        store.commit(CHANGE, timeout=0.02)
    assert caught.value.code is Code.CONCURRENT_UPDATE
    assert caught.value.retryable
    assert state(store.path) == before  # the user's lock included


def test_an_index_lock_taken_in_the_last_moment_refuses_and_stays(store: Store) -> None:
    lock = store.path / ".git/index.lock"

    def on_step(name: str) -> None:
        if name == "before-index-new":
            lock.write_bytes(b"a user's")

    with pytest.raises(Conflict):
        store.commit(CHANGE, on_step=on_step, timeout=0.02)
    assert lock.read_bytes() == b"a user's"
    lock.unlink()
    assert is_tidy(store)
    assert store.tree.read("topics/a.md") == ROOT["topics/a.md"]


def test_an_index_that_changes_before_it_is_locked_is_read_again(store: Store, git: Git) -> None:
    seen: list[str] = []

    def on_step(name: str) -> None:
        if name == "before-index-lock" and name not in seen:
            store.write("topics/staged.md", b"staged\n")
            git(store.path, "add", "topics/staged.md")
        seen.append(name)

    store.commit(CHANGE, on_step=on_step)
    assert seen.count("before-index-new") == 2
    assert git(store.path, "status", "--porcelain") == "A  topics/staged.md"


def test_an_index_that_never_rests_is_a_conflict(store: Store, git: Git) -> None:
    def on_step(name: str) -> None:
        if name == "before-index-lock":
            git(store.path, "update-index", "--index-version", str(3 + len(list(seen)) % 2))
            (store.path / ".git/index").touch()
            seen.append(name)

    seen: list[str] = []
    with pytest.raises(Conflict) as caught:
        store.commit(CHANGE, on_step=on_step)
    assert caught.value.code is Code.CONCURRENT_UPDATE
    assert is_tidy(store)


def test_head_on_another_branch_is_busy(store: Store, git: Git) -> None:
    git(store.path, "switch", "-qc", "aside")
    with Quarantine(store.repo) as quarantine, pytest.raises(Conflict) as caught:
        publish(store.repo, quarantine, Publication("refs/heads/main", ZERO_OID, store.tip, "test"))
    assert caught.value.code is Code.REPOSITORY_BUSY


def test_a_disk_that_fails_after_the_commit_point_is_reported_not_raised(store: Store, git: Git) -> None:
    def on_step(name: str) -> None:
        if name == "before-index-rename":
            raise OSError(28, "No space left on device")

    made = store.commit(CHANGE, on_step=on_step)
    assert made.published.unfinished == "[Errno 28] No space left on device"
    assert store.tip == made.tip
    store.commit({"topics/a.md": b"next\n"})  # finishes the one before
    assert git(store.path, "status", "--porcelain") == ""


def test_an_interrupt_after_the_commit_point_leaves_the_rest_to_recovery(store: Store, git: Git) -> None:
    def on_step(name: str) -> None:
        if name == "after-ref-move":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store.commit(CHANGE, on_step=on_step)
    assert store.tree.read("topics/new/c.md") == b"# C\n"
    assert needs_recovery(store.repo)
    recover(store.repo)
    assert git(store.path, "status", "--porcelain") == ""
    assert is_tidy(store)


def test_a_lock_in_the_way_after_the_commit_point_is_reported_not_raised(store: Store, git: Git) -> None:
    git(store.path, "branch", "aside")
    lock = store.path / ".git/index.lock"

    def on_step(name: str) -> None:
        if name == "after-last-file":
            git(store.path, "symbolic-ref", "HEAD", "refs/heads/aside")
        if name == "after-index-rename":
            lock.touch()  # `git switch` goes on

    made = store.commit(CHANGE, on_step=on_step, timeout=0.02)
    assert made.published.unfinished is not None
    lock.unlink()
    recover(store.repo)
    assert {path: store.read(path) for path in ROOT} == dict(ROOT)
    assert git(store.path, "status", "--porcelain") == ""


# --- what somebody is editing -----------------------------------------------------------------------------------


def test_an_edited_file_is_left_alone_and_its_text_kept(store: Store, git: Git) -> None:
    store.write("topics/a.md", b"typed\n")
    made = store.commit(CHANGE)
    assert made.published.projected.kept == (Kept("topics/a.md", Why.EDITED),)
    assert store.read("topics/a.md") == b"typed\n"
    rescue = made.published.projected.rescue
    assert rescue is not None
    assert git(store.path, "show", f"{rescue}:topics/a.md") == "typed"
    assert read_bases(store.repo) == {"topics/a.md": blob_id(ROOT["topics/a.md"] or b"")}
    assert (
        git(store.path, "status", "--porcelain") == " M topics/a.md"
    )  # the index follows, so `git commit` keeps memory
    assert git(store.path, "fsck", "--strict", "--no-dangling") == ""


def test_a_plain_commit_of_the_index_does_not_undo_the_change(store: Store, git: Git) -> None:
    store.write("topics/a.md", b"typed\n")
    made = store.commit(CHANGE)
    git(store.path, "commit", "-q", "--allow-empty", "-m", "plain")
    assert store.tree.changes(Snapshot.at(store.repo, made.tip)) == ()


def test_the_same_edit_is_rescued_once_and_its_first_base_is_kept(store: Store) -> None:
    store.write("topics/a.md", b"typed\n")
    store.commit({"topics/a.md": b"second\n"})
    store.commit({"topics/a.md": b"third\n"})
    assert len(rescues(store.repo)) == 1
    assert read_bases(store.repo) == {"topics/a.md": blob_id(ROOT["topics/a.md"] or b"")}


def test_an_edit_taken_back_by_hand_is_no_edit(store: Store, git: Git) -> None:
    store.write("topics/a.md", b"typed\n")
    store.commit({"topics/a.md": b"second\n"})
    store.write("topics/a.md", ROOT["topics/a.md"] or b"")
    made = store.commit({"topics/a.md": b"third\n"})
    assert made.published.projected.kept == ()
    assert store.read("topics/a.md") == b"third\n"
    assert read_bases(store.repo) == {}
    assert git(store.path, "status", "--porcelain") == ""


def test_a_staged_edit_is_left_alone_in_index_and_on_disk(store: Store, git: Git) -> None:
    store.write("topics/a.md", b"staged\n")
    git(store.path, "add", "topics/a.md")
    store.write("topics/a.md", b"typed on top\n")
    made = store.commit(CHANGE)
    assert made.published.projected.kept == (Kept("topics/a.md", Why.STAGED),)
    assert git(store.path, "show", ":topics/a.md") == "staged"
    assert store.read("topics/a.md") == b"typed on top\n"
    rescue = made.published.projected.rescue
    assert git(store.path, "show", f"{rescue}:topics/a.md") == "typed on top"
    assert git(store.path, "show", f"{rescue}:topics/a.md.staged") == "staged"


def test_other_staged_files_stay_staged(store: Store, git: Git) -> None:
    store.write("topics/mine.md", b"mine\n")
    git(store.path, "add", "topics/mine.md")
    store.commit(CHANGE)
    assert git(store.path, "status", "--porcelain") == "A  topics/mine.md"


def test_a_new_file_of_the_same_name_is_left_alone_with_an_empty_base(store: Store, git: Git) -> None:
    store.write("topics/new/c.md", b"mine\n")
    made = store.commit(CHANGE)
    assert made.published.projected.kept == (Kept("topics/new/c.md", Why.EDITED),)
    assert read_bases(store.repo) == {"topics/new/c.md": blob_id(b"")}
    assert git(store.path, "status", "--porcelain") == " M topics/new/c.md"


def test_a_file_deleted_by_hand_is_left_deleted(store: Store, git: Git) -> None:
    (store.path / "topics/a.md").unlink()
    made = store.commit(CHANGE)
    assert made.published.projected.kept == (Kept("topics/a.md", Why.EDITED),)
    assert git(store.path, "status", "--porcelain") == " D topics/a.md"


def test_an_edited_file_that_is_deleted_in_memory_stays_on_disk(store: Store, git: Git) -> None:
    store.write("topics/deep/er/b.md", b"typed\n")
    made = store.commit(CHANGE)
    assert made.published.projected.kept == (Kept("topics/deep/er/b.md", Why.EDITED),)
    assert git(store.path, "status", "--porcelain") == "?? topics/deep/"


def test_an_edited_view_is_kept_as_rescue_and_rendered_over(store: Store, git: Git) -> None:
    store.write("core.md", b"typed into a view\n")
    made = store.commit(CHANGE)
    assert made.published.projected.kept == (Kept("core.md", Why.REPLACED),)
    assert store.read("core.md") == CHANGE["core.md"]
    assert git(store.path, "show", f"{made.published.projected.rescue}:core.md") == "typed into a view"


def test_a_clean_merge_is_written_and_the_index_follows_memory(store: Store, git: Git) -> None:
    asked: list[tuple[str, bytes, bytes, bytes]] = []

    def merge(path: str, base: bytes, disk: bytes, new: bytes) -> bytes | None:
        asked.append((path, base, disk, new))
        return b"both\n"

    store.write("topics/a.md", b"typed\n")
    made = store.commit(CHANGE, merge=merge)
    assert asked == [("topics/a.md", ROOT["topics/a.md"], b"typed\n", CHANGE["topics/a.md"])]
    assert made.published.projected.kept == (Kept("topics/a.md", Why.MERGED),)
    assert store.read("topics/a.md") == b"both\n"
    assert git(store.path, "status", "--porcelain") == " M topics/a.md"
    assert read_bases(store.repo) == {}


def test_a_merge_that_is_not_clean_leaves_the_file_alone(store: Store) -> None:
    store.write("topics/a.md", b"typed\n")
    made = store.commit(CHANGE, merge=lambda *_: None)
    assert made.published.projected.kept == (Kept("topics/a.md", Why.EDITED),)


def test_text_that_went_into_the_change_is_written_over(store: Store, git: Git) -> None:
    store.write("topics/a.md", b"typed\n")
    made = store.commit({"topics/a.md": b"typed, with an id\n"}, absorbed={"topics/a.md": (blob_id(b"typed\n"),)})
    assert made.published.projected.kept == ()
    assert store.read("topics/a.md") == b"typed, with an id\n"
    assert git(store.path, "status", "--porcelain") == ""


def test_text_typed_after_it_was_absorbed_is_left_alone(store: Store) -> None:
    store.write("topics/a.md", b"typed, then more\n")
    made = store.commit({"topics/a.md": b"typed, with an id\n"}, absorbed={"topics/a.md": (blob_id(b"typed\n"),)})
    assert made.published.projected.kept == (Kept("topics/a.md", Why.EDITED),)
    assert store.read("topics/a.md") == b"typed, then more\n"


def test_a_file_that_already_says_it_is_not_written_again(store: Store) -> None:
    store.write("topics/a.md", CHANGE["topics/a.md"] or b"")
    made = store.commit(CHANGE)
    assert made.published.projected.kept == ()
    assert "topics/a.md" not in made.published.projected.written


def test_nothing_is_written_through_a_symbolic_link(store: Store, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (store.path / "topics/new").symlink_to(outside)
    (store.path / "topics/a.md").unlink()
    (store.path / "topics/a.md").symlink_to(outside / "a.md")
    made = store.commit(CHANGE)
    assert list(outside.iterdir()) == []
    assert [kept.why for kept in made.published.projected.kept] == [Why.BLOCKED, Why.BLOCKED]


def test_what_a_sparse_checkout_omits_is_not_written(store: Store, git: Git) -> None:
    git(store.path, "update-index", "--skip-worktree", "topics/a.md")
    (store.path / "topics/a.md").unlink()
    made = store.commit(CHANGE)
    assert not (store.path / "topics/a.md").exists()
    assert made.published.projected.kept == ()
    assert git(store.path, "ls-files", "-t", "topics/a.md").startswith("S ")
    assert git(store.path, "status", "--porcelain") == ""


def test_a_switch_of_branches_in_the_middle_takes_the_files_back(store: Store, git: Git) -> None:
    git(store.path, "branch", "aside")

    def on_step(name: str) -> None:
        if name == "before-last-file":  # what `git switch` does last, with the index already released
            git(store.path, "symbolic-ref", "HEAD", "refs/heads/aside")

    made = store.commit(CHANGE, on_step=on_step)
    assert made.published.head_moved
    assert read_ref(store.repo.fresh(), "refs/heads/main") == made.tip
    assert {path: store.read(path) for path in ROOT} == dict(ROOT)
    assert git(store.path, "status", "--porcelain") == ""
    assert is_tidy(store)


def test_a_linked_worktree_is_kept_in_step_by_itself(store: Store, git: Git, tmp_path: Path) -> None:
    git(store.path, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    side = reopened(tmp_path / "side")
    side.write("topics/a.md", b"typed\n")
    made = side.commit(CHANGE)
    assert git(side.path, "rev-parse", "side") == made.tip
    assert git(side.path, "status", "--porcelain") == " M topics/a.md"
    assert git(store.path, "status", "--porcelain") == ""
    assert read_bases(side.repo) != {}
    assert read_bases(store.repo) == {}  # what is being edited belongs to the worktree
    assert is_tidy(store)


def test_text_typed_after_it_was_absorbed_is_merged_with_what_became_of_it(store: Store) -> None:
    asked: list[tuple[bytes, bytes, bytes]] = []

    def merge(_path: str, base: bytes, disk: bytes, new: bytes) -> bytes | None:
        asked.append((base, disk, new))
        return b"all\n"

    def type_on(step: str) -> None:
        if step == "after-ref-move":
            store.write("topics/a.md", b"typed, then more\n")

    store.write("topics/a.md", b"typed\n")
    absorbed = {"topics/a.md": (blob_id(b"typed\n"),)}
    made = store.commit({"topics/a.md": b"typed, with an id\n"}, absorbed=absorbed, merge=merge, on_step=type_on)
    assert asked == [(b"typed\n", b"typed, then more\n", b"typed, with an id\n")]
    assert made.published.projected.kept == (Kept("topics/a.md", Why.MERGED),)


@pytest.mark.parametrize("path", ["topics/a.md", "core.md"])
def test_text_typed_in_the_last_moment_is_kept_before_it_is_written_over(store: Store, git: Git, path: str) -> None:
    def type_on(step: str) -> None:
        if step == "before-first-file":
            store.write(path, b"typed late\n")

    made = store.commit(CHANGE, merge=lambda *_: b"both\n", on_step=type_on)
    assert git(store.path, "show", f"{made.published.projected.rescue}:{path}") == "typed late"


def test_absorbed_text_and_another_that_is_staged_are_both_kept(store: Store, git: Git) -> None:
    store.write("topics/a.md", b"staged\n")
    git(store.path, "add", "topics/a.md")
    store.write("topics/a.md", b"typed\n")
    absorbed = {"topics/a.md": (blob_id(b"typed\n"), blob_id(b"staged\n"))}
    made = store.commit({"topics/a.md": b"typed, with an id\n"}, absorbed=absorbed)
    assert made.published.projected.kept == ()
    assert git(store.path, "status", "--porcelain") == ""
    assert git(store.path, "show", f"{made.published.typed}:topics/a.md") == "typed"
    assert git(store.path, "show", f"{made.published.projected.rescue}:topics/a.md.staged") == "staged"
