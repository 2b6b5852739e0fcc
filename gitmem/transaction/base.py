"""The state a transaction starts from, and whether it is still the one its caller read (section 3, step 2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.errors import Code, Conflict, NotFound
from gitmem.ids import ZERO_OID, Oid, Revision
from gitmem.store import refs
from gitmem.store.head import writable_branch
from gitmem.store.revision import revision_of
from gitmem.store.snapshot import Snapshot

if TYPE_CHECKING:
    from gitmem.store.head import Branch
    from gitmem.store.repository import Repo

_MEMORY = ("topics", "sources")


@dataclass(frozen=True, slots=True)
class Base:
    """``branch`` is the current one with its tip (zeros when unborn), ``revision`` its newest memory commit."""

    branch: Branch
    revision: Revision | None
    snapshot: Snapshot


def read_base(repo: Repo, *, beginning: bool = False) -> Base:
    """The current branch's state; ``beginning``: its first commit is to be made.

    Raises ``Conflict`` (``REPOSITORY_BUSY``) when no transaction may start here.
    """
    branch = writable_branch(repo, beginning=beginning)
    revision = None if branch.tip == ZERO_OID else revision_of(repo, branch.tip)
    return Base(branch, revision, Snapshot.at(repo, branch.tip))


def require_current(repo: Repo, base: Base, read: Revision | None) -> None:
    """Refuse when memory changed since ``read``: an ancestor with the same topics and sources is still current (3.2).

    ``None`` means that the caller read nothing. Raises ``Conflict`` (``CONCURRENT_UPDATE``) with both ids, and
    ``NotFound`` (``REVISION_NOT_FOUND``) for a base that this repository never had.
    """
    if read is None or read == (base.revision or ZERO_OID):
        return
    try:
        snapshot = Snapshot.at(repo, Oid(read))
    except NotFound:
        message = f"the base revision {read} is not in this repository; read the memory again"
        raise NotFound(Code.REVISION_NOT_FOUND, message) from None
    same = all(snapshot.node(folder) == base.snapshot.node(folder) for folder in _MEMORY)
    if same and refs.is_ancestor(repo, Oid(read), base.branch.tip):
        return
    message = f"memory moved from {read[:12]} to {(base.revision or ZERO_OID)[:12]}; read it again and repeat the edit"
    raise Conflict(Code.CONCURRENT_UPDATE, message, details={"base_revision": read, "revision": base.revision})
