"""Proposals that wait to be installed, kept so that no interruption costs a second model call (10.10).

A proposal is kept from the moment a writer hands it back until it is installed or given up. Whoever folds the same
evidence with the same writer finds it again, after a crash or after a dry run, as long as the files that it changes
stand as they stood.
"""

from __future__ import annotations

import hashlib
import json
import re
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from gitmem.ids import BlockId, Oid, TopicPath
from gitmem.request import (
    CiteRecord,
    CreateRecord,
    DeleteRecord,
    FileDelete,
    FileMove,
    FilesEdit,
    FileWrite,
    MergeRecords,
    MoveRecords,
    NoEdit,
    UpdateRecord,
)
from gitmem.store.state_files import read_state, write_state
from gitmem.writer.base import WriterResult

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from gitmem.facts.base import Facts
    from gitmem.request import FileChange
    from gitmem.store.tree import Tree

FOLDER = "proposals"
KEPT_SECONDS = 7 * 86_400
"""How long a proposal that nobody asks for again is kept."""

_VERSION = 1
_NAME = re.compile(r"[0-9a-f]{64}\.json(?:-\d+)?")
"""A proposal's file, or the temporary one of a process that died while it kept it."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A result, what the files that it changes were when it was made, and whether it is a writer's second try."""

    result: WriterResult
    footing: Mapping[TopicPath, Oid | None]
    repaired: bool = False

    def stands(self, tree: Tree) -> bool:
        """Whether every file that it changes is still what the writer read."""
        return all(_oid(tree, path) == oid for path, oid in self.footing.items())


class Proposals(Protocol):
    """Where proposals wait."""

    def find(self, key: str) -> Proposal | None:
        """The proposal for this work, ``None`` when there is none that can be read."""
        ...

    def keep(self, key: str, proposal: Proposal) -> None:
        """Keep it, best effort: a proposal that cannot be kept is only dearer to lose."""
        ...

    def drop(self, key: str) -> None:
        """Forget it."""
        ...


def proposal_key(signature: str, evidence: Iterable[str]) -> str:
    """Name the work of one writer on one batch of evidence, the same in every process."""
    return hashlib.sha256("\n".join((signature, *evidence)).encode()).hexdigest()


def propose(result: WriterResult, tree: Tree, facts: Facts, *, repaired: bool = False) -> Proposal:
    """Give a result with the footing that it has in the memory it was made for.

    The footing of whole files are those files; that of operations on blocks the files that hold the blocks.
    """
    named = (claim.path for block in _blocks(result) for claim in facts.claims(block))
    paths = {path for change in _changes(result) for path in _touched(change)}.union(named)
    return Proposal(result, {path: _oid(tree, path) for path in sorted(paths)}, repaired)


class KeptProposals:
    """Proposals as files in the runtime folder, 0600. Only edits of whole files are kept; others cost nothing."""

    def __init__(self, runtime: Path) -> None:
        """``runtime`` is ``.git/gitmem``."""
        self._folder = runtime / FOLDER

    def find(self, key: str) -> Proposal | None:
        """Read it; what another version or a broken disk left counts as nothing."""
        try:
            data = read_state(self._folder / f"{key}.json")
            return None if data is None else _parse(json.loads(data))
        except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
            return None

    def keep(self, key: str, proposal: Proposal) -> None:
        """Write it, and clear away what nobody asked for again."""
        if not isinstance(proposal.result.edit, FilesEdit | NoEdit):
            return
        with suppress(OSError):
            write_state(self._folder / f"{key}.json", json.dumps(_render(proposal)).encode())
            self.expire(time.time())

    def drop(self, key: str) -> None:
        """Delete it."""
        with suppress(OSError):
            (self._folder / f"{key}.json").unlink(missing_ok=True)

    def expire(self, now: float) -> tuple[str, ...]:
        """Delete what nobody asked for again, as of a Unix time; the names. Raises ``OSError``."""
        gone = []
        for path in sorted(self._folder.glob("*.json*")):
            if _NAME.fullmatch(path.name) and path.stat().st_mtime < now - KEPT_SECONDS:
                path.unlink(missing_ok=True)
                gone.append(path.name)
        return tuple(gone)


def _changes(result: WriterResult) -> tuple[FileChange, ...]:
    return result.edit.changes if isinstance(result.edit, FilesEdit) else ()


def _touched(change: FileChange) -> tuple[TopicPath, ...]:
    return (change.path, change.to) if isinstance(change, FileMove) else (change.path,)


def _blocks(result: WriterResult) -> Iterator[BlockId]:
    """The blocks that operations name, except as a place to put something."""
    for operation in result.operations:
        match operation:
            case UpdateRecord() | DeleteRecord() | CiteRecord():
                yield operation.memory_id
            case MoveRecords():
                yield from operation.memory_ids
            case MergeRecords():
                yield from (operation.keep, *operation.absorbed)
            case CreateRecord():
                pass


def _oid(tree: Tree, path: str) -> Oid | None:
    entry = tree.entry(path)
    return None if entry is None else entry.oid


def _render(proposal: Proposal) -> dict[str, object]:
    result = proposal.result
    return {
        "version": _VERSION,
        "files": [_row(change) for change in _changes(result)],
        "nothing_to_record": result.nothing_to_record,
        "seen": None if result.seen is None else sorted(result.seen),
        "reasons": dict(result.reasons),
        "footing": dict(proposal.footing),
        "repaired": proposal.repaired,
    }


def _row(change: FileChange) -> list[str | None]:
    """Path, content, and where it moves: a file without either is deleted."""
    content = change.content if isinstance(change, FileWrite) else None
    return [change.path, content, change.to if isinstance(change, FileMove) else None]


def _change(path: object, content: object, to: object) -> FileChange:
    name = TopicPath(_text(path))
    if content is not None:
        return FileWrite(name, _text(content))
    return FileDelete(name) if to is None else FileMove(name, TopicPath(_text(to)))


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _parse(kept: Any) -> Proposal | None:  # noqa: ANN401  (JSON)
    if kept["version"] != _VERSION:
        return None
    files = tuple(_change(*row) for row in kept["files"])
    seen = None if kept["seen"] is None else frozenset(BlockId(name) for name in kept["seen"])
    result = WriterResult(
        edit=FilesEdit(files) if files else NoEdit(),
        nothing_to_record=kept["nothing_to_record"],
        seen=seen,
        reasons={BlockId(name): reason for name, reason in kept["reasons"].items()},
    )
    footing = {TopicPath(path): None if oid is None else Oid(oid) for path, oid in kept["footing"].items()}
    return Proposal(result, footing, kept["repaired"])
