"""``derived``: a commit changes the memory or its views, never both (``architecture.md`` section 1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.errors import Code, Finding, Severity
from gitmem.format.layout import is_derived

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.checks.base import Candidate

NAME = "derived"
CODE = Code.READ_ONLY_PATH


def run(candidate: Candidate) -> Iterator[Finding]:
    """Derived paths in a commit that also changes others; merges and the root commit are exempt."""
    if candidate.merged or candidate.is_root:
        return
    if all(is_derived(change.path) for change in candidate.changes):
        return
    for change in candidate.changes:
        if is_derived(change.path):
            message = f"{change.path} is derived from the topics and is committed apart from them"
            fix = "leave it out of the commit; gitmem renders it again"
            yield Finding(NAME, Severity.ERROR, "derived-path", message, change.path, None, None, fix)
