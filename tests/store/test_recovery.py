"""A process that dies anywhere leaves what the next one finishes (``architecture.md`` section 3, step 8)."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from gitmem.errors import Code, Conflict
from gitmem.ids import Oid
from gitmem.store.journal import Journal, journal_path, read_journal
from gitmem.store.left_alone import save_rescue
from gitmem.store.lock import write_lock
from gitmem.store.recovery import needs_recovery, recover
from gitmem.store.refs import rescues
from gitmem.store.steps import STEPS
from stores import (
    CHANGE,
    ROOT,
    Store,
    commit_and_die,
    commit_object,
    make_store,
    publish_until_killed,
    recover_and_die,
    reopened,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.context import ForkServerContext
    from pathlib import Path

    from running import Git

Run = "Callable[..., int | None]"

COMMIT_POINT = STEPS.index("after-ref-move")
STRAYS = ("*.lock", "gitmem-projection*", "index*.new", "quarantine-*", ".gitmem-new-*", "*.tmp-*", "tmp_object_*")
ENDS = {"exit": 17, "kill": -9}


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_store(tmp_path_factory.mktemp("template") / "memory").path


@pytest.fixture
def workspace(template: Path, tmp_path: Path) -> Path:
    return shutil.copytree(template, tmp_path / "memory", symlinks=True)


def strays(path: Path) -> list[str]:
    found = [str(file.relative_to(path)) for pattern in STRAYS for file in path.rglob(pattern)]
    return [name for name in found if not name.endswith("write.lock")]


def on_disk(store: Store) -> dict[str, bytes | None]:
    return {path: store.read(path) for path in (*ROOT, *CHANGE)}


def published_or_not(step: str) -> dict[str, bytes | None]:
    before: dict[str, bytes | None] = {**dict.fromkeys(CHANGE), **ROOT}
    return {**before, **CHANGE} if STEPS.index(step) >= COMMIT_POINT else before


@pytest.mark.parametrize("how", ENDS)
@pytest.mark.parametrize("step", STEPS)
def test_a_writer_that_dies_leaves_all_or_nothing(
    step: str, how: str, workspace: Path, in_process: Callable[..., int | None], git: Git
) -> None:
    assert in_process(commit_and_die, str(workspace), step, how) == ENDS[how]
    store = reopened(workspace)
    assert git(workspace, "fsck", "--strict", "--no-dangling") == ""  # even before anybody recovered
    recover(store.repo)
    assert strays(workspace) == []
    expected = published_or_not(step)
    assert on_disk(store) == expected
    assert {path: store.tree.read(path) for path in expected} == expected
    assert git(workspace, "status", "--porcelain") == ""
    assert recover(store.repo) == ()  # nothing is left to do
    store.commit({"topics/next.md": b"next\n"})
    assert git(workspace, "status", "--porcelain") == ""
    assert strays(workspace) == []


@pytest.mark.parametrize("step", STEPS)
def test_a_plain_commit_made_in_between_cannot_undo_the_change(
    step: str, workspace: Path, in_process: Callable[..., int | None], git: Git
) -> None:
    in_process(commit_and_die, str(workspace), step, "kill")
    store = reopened(workspace)
    store.write("topics/other.md", b"typed\n")
    who = ("-c", "user.name=Test", "-c", "user.email=test@example.invalid")
    by_hand = subprocess.run(
        ["git", *who, "commit", "-qam", "by hand"], cwd=workspace, capture_output=True, check=False
    )
    recover(store.repo)
    expected = published_or_not(step) | {"topics/other.md": b"typed\n"}
    assert on_disk(store) == expected
    if by_hand.returncode == 0:
        assert {path: store.tree.read(path) for path in expected} == expected
        assert git(workspace, "status", "--porcelain") == ""
    else:
        assert git(workspace, "status", "--porcelain") == " M topics/other.md"
    assert strays(workspace) == []


@pytest.mark.parametrize("step", [step for step in STEPS if "index" in step or "file" in step or "journal" in step])
def test_a_recovery_that_dies_is_recovered_from(
    step: str, workspace: Path, in_process: Callable[..., int | None], git: Git
) -> None:
    in_process(commit_and_die, str(workspace), "after-first-file", "kill")
    assert in_process(recover_and_die, str(workspace), step, "kill") == -9
    store = reopened(workspace)
    recover(store.repo)
    assert on_disk(store) == {**ROOT, **CHANGE}
    assert git(workspace, "status", "--porcelain") == ""
    assert strays(workspace) == []


def test_no_plain_commit_gets_between_the_dead_writers_lock_and_recoverys(
    workspace: Path, in_process: Callable[..., int | None]
) -> None:
    in_process(commit_and_die, str(workspace), "after-ref-move", "kill")
    store = reopened(workspace)
    store.write("topics/other.md", b"typed\n")
    seen: list[tuple[str, int]] = []

    def on_step(name: str) -> None:
        command = ["git", "-c", "user.name=T", "-c", "user.email=t@x", "commit", "-qam", "by hand"]
        seen.append((name, subprocess.run(command, cwd=workspace, capture_output=True, check=False).returncode))

    recover(store.repo, on_step=on_step)
    names = [name for name, _status in seen]
    assert all(status != 0 for _name, status in seen[: names.index("after-index-rename")])
    assert on_disk(store) == {**ROOT, **CHANGE, "topics/other.md": b"typed\n"}
    assert strays(workspace) == []


@pytest.mark.parametrize("after", range(1, 6))
def test_a_kill_at_any_moment_loses_nothing_acknowledged(
    after: int, workspace: Path, processes: ForkServerContext, git: Git
) -> None:
    ours, theirs = processes.Pipe()
    writer = processes.Process(target=publish_until_killed, args=(str(workspace), theirs))
    writer.start()
    while ours.recv() < after:
        pass
    writer.kill()  # it is somewhere in the next commit
    writer.join()
    store = reopened(workspace)
    recover(store.repo)
    assert git(workspace, "fsck", "--strict", "--no-dangling") == ""
    assert git(workspace, "status", "--porcelain") == ""
    assert strays(workspace) == []
    assert {store.read(f"topics/n/{number}.md") for number in range(after + 1)} >= {b"%d\n" % n for n in range(after)}
    store.commit(CHANGE)
    assert git(workspace, "status", "--porcelain") == ""


def test_an_old_lock_on_a_ref_of_gitmems_own_is_removed(store: Store) -> None:
    save_rescue(store.repo, {"topics/a.md": b"x"}, "why")
    for name in ("old", "young"):
        (store.path / f".git/refs/gitmem/rescue/{name}.lock").touch()
    os.utime(store.path / ".git/refs/gitmem/rescue/old.lock", (0, 0))
    assert [action.target for action in recover(store.repo)] == ["old.lock"]


def test_a_bare_repository_is_recovered_too(tmp_path: Path, in_process: Callable[..., int | None], git: Git) -> None:
    bare = make_store(tmp_path / "memory.git", bare=True)
    in_process(commit_and_die, str(bare.path), "before-ref-move", "kill")
    lock = bare.path / "refs/heads/main.lock"
    lock.touch()
    assert needs_recovery(bare.repo)
    recover(bare.repo)
    assert strays(bare.path) == []
    bare.commit(CHANGE)
    assert git(bare.path, "fsck", "--strict", "--no-dangling") == ""


def test_the_next_publish_finishes_an_interrupted_one_first(
    workspace: Path, in_process: Callable[..., int | None], git: Git
) -> None:
    in_process(commit_and_die, str(workspace), "after-ref-move", "kill")
    store = reopened(workspace)
    store.commit({"topics/next.md": b"next\n"})
    assert on_disk(store) == {**ROOT, **CHANGE}
    assert git(workspace, "status", "--porcelain") == ""


# --- what recovery must not touch -------------------------------------------------------------------------------


def test_text_typed_after_the_crash_is_kept(workspace: Path, in_process: Callable[..., int | None], git: Git) -> None:
    in_process(commit_and_die, str(workspace), "after-ref-move", "kill")
    store = reopened(workspace)
    store.write("topics/a.md", b"typed after the crash\n")
    actions = recover(store.repo)
    assert store.read("topics/a.md") == b"typed after the crash\n"
    assert store.read("topics/new/c.md") == CHANGE["topics/new/c.md"]
    assert ("kept", "topics/a.md") in [(action.what, action.target) for action in actions]
    assert git(workspace, "show", f"{rescues(store.repo)[0].name}:topics/a.md") == "typed after the crash"
    assert git(workspace, "status", "--porcelain") == " M topics/a.md"


def test_somebody_elses_index_lock_is_not_removed(workspace: Path, in_process: Callable[..., int | None]) -> None:
    in_process(commit_and_die, str(workspace), "after-ref-move", "kill")
    lock = workspace / ".git/index.lock"
    os.replace(lock, workspace / ".git/gone")  # noqa: PTH105 - keeps the inode in use, as the crash left it
    lock.write_bytes(b"an editor is open")
    store = reopened(workspace)
    with pytest.raises(Conflict) as caught:
        recover(store.repo, timeout=0.02)
    assert caught.value.code is Code.CONCURRENT_UPDATE
    assert lock.read_bytes() == b"an editor is open"
    assert journal_path(store.repo).exists()  # and so it can be finished later
    lock.unlink()
    recover(store.repo)
    assert on_disk(store) == {**ROOT, **CHANGE}


def test_a_ref_lock_that_holds_something_else_is_not_removed(
    workspace: Path, in_process: Callable[..., int | None]
) -> None:
    in_process(commit_and_die, str(workspace), "before-ref-move", "kill")
    lock = workspace / ".git/refs/heads/main.lock"
    lock.write_text("0" * 40, encoding="ascii")
    recover(reopened(workspace).repo)
    assert lock.exists()


@pytest.mark.parametrize("held", ["", "target"])
def test_a_ref_lock_of_the_interrupted_write_is_removed(
    held: str, workspace: Path, in_process: Callable[..., int | None]
) -> None:
    in_process(commit_and_die, str(workspace), "before-ref-move", "kill")
    store = reopened(workspace)
    journal = read_journal(store.repo)
    assert journal is not None
    lock = workspace / ".git/refs/heads/main.lock"
    lock.write_text(f"{journal.new}\n" if held else "", encoding="ascii")
    recover(store.repo)
    assert not lock.exists()


def test_nothing_is_recovered_while_somebody_writes(store: Store) -> None:
    journal_path(store.repo).write_text("{}", encoding="utf-8")
    other = reopened(store.path)

    with write_lock(store.repo, 1), pytest.raises(Conflict):
        _in_thread(lambda: recover(other.repo, timeout=0.02))


def _in_thread(call: Callable[[], object]) -> object:
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - here only

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(call).result()


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"from": 1}', '{"absorbed": 3}'])
def test_a_journal_that_is_not_whole_announces_nothing(damage: str, store: Store) -> None:
    journal_path(store.repo).write_text(damage, encoding="utf-8")
    recover(store.repo)
    assert not journal_path(store.repo).exists()


def test_a_journal_of_a_commit_that_never_arrived_is_withdrawn(store: Store, git: Git) -> None:
    Journal("refs/heads/main", store.tip, Oid("12" * 20), None).write(store.repo)
    actions = recover(store.repo)
    assert [action.what for action in actions] == ["withdrew"]
    assert git(store.path, "status", "--porcelain") == ""


def test_absorbed_text_is_written_over_in_recovery_too(store: Store, git: Git) -> None:
    from gitmem.store.overlay import blob_id  # noqa: PLC0415 - here only

    store.write("topics/a.md", b"typed\n")
    old = store.tip
    new = commit_object(store.repo, old, {"topics/a.md": b"typed, with an id\n"})
    Journal("refs/heads/main", old, new, None, absorbed={"topics/a.md": (blob_id(b"typed\n"),)}).write(store.repo)
    git(store.path, "update-ref", "refs/heads/main", new)
    recover(store.repo)
    assert store.read("topics/a.md") == b"typed, with an id\n"
    assert git(store.path, "status", "--porcelain") == ""


def test_a_branch_that_went_on_is_what_recovery_brings(store: Store, git: Git) -> None:
    old = store.tip
    new = commit_object(store.repo, old, CHANGE)
    newer = commit_object(store.repo, new, {"topics/a.md": b"newer\n"})
    Journal("refs/heads/main", old, new, None).write(store.repo)
    git(store.path, "update-ref", "refs/heads/main", newer)
    recover(store.repo)
    assert on_disk(store) == {**ROOT, **CHANGE, "topics/a.md": b"newer\n"}
    assert git(store.path, "status", "--porcelain") == ""


def test_another_branch_gets_its_own_files_back(store: Store, git: Git) -> None:
    git(store.path, "branch", "aside")
    old = store.tip
    new = commit_object(store.repo, old, CHANGE)
    Journal("refs/heads/main", old, new, None).write(store.repo)
    git(store.path, "update-ref", "refs/heads/main", new)
    git(store.path, "symbolic-ref", "HEAD", "refs/heads/aside")
    store.write("topics/a.md", CHANGE["topics/a.md"] or b"")  # had been written for the other branch
    recover(store.repo)
    assert on_disk(store) == {**dict.fromkeys(CHANGE), **ROOT}
    assert git(store.path, "status", "--porcelain") == ""


def test_old_temporary_objects_are_removed_and_young_ones_kept(store: Store) -> None:
    objects = store.path / ".git/objects"
    for name in ("tmp_object_git2_old", "tmp_object_git2_young"):
        (objects / name).touch()
    os.utime(objects / "tmp_object_git2_old", (0, 0))
    recover(store.repo)
    assert not (objects / "tmp_object_git2_old").exists()
    assert (objects / "tmp_object_git2_young").exists()


def test_a_stray_beside_a_working_file_is_removed(workspace: Path, in_process: Callable[..., int | None]) -> None:
    in_process(commit_and_die, str(workspace), "after-first-file", "kill")
    (workspace / "topics/.gitmem-new-1-1").touch()
    recover(reopened(workspace).repo)
    assert strays(workspace) == []


def test_the_journal_says_what_the_architecture_says(store: Store) -> None:
    Journal("refs/heads/main", Oid("1" * 40), Oid("2" * 40), 7).write(store.repo)
    data = json.loads(journal_path(store.repo).read_bytes())
    assert {name: data[name] for name in ("from", "to", "index_lock_inode")} == {
        "from": "1" * 40,
        "to": "2" * 40,
        "index_lock_inode": 7,
    }


def test_a_tidy_repository_needs_no_recovery(store: Store) -> None:
    assert not needs_recovery(store.repo)
    assert recover(store.repo) == ()
