"""``append-only``: evidence only ever grows, by whole frames and whole lines (``architecture.md`` section 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.errors import Code, Finding, Severity
from gitmem.format.layout import FORGOTTEN, PROMOTIONS, is_source, is_v2_archive
from gitmem.format.model import TrustState
from gitmem.format.promotions import parse_forgotten, parse_promotions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.checks.base import Candidate
    from gitmem.store.tree import Change, Tree

NAME = "append-only"
CODE = Code.APPEND_ONLY_REQUIRED

_FIX = "restore the file as it was; what was said is never edited"


def run(candidate: Candidate) -> Iterator[Finding]:
    """Sources that are not the parent's plus complete frames or lines, and a merge that lost another parent's."""
    for change in candidate.changes:
        if not is_source(change.path):
            continue
        if change.path in {PROMOTIONS, FORGOTTEN}:
            yield from _ledger(candidate, change)
        elif is_v2_archive(change.path):
            yield from _archive(candidate, change)
        elif not candidate.is_root:
            what = "removed" if change.new is None else "changed" if change.old is not None else "added"
            fix = "archive messages through gitmem; older archives enter only with `gitmem init`"
            yield _finding(
                "legacy-archive-frozen", f"{change.path} is no v2 archive and may not be {what}", change.path, fix
            )
    for parent in candidate.merged:
        yield from _lost_in_merge(candidate.child, parent)


def _finding(code: str, message: str, path: str, fix: str = _FIX, line: int | None = None) -> Finding:
    return Finding(NAME, Severity.ERROR, code, message, path, line, None, fix)


def _archive(candidate: Candidate, change: Change) -> Iterator[Finding]:
    if change.new is None:
        yield _finding("source-removed", "an archive is removed", change.path)
    elif change.old is not None:
        yield from _not_a_prefix(candidate, change.path)


def _not_a_prefix(candidate: Candidate, path: str) -> Iterator[Finding]:
    before, after = candidate.parent.read(path) or b"", candidate.child.read(path) or b""
    if after.startswith(before):
        return
    same = next(
        (at for at, (old, new) in enumerate(zip(before, after, strict=False)) if old != new),
        min(len(before), len(after)),
    )
    line = before.count(b"\n", 0, same) + 1
    yield _finding("source-changed", "what stood in the file is changed, not appended to", path, line=line)


def _ledger(candidate: Candidate, change: Change) -> Iterator[Finding]:
    """``promotions.jsonl`` and ``forgotten.jsonl``: whole lines, and a promotion names a frame that is pending."""
    if change.new is None:
        yield _finding("source-removed", "the file is removed", change.path)
        return
    if change.old is not None:
        yield from _not_a_prefix(candidate, change.path)
    data = candidate.child.read(change.path) or b""
    if change.path == FORGOTTEN:
        defect = parse_forgotten(data)[1]
    else:
        promotions, defect = parse_promotions(data)
        known = len(parse_promotions(candidate.parent.read(change.path) or b"")[0]) if change.old is not None else 0
        for line, promotion in enumerate(promotions[known:], known + 1):
            record = candidate.child_facts.source(promotion.source_id)
            if record is None or record.metadata is None or record.metadata.trust_state is not TrustState.PENDING:
                message = f"{promotion.source_id} is no pending source"
                yield _finding("promotion-of-nothing", message, change.path, "remove the line", line)
    if defect is not None:
        yield _finding(defect.code, defect.message, change.path, line=defect.line)


def _lost_in_merge(child: Tree, parent: Tree) -> Iterator[Finding]:
    """Every frame and every line of the other parent stands in the merge, byte for byte."""
    for change in child.changes(parent):
        if change.old is None or not is_source(change.path):
            continue
        before, after = parent.read(change.path) or b"", child.read(change.path) or b""
        if not is_v2_archive(change.path):
            lost = not set(before.splitlines()) <= set(after.splitlines())
        else:
            lost = not _frames(parent, change.path, before) <= _frames(child, change.path, after)
        if lost:
            message = "the merge loses or changes what the other side archived"
            fix = "append the other side's frames after this side's, then commit the merge"
            yield _finding("source-lost-in-merge", message, change.path, fix)


def _frames(tree: Tree, path: str, data: bytes) -> set[bytes]:
    archive = tree.archive(path)
    return set() if archive is None else {data[record.start : record.end] for record in archive.records}
