"""``frames``: a v2 archive is strictly framed to its last byte, and holds nothing that was forgotten (7.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.errors import Code, Finding, Severity
from gitmem.format.layout import is_v2_archive

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.checks.base import Candidate

NAME = "frames"
CODE = Code.COMMIT_REJECTED


def run(candidate: Candidate) -> Iterator[Finding]:
    """Where the strict scan of a changed archive stopped, and forgotten handles among its new frames."""
    for change in candidate.changes:
        if change.new is None or not is_v2_archive(change.path):
            continue
        archive = candidate.child.archive(change.path)
        if archive is None:
            continue
        if archive.defect is not None:
            fix = "restore the file: `git checkout HEAD -- PATH`; archives are only ever appended to by gitmem"
            defect = archive.defect
            yield Finding(NAME, Severity.ERROR, defect.code, defect.message, change.path, defect.line, None, fix)
        known = candidate.parent.archive(change.path) if change.old is not None else None
        for record in archive.records[len(known.records) if known is not None else 0 :]:
            if candidate.child_facts.forgotten(record.handle):
                message = f"{record.handle} was forgotten and may not come back"
                yield Finding(NAME, Severity.ERROR, "forgotten-source", message, change.path, record.line)
