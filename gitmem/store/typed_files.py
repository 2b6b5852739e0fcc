"""What somebody typed into the working directory and nobody has committed (``cli.md``, ``commit``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.errors import Code, InvalidRequest
from gitmem.store.dirty import dirty_paths
from gitmem.store.index_file import IndexFile
from gitmem.store.kept_text import Typed, keep_text
from gitmem.store.left_alone import change_bases, read_bases
from gitmem.store.snapshot import blob
from gitmem.store.workfiles import WorkFiles

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from gitmem.ids import Oid
    from gitmem.store.repository import Repo
    from gitmem.store.snapshot import Snapshot
    from gitmem.store.workfiles import OnDisk

REGULAR = 0o100644


@dataclass(frozen=True, slots=True)
class TypedFile:
    """A file that differs from the memory, on disk or in the index; ``disk.data`` is ``None`` for a deleted one.

    ``base`` is what the text departed from (``None``: there was no file), ``staged`` the blob that the index has.
    """

    path: str
    disk: OnDisk
    base: bytes | None
    staged: Oid | None

    @property
    def stood(self) -> tuple[Oid | None, ...]:
        """The blobs of the file, on disk first, then in the index where that has another."""
        return (self.disk.oid,) if self.staged == self.disk.oid else (self.disk.oid, self.staged)


def typed_files(repo: Repo, memory: Snapshot, wanted: Callable[[str], bool]) -> tuple[TypedFile, ...]:
    """The wanted files that differ from the memory, or were left alone while it changed, in path order.

    ``memory`` is HEAD's. Raises ``InvalidRequest`` in a bare workspace.
    """
    if repo.workdir is None:
        raise InvalidRequest(Code.INVALID_ARGUMENT, "this workspace is bare: it has no working directory to commit")
    bases = read_bases(repo)
    paths = sorted(filter(wanted, {*dirty_paths(repo), *bases}))
    index = IndexFile.load(repo.gitdir / "index")
    found = []
    with WorkFiles(repo.workdir, repo.gitmem_dir) as files:
        for path in paths:
            entry = index.entry(path)
            base = blob(repo, bases[path]) if path in bases else memory.read(path)
            found.append(TypedFile(path, files.read(path), base, None if entry is None else entry.oid))
    return tuple(found)


def settle(repo: Repo, memory: Snapshot, stood: Mapping[str, tuple[Oid | None, ...]]) -> tuple[str, ...]:
    """Bring files in step whose text says what the memory says already; those that were written.

    A file that is not as it ``stood`` any more is somebody's again and stays. What is written over is kept first.
    """
    if repo.workdir is None or not stood:
        return ()
    with WorkFiles(repo.workdir, repo.gitmem_dir) as files:
        behind = dict(_behind(files, memory, stood))
        keep = {path: Typed(disk.data, REGULAR) for path, disk in behind.items()}
        if keep:
            keep_text(repo, memory, keep)
        for path in behind:
            data = memory.read(path)
            if data is None:
                files.delete(path)
            else:
                files.write(path, data)
        change_bases(repo, {path: None for path in stood if files.read(path).data == memory.read(path)})
    return tuple(behind)


def write_missing(repo: Repo, memory: Snapshot, wanted: Callable[[str], bool]) -> tuple[str, ...]:
    """Write the wanted files of HEAD's memory that git tracks and that are gone from the disk; those that were written.

    Files that stand, whatever they say, and files that git leaves out of this working directory stay as they are. To
    be called with the write lock held.
    """
    if repo.workdir is None:
        return ()
    index = IndexFile.load(repo.gitdir / "index")
    written = []
    with WorkFiles(repo.workdir, repo.gitmem_dir) as files:
        for path in (path for path in dirty_paths(repo) if wanted(path)):
            entry, data, disk = index.entry(path), memory.read(path), files.read(path)
            tracked = entry is not None and not entry.skip_worktree
            if tracked and data is not None and disk.data is None and not disk.foreign:
                files.write(path, data)
                written.append(path)
    return tuple(written)


def _behind(
    files: WorkFiles, memory: Snapshot, stood: Mapping[str, tuple[Oid | None, ...]]
) -> Iterator[tuple[str, OnDisk]]:
    for path, oids in stood.items():
        disk = files.read(path)
        if not disk.foreign and disk.oid == oids[0] and disk.data != memory.read(path):
            yield path, disk
