"""``workspace-file``: the tracked ``.gitmem`` says what this memory is (``architecture.md`` section 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.errors import Code, Finding, Refused, Severity
from gitmem.format.layout import GITMEM
from gitmem.format.workspace_file import parse_workspace_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.checks.base import Candidate

NAME = "workspace-file"
CODE = Code.COMMIT_REJECTED

_FIX = "restore it: `git checkout HEAD -- .gitmem`, or from an older commit"


def run(candidate: Candidate) -> Iterator[Finding]:
    """A ``.gitmem`` that is gone or cannot be read; looked at when it changed."""
    for change in candidate.changes:
        if change.path != GITMEM:
            continue
        if change.new is None:
            message = "the file that makes this repository a workspace is removed"
            yield Finding(NAME, Severity.ERROR, "workspace-file-removed", message, GITMEM, None, None, _FIX)
            continue
        try:
            parse_workspace_file(candidate.child.read(GITMEM) or b"")
        except Refused as refused:
            yield Finding(NAME, Severity.ERROR, "workspace-file-invalid", refused.message, GITMEM, None, None, _FIX)
