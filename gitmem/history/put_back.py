"""Putting the text of an autosave back into the working directory, to the byte (``cli.md``, ``autosave restore``).

Memory does not change: what comes back is what it was, text that is not committed. Where memory moved on under it, the
text is noted as based on the memory it was typed over, as for a file that was being edited meanwhile
(``architecture.md`` section 3, step 8); so committing it later takes nothing back.
"""

from __future__ import annotations

import stat
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.errors import Code, InvalidRequest, NotFound
from gitmem.history.autosaves import autosave_called, autosave_numbered, keep_uncommitted
from gitmem.ids import ZERO_OID, Oid
from gitmem.store.commits import read_commit
from gitmem.store.head import writable_branch
from gitmem.store.kept_text import is_inside, listed_paths
from gitmem.store.left_alone import change_bases
from gitmem.store.lock import write_lock
from gitmem.store.snapshot import Snapshot
from gitmem.store.workfiles import WorkFiles

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from gitmem.history.autosaves import AutosaveAnswer
    from gitmem.memory import Memory
    from gitmem.store.commits import Stamp

EXECUTABLE, LINK = 0o100755, 0o120000


@dataclass(frozen=True, slots=True)
class PutBackAnswer:
    """The text of ``of`` stands in ``changed_files`` again, uncommitted; ``autosave`` names what stood there before.

    ``go_back`` is the command line that takes it back; ``None`` when every file held just that text.
    """

    ok: bool
    of: AutosaveAnswer
    revision: str | None
    changed_files: tuple[str, ...]
    autosave: str | None = None
    go_back: str | None = None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _File:
    """What goes to a path (``None``: nothing), and what it is based on (``None``: the memory as it is)."""

    path: str
    data: bytes | None
    mode: int
    base: bytes | None


def put_back(memory: Memory, number: int, author: Stamp, *, lock_timeout: float) -> PutBackAnswer:
    """Write the files of an autosave of text; other files stay as they are. What stood there is kept first.

    Raises ``NotFound`` (``REVISION_NOT_FOUND``), ``InvalidRequest`` in a bare workspace, ``Conflict`` while the
    repository is busy, and ``Unavailable`` when nothing can be kept; then no file is touched.
    """
    repo = memory.repo
    kept = autosave_numbered(repo, number)
    if repo.workdir is None:
        raise InvalidRequest(Code.INVALID_ARGUMENT, "this workspace is bare: there is no file to put text into")
    with write_lock(repo, lock_timeout), WorkFiles(repo.workdir, repo.gitmem_dir) as working:
        writable_branch(repo)
        files = tuple(file for file in _files(memory, Oid(kept.revision)) if not _stands(working, file))
        if not files:
            return PutBackAnswer(ok=True, of=kept, revision=memory.revision, changed_files=())
        before = keep_uncommitted(memory, author, [file.path for file in files])
        outcomes = {file.path: _write(working, file) for file in files}
        change_bases(repo, {file.path: file.base for file in files if not outcomes[file.path]})
    return _told(memory, kept, before, outcomes)


def _told(
    memory: Memory, kept: AutosaveAnswer, before: AutosaveAnswer, outcomes: Mapping[str, str | None]
) -> PutBackAnswer:
    changed = tuple(path for path, refused in outcomes.items() if not refused)
    warnings = tuple(refused for refused in outcomes.values() if refused)
    return PutBackAnswer(
        ok=not warnings,
        of=autosave_called(memory.repo, kept.ref),
        revision=memory.revision,
        changed_files=changed,
        autosave=before.ref,
        go_back=f"gitmem autosave restore {before.name.partition('/')[2]}" if changed else None,
        warnings=warnings,
    )


def _files(memory: Memory, oid: Oid) -> Iterator[_File]:
    commit = read_commit(memory.repo, oid)
    if commit is None:
        raise NotFound(Code.REVISION_NOT_FOUND, f"there is no revision {oid}")
    after = Snapshot.at(memory.repo, oid)
    before = Snapshot.at(memory.repo, commit.parents[0] if commit.parents else ZERO_OID)
    touched = {change.path for change in after.changes(before)}
    for path in sorted(filter(is_inside, touched | set(listed_paths(commit)))):
        # A file that held what the memory then had is to hold what it has now.
        source = after if path in touched else memory.snapshot
        entry = source.entry(path)
        base = before.read(path) if path in touched else memory.snapshot.read(path)
        moved_on = base != memory.snapshot.read(path)
        yield _File(path, source.read(path), entry.mode if entry else 0, (base or b"") if moved_on else None)


def _stands(working: WorkFiles, file: _File) -> bool:
    disk = working.read(file.path)
    if disk.foreign or disk.data != file.data:
        return False
    return disk.stat is None or bool(disk.stat.st_mode & stat.S_IXUSR) == (file.mode == EXECUTABLE)


def _write(working: WorkFiles, file: _File) -> str | None:
    """Write one file; what is said when it cannot be."""
    disk = working.read(file.path)
    if disk.foreign or file.mode == LINK:
        return f"{file.path} is left as it is: links are not followed, and not made"
    try:
        if file.data is not None:
            working.write(file.path, file.data, 0o700 if file.mode == EXECUTABLE else 0o600)
        elif disk.data is not None:
            working.delete(file.path)
    except OSError as error:
        return f"{file.path} is left as it is: {error.strerror}"
    return None
