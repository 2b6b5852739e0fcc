"""Working files are written in one step and never through a link (``behaviours.md`` 7.17)."""

from __future__ import annotations

import ctypes
import errno
import os
import stat
import time
from typing import TYPE_CHECKING

import pytest

from gitmem.store import durability, workfiles
from gitmem.store.overlay import blob_id
from gitmem.store.workfiles import ABSENT, FOREIGN, WorkFiles
from stores import CHANGE, ROOT, Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from running import Git


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "spool").mkdir()
    (tmp_path / "root").mkdir()
    return tmp_path / "root"


@pytest.fixture
def files(root: Path) -> Iterator[WorkFiles]:
    with WorkFiles(root, root.parent / "spool") as opened:
        yield opened


def test_a_written_file_is_older_than_what_follows(files: WorkFiles, root: Path) -> None:
    found = files.write("a/b/c.md", b"text\n")
    assert (root / "a/b/c.md").read_bytes() == b"text\n"
    assert found.st_mtime_ns < time.time_ns() - workfiles.BACKDATED_NS // 2
    assert stat.S_IMODE((root / "a/b").stat().st_mode) == 0o700
    assert os.listdir(root.parent / "spool") == []  # noqa: PTH208


def test_deleting_takes_the_folders_it_empties_and_no_others(files: WorkFiles, root: Path) -> None:
    files.write("a/b/c.md", b"1")
    files.write("a/d.md", b"2")
    files.delete("a/b/c.md")
    assert sorted(place.name for place in root.rglob("*")) == ["a", "d.md"]
    files.write("a/b/c.md", b"again")
    assert files.read("a/b/c.md").oid == blob_id(b"again")


def test_links_folders_and_devices_are_foreign(files: WorkFiles, root: Path) -> None:
    (root / "folder").mkdir()
    (root / "link.md").symlink_to("elsewhere")
    (root / "linked").symlink_to(root / "folder")
    (root / "folder/x.md").write_bytes(b"x")
    os.mkfifo(root / "pipe")
    assert files.read("folder") == FOREIGN
    assert files.read("link.md") == FOREIGN
    assert files.read("linked/x.md") == FOREIGN
    assert files.read("pipe") == FOREIGN
    assert files.read("none/none.md") == ABSENT
    assert files.stat("linked/x.md") is None
    assert files.link_target("link.md") == "elsewhere"
    assert files.link_target("folder/x.md") is None


def test_nothing_is_written_below_a_link_or_a_file(files: WorkFiles, root: Path) -> None:
    (root / "linked").symlink_to(root.parent)
    (root / "file").write_bytes(b"")
    for path in ("linked/x.md", "file/x.md"):
        with pytest.raises(OSError, match=r"linked|file|Not a directory|symbolic"):
            files.write(path, b"x")
    assert not (root.parent / "x.md").exists()


def test_a_folder_in_the_way_leaves_no_temporary_file(files: WorkFiles, root: Path) -> None:
    (root / "a.md").mkdir()
    with pytest.raises(IsADirectoryError):
        files.write("a.md", b"x")
    assert list((root.parent / "spool").iterdir()) == []


def crossing(monkeypatch: pytest.MonkeyPatch, *, also: int | None = None) -> None:
    """Make the spool another file system, and the second attempt fail when asked to."""
    real: Callable[..., None] = os.replace
    calls: list[int] = []

    def replace(source: str, target: str, **folders: int) -> None:
        calls.append(1)
        if len(calls) == 1:
            raise OSError(errno.EXDEV, "another file system")
        if also is not None:
            raise OSError(also, "no")
        real(source, target, **folders)

    monkeypatch.setattr(os, "replace", replace)


def test_a_spool_on_another_file_system_is_worked_around(
    files: WorkFiles, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    crossing(monkeypatch)  # behaviours.md 17.2
    files.write("a/b.md", b"x", 0o700)
    assert [place.name for place in root.rglob("*")] == ["a", "b.md"]
    assert list((root.parent / "spool").iterdir()) == []
    assert os.access(root / "a/b.md", os.X_OK)


def test_a_full_disk_beside_the_target_leaves_nothing(
    files: WorkFiles, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    crossing(monkeypatch, also=errno.ENOSPC)
    with pytest.raises(OSError, match="no"):
        files.write("b.md", b"x")
    assert list(root.iterdir()) == []


def test_what_a_dead_process_left_beside_a_file_is_swept(files: WorkFiles, root: Path) -> None:
    (root / f"{workfiles.TEMPORARY}1-1").touch()
    (root / "kept.md").touch()
    files.sweep("a.md")
    files.sweep("none/a.md")
    assert [place.name for place in root.iterdir()] == ["kept.md"]


def test_any_number_of_folders_is_reached(files: WorkFiles, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workfiles, "FOLDERS_OPEN", 3)
    for number in range(20):
        files.write(f"{number}/deep/a.md", b"x")
    for number in range(20):
        files.delete(f"{number}/deep/a.md")
    assert list(root.iterdir()) == []


# --- flushing ---------------------------------------------------------------------------------------------------


class Watch:
    """Counts what is flushed, and what had been written by then."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, store: Store) -> None:
        self.events: list[str] = []
        flush = durability.flush_filesystem

        def flush_filesystem(folder: Path) -> None:
            self.events.append("flush")
            flush(folder)

        monkeypatch.setattr(durability, "flush_filesystem", flush_filesystem)
        store.repo.fsync = True


@pytest.mark.skipif(not durability.FLUSHES_AT_ONCE, reason="the system has no syncfs")
def test_objects_and_journal_are_flushed_before_the_ref_moves(
    store: Store, monkeypatch: pytest.MonkeyPatch, git: Git
) -> None:
    watch = Watch(monkeypatch, store)
    store.commit(CHANGE, on_step=watch.events.append)
    assert watch.events.count("flush") == 2
    before_names = watch.events.index("before-rename-objects")
    after_names = watch.events.index("after-rename-objects")
    assert watch.events.index("flush") < before_names
    assert after_names < watch.events.index("flush", before_names) < watch.events.index("before-ref-move")
    assert git(store.path, "fsck", "--strict", "--no-dangling") == ""


@pytest.mark.skipif(not durability.FLUSHES_AT_ONCE, reason="the system has no syncfs")
def test_an_autosave_names_only_what_has_been_flushed(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    watch = Watch(monkeypatch, store)
    store.commit(CHANGE, on_step=watch.events.append, autosave=store.tip)
    names = watch.events.index("before-rename-objects")
    assert names < watch.events.index("flush", names) < watch.events.index("before-autosave-ref")


def test_without_syncfs_every_object_is_flushed_by_itself(
    store: Store, bare: Store, monkeypatch: pytest.MonkeyPatch, git: Git
) -> None:
    monkeypatch.setattr(durability, "_SYNCFS", None)
    monkeypatch.setattr(durability, "FLUSHES_AT_ONCE", False)
    flushed: list[int] = []
    real = os.fsync

    def fsync(descriptor: int) -> None:
        flushed.append(descriptor)
        real(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    for place in (store, bare):
        place.repo.fsync = True
        place.commit(CHANGE)
        assert git(place.path, "fsck", "--strict", "--no-dangling") == ""
    assert len(flushed) > 2 * len(CHANGE)
    monkeypatch.undo()
    durability.settle(store.repo.git, fsync=False)  # libgit2's setting is the process's


def test_a_flush_that_fails_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(durability, "_SYNCFS", lambda _descriptor: -1)
    with pytest.raises(OSError, match="cannot flush"):
        durability.flush_filesystem(tmp_path)


def test_a_system_without_syncfs_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda *_args, **_more: object())
    assert durability._find_syncfs() is None  # it is asked once, on import


def test_a_disk_that_fails_before_the_commit_point_changes_nothing(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_folder: Path) -> None:
        raise OSError(errno.EIO, "no")

    store.repo.fsync = True
    monkeypatch.setattr(durability, "flush_filesystem", fail)
    with pytest.raises(OSError, match="no"):
        store.commit(CHANGE)
    monkeypatch.undo()
    assert store.read("topics/a.md") == ROOT["topics/a.md"]
    assert list(store.repo.gitmem_dir.glob("quarantine-*")) == []
