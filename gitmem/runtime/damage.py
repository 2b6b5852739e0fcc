"""What is missing or broken among objects and refs, as findings (``cli.md``, ``doctor``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.errors import Finding, GitmemError, Severity
from gitmem.format.layout import NOTES_REF, SESSIONS_PREFIX
from gitmem.ids import ZERO_OID
from gitmem.store.head import read_head
from gitmem.store.mending import broken_refs
from gitmem.store.raw import Kind, read_raw
from gitmem.store.refs import list_refs
from gitmem.store.verify import unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.ids import Oid
    from gitmem.store.repository import Repo

OBJECTS = "objects"
_FETCH = "`git fsck` shows all of it; fetch the object from a clone, or restore it from a backup"
_POINT = "`git reflog` knows where a branch was; `git update-ref` points it there, `git update-ref -d` removes a ref"


def damage(repo: Repo) -> Iterator[Finding]:
    """Everything that a ref needs and that cannot be read, each object once."""
    broken = tuple(broken_refs(repo))
    for name in broken:
        message = f"the ref {name} names no object"
        yield Finding(OBJECTS, Severity.ERROR, "broken-ref", message, fix=_POINT)
    tips: dict[Oid, None] = {}
    try:
        head = read_head(repo).tip
    except GitmemError:
        head = ZERO_OID  # what it names is told of below, as of every ref
    if head != ZERO_OID:
        tips[head] = None
    named: dict[Oid, list[str]] = {}
    for ref in list_refs(repo, "refs/"):
        if ref.name not in broken:
            tips[ref.oid] = None
            named.setdefault(ref.oid, []).append(ref.name)
    yield from _no_commits(repo, broken)
    for bad in unreadable(repo, tips):
        code, what = ("missing-object", "is missing") if bad.missing else ("damaged-object", "cannot be read")
        where = f", {bad.path} in {bad.commit[:12]}," if bad.path else ""
        refs = named.get(bad.oid, [])
        where += f", which {', '.join(refs)} names," if refs else ""
        message = f"the object {bad.oid}{where} {what}"
        fix = f"{_FETCH}; {_POINT}" if refs else _FETCH
        yield Finding(OBJECTS, Severity.ERROR, code, message, bad.path or None, fix=fix)


def _no_commits(repo: Repo, broken: tuple[str, ...]) -> Iterator[Finding]:
    """Refs that have to name a commit, and name something else."""
    notes = (ref for ref in list_refs(repo, "refs/notes/") if ref.name == NOTES_REF)
    for ref in (*list_refs(repo, SESSIONS_PREFIX), *notes):
        if ref.name in broken:
            continue  # it is told already
        if (raw := read_raw(repo, ref.oid)) is not None and raw.kind is not Kind.COMMIT:
            message = f"the ref {ref.name} names a {raw.kind.name.lower()}, and has to name a commit"
            yield Finding(OBJECTS, Severity.ERROR, "broken-ref", message, fix=_POINT)
