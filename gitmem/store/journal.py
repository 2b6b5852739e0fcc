"""The note that a projection is under way, from which an interrupted one is finished (``architecture.md`` 3, 7b)."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gitmem.ids import Oid
from gitmem.store import durability
from gitmem.store.leftovers import journal_path

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitmem.store.repository import Repo

__all__ = ["Journal", "delete_journal", "journal_path", "read_journal"]


@dataclass(frozen=True, slots=True)
class Journal:
    """A branch that is moving from one commit to another.

    ``index_lock_inode`` names the only ``index.lock`` that recovery may take; while a recovery puts its own in the
    place of a dead process's, ``former_lock_inode`` names that one. ``absorbed`` are files whose text on disk went into
    the change: for each, the blob it then had (``None``: it was absent), and that of the index, where that was another.
    """

    branch: str
    old: Oid
    new: Oid
    index_lock_inode: int | None
    former_lock_inode: int | None = None
    absorbed: Mapping[str, tuple[Oid | None, ...]] = field(default_factory=dict)

    def names(self, inode: int | None) -> bool:
        """Whether a lock of this inode was left by the process that wrote the journal."""
        return inode is not None and inode in {self.index_lock_inode, self.former_lock_inode}

    def write(self, repo: Repo) -> None:
        """Put the journal on disk; when the repository's writes are flushed, with everything written before it."""
        data = {
            "from": self.old,
            "to": self.new,
            "branch": self.branch,
            "index_lock_inode": self.index_lock_inode,
            "former_lock_inode": self.former_lock_inode,
            "absorbed": dict(self.absorbed),
        }
        durability.write_private(journal_path(repo), json.dumps(data).encode(), fsync=repo.fsync)


def read_journal(repo: Repo) -> Journal | None:
    """The journal, or ``None``; one that is not whole was cut off before anything it announces had begun."""
    try:
        data = json.loads(journal_path(repo).read_bytes())
        absorbed = {
            path: tuple(None if oid is None else Oid(oid) for oid in oids) for path, oids in data["absorbed"].items()
        }
        return Journal(
            branch=data["branch"],
            old=Oid(data["from"]),
            new=Oid(data["to"]),
            index_lock_inode=data["index_lock_inode"],
            former_lock_inode=data.get("former_lock_inode"),
            absorbed=absorbed,
        )
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError, AttributeError):
        delete_journal(repo)
        return None


def delete_journal(repo: Repo) -> None:
    """Remove the journal."""
    durability.discard_file(journal_path(repo))
