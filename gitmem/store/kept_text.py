"""Uncommitted text, kept to the byte under an autosave ref (``architecture.md`` section 2).

It is an ordinary commit on the memory that it was typed over: its tree is that memory's with the text laid over it,
and its message lists the files. Nobody asks for one: whoever is about to write files makes it.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.format.text import one_line
from gitmem.store import durability
from gitmem.store.commits import GITMEM, Stamp, create_commit, read_commit
from gitmem.store.refs import autosaves, create_autosave
from gitmem.store.snapshot import Snapshot
from gitmem.store.staging import Staging

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from gitmem.store.commits import Commit
    from gitmem.store.repository import Repo

SUBJECT = "autosave: text that is not committed"

LOOKED_AT = 8
"""How many of the newest autosaves may be others' before the same text is kept once more."""


@dataclass(frozen=True, slots=True)
class Typed:
    """What stood at a path: ``data`` is ``None`` for a file that had been deleted; ``mode`` is git's."""

    data: bytes | None
    mode: int


def keep_text(
    repo: Repo,
    base: Snapshot,
    typed: Mapping[str, Typed],
    *,
    author: Stamp | None = None,
    also: Collection[str] = (),
) -> str:
    """Keep texts that were typed over the ``base`` commit; the new ref's name, or that of one that holds just this.

    ``also`` are paths that are about to be written and hold what the base has. Raises ``OSError`` or ``Conflict`` when
    the ref cannot be made.
    """
    staging = Staging(repo, base)
    for path, text in typed.items():
        staging.lay(path, text.data, text.mode)
    tree = staging.build()
    listed = sorted({*typed, *also})
    message = "".join(f"{line}\n" for line in (SUBJECT, "", *map(one_line, listed)))
    parents = () if base.commit is None else (base.commit,)
    if (known := _known(repo, tree, {} if also else typed, message)) is not None:
        return known
    by = author or Stamp(GITMEM, int(time.time()))
    commit = create_commit(repo, tree=tree, parents=parents, message=message, author=by)
    if repo.fsync:
        durability.flush_filesystem(repo.common_dir / "objects")
    return create_autosave(repo, commit)


def holds_text(commit: Commit) -> bool:
    """Whether an autosave is of uncommitted text, and not of a memory."""
    return commit.message.partition("\n")[0] == SUBJECT


def listed_paths(commit: Commit) -> tuple[str, ...]:
    """The paths that the message of an autosave of text names; one with control characters is not spelled out."""
    return tuple(filter(is_inside, commit.message.split("\n")[2:-1]))


def is_inside(path: str) -> bool:
    """Whether a path that anybody may have written stays in the working directory, and out of git's own."""
    return not {"", ".", "..", ".git"}.intersection(path.lower().split("/"))


def _known(repo: Repo, tree: str, typed: Mapping[str, Typed], message: str) -> str | None:
    """The newest autosave of text, when it holds the same tree, or the same texts over whatever memory."""
    for ref in autosaves(repo)[:LOOKED_AT]:
        commit = read_commit(repo, ref.oid)
        if commit is None or not holds_text(commit):
            continue
        kept = Snapshot(repo, commit.tree)
        same = commit.tree == tree or (bool(typed) and all(_holds(kept, path, text) for path, text in typed.items()))
        return ref.name if same and commit.message == message else None
    return None


def _holds(kept: Snapshot, path: str, text: Typed) -> bool:
    entry = kept.entry(path)
    return kept.read(path) == text.data and (entry is None or entry.mode == text.mode)
