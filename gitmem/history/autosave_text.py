"""What one autosave holds, and how that differs from what is there now (``cli.md``, ``autosave show`` and ``diff``)."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from gitmem.history.autosaves import AutosaveAnswer, Kept, autosave_numbered
from gitmem.history.diff import WORKING_DIRECTORY, diff
from gitmem.history.transactions import sides
from gitmem.ids import Oid
from gitmem.store.commits import read_commit
from gitmem.store.indexed import WorkdirTree
from gitmem.store.snapshot import Snapshot

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.history.diff import DiffAnswer
    from gitmem.memory import Memory
    from gitmem.store.tree import Change, Tree


@dataclass(frozen=True, slots=True)
class KeptFileAnswer:
    """One file that an autosave holds otherwise than the memory below it: ``added``, ``changed`` or ``deleted``.

    ``patch`` is the difference as a unified diff; ``None`` for bytes that are not text.
    """

    path: str
    what: str
    patch: str | None


@dataclass(frozen=True, slots=True)
class KeptAnswer(AutosaveAnswer):
    """An autosave and its files: text that was not committed, or what the transaction it holds changed."""

    files: tuple[KeptFileAnswer, ...] = ()


def show_autosave(memory: Memory, number: int) -> KeptAnswer:
    """Show one autosave, 1 the newest. Raises ``NotFound`` (``REVISION_NOT_FOUND``)."""
    kept = autosave_numbered(memory.repo, number)
    commit = read_commit(memory.repo, Oid(kept.revision))
    before, after = (Snapshot(memory.repo),) * 2 if commit is None else sides(memory.repo, commit)
    files = tuple(_file(change, before, after) for change in after.changes(before))
    return KeptAnswer(**{field.name: getattr(kept, field.name) for field in fields(kept)}, files=files)


def diff_autosave(memory: Memory, number: int) -> DiffAnswer:
    """How what is there now differs from an autosave: text from the working directory, a memory from the memory."""
    kept = autosave_numbered(memory.repo, number)
    before = Snapshot.at(memory.repo, Oid(kept.revision))
    if kept.kind is Kept.MEMORY or memory.repo.is_bare:
        return diff(before, memory.snapshot, memory.facts, (kept.name, memory.revision))
    now = WorkdirTree(memory.repo, memory.whole())
    return diff(before, now, memory.facts, (kept.name, WORKING_DIRECTORY))


def _file(change: Change, before: Tree, after: Tree) -> KeptFileAnswer:
    what = "added" if change.old is None else "deleted" if change.new is None else "changed"
    return KeptFileAnswer(change.path, what, _patch(change.path, before.read(change.path), after.read(change.path)))


def _patch(path: str, old: bytes | None, new: bytes | None) -> str | None:
    try:
        texts = [None if data is None else data.decode() for data in (old, new)]
    except UnicodeDecodeError:
        return None
    if any(text is not None and "\0" in text for text in texts):
        return None
    names = ("/dev/null" if old is None else f"a/{path}", "/dev/null" if new is None else f"b/{path}")
    lines = [_lines(text) for text in texts]
    return "".join(_told(difflib.unified_diff(lines[0], lines[1], *names)))


def _lines(text: str | None) -> list[str]:
    """The lines with their LF; a CR stays in its line."""
    parts = (text or "").split("\n")
    return [f"{line}\n" for line in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def _told(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
