"""The inverse of one transaction, whatever came after it (``cli.md``, "History")."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.errors import Code, Finding, Refused, Severity
from gitmem.format.layout import is_topic
from gitmem.format.topic import claims_of
from gitmem.ids import TopicPath
from gitmem.request import ExactEdit
from gitmem.store.merge import merge_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.store.repository import Repo
    from gitmem.store.tree import Change, Tree


def undo_edit(repo: Repo, current: Tree, before: Tree, after: Tree) -> ExactEdit:
    """Take back what the transaction from ``before`` to ``after`` did to the topics; its sources stay.

    A file that nobody changed since becomes exactly what it was; in another, the inverse is merged into what stands
    there now. Raises ``Refused`` (``UNDO_CONFLICT``), naming every block that was changed again.
    """
    files: dict[TopicPath, bytes | None] = {}
    conflicts: list[Finding] = []
    for change in after.changes(before):
        if not is_topic(change.path):
            continue
        path = TopicPath(change.path)
        if current.entry(path) == change.new:
            files[path] = before.read(path)
        elif current.entry(path) != change.old:
            merged = _merged(repo, current, change)
            if merged is None:
                conflicts.extend(_changed_again(current, before, after, path))
            else:
                files[path] = merged
    if conflicts:
        message = f"{len(conflicts)} of the blocks it wrote were changed since; undo those changes first"
        raise Refused(Code.UNDO_CONFLICT, message, path=conflicts[0].path, findings=tuple(conflicts))
    return ExactEdit(files)


def _merged(repo: Repo, current: Tree, change: Change) -> bytes | None:
    """The present file without what the transaction changed in it; ``None`` when that cannot be told apart."""
    present = current.entry(change.path)
    if present is None or change.old is None or change.new is None:
        return None
    return merge_file(repo, change.path, ancestor=change.new.oid, ours=present.oid, theirs=change.old.oid)


def _changed_again(current: Tree, before: Tree, after: Tree, path: TopicPath) -> Iterator[Finding]:
    """One finding for each block of the transaction that reads differently now; one for the file when there is none."""
    wrote = _texts(after, path)
    was, present = _texts(before, path), _texts(current, path)
    touched = [block for block in {**was, **wrote} if was.get(block) != wrote.get(block)]
    changed = [block for block in touched if present.get(block) != wrote.get(block)]
    fix = "undo the later change first, or restore the block: `gitmem restore REV --block ID`"
    for block in changed:
        yield Finding("undo", Severity.ERROR, "changed-since", f"^{block} was changed since", path, None, block, fix)
    if not changed:
        yield Finding("undo", Severity.ERROR, "changed-since", "the file was changed since", path, None, None, fix)


def _texts(tree: Tree, path: TopicPath) -> dict[str, tuple[object, ...]]:
    topic = tree.topic(path)
    claims = claims_of(topic) if topic is not None else ()
    return {claim.id: (claim.content, claim.evidence, claim.headings, claim.aliases) for claim in claims}
