"""Runs the checks; one error-level finding refuses the whole change (``architecture.md`` section 3, step 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.checks.registry import CHECKS, REQUEST_CHECKS
from gitmem.errors import Severity, failure

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gitmem.checks.base import Candidate
    from gitmem.errors import Finding
    from gitmem.request import Request


def check(candidate: Candidate) -> tuple[Finding, ...]:
    """All findings of all checks, in registry order."""
    return tuple(finding for rule in CHECKS for finding in rule.run(candidate))


def check_request(request: Request) -> tuple[Finding, ...]:
    """All findings of the rules that need only the request."""
    return tuple(finding for rule in REQUEST_CHECKS for finding in rule.run(request))


def refuse_errors(findings: Iterable[Finding]) -> None:
    """Raise the failure that the first error-level finding names, carrying all findings; return when there is none."""
    found = tuple(findings)
    first = next((finding for finding in found if finding.severity is Severity.ERROR), None)
    if first is None:
        return
    errors = sum(finding.severity is Severity.ERROR for finding in found)
    more = f" (and {errors - 1} more)" if errors > 1 else ""
    codes = {rule.NAME: rule.CODE for rule in REQUEST_CHECKS} | {rule.NAME: rule.CODE for rule in CHECKS}
    raise failure(codes[first.check], f"{first.message}{more}", path=first.path, findings=found)
