"""``appending``: whoever is not the owner only adds: a file that stands keeps its bytes and grows (3.10)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.errors import Code, Finding, Severity
from gitmem.format.model import Tier

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.checks.base import Candidate

NAME = "appending"
CODE = Code.APPEND_ONLY_REQUIRED


def run(candidate: Candidate) -> Iterator[Finding]:
    """Topics that a caller other than the owner rewrites, shortens or removes; not what stands in them."""
    request = candidate.request
    if request is None or request.authority.tier is Tier.OWNER:
        return
    for change in candidate.changes:
        if change.old is None:
            continue
        before, after = candidate.parent.read(change.path), candidate.child.read(change.path)
        if after is None or not after.startswith(before or b""):
            message = f"{change.path} may only grow: this caller may add at its end, and change nothing above"
            fix = "add a paragraph at the end, or a file of your own; the owner changes what stands"
            yield Finding(NAME, Severity.ERROR, "not-appended", message, change.path, fix=fix)
