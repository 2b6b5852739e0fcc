"""How findings look to people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem_cli.shown import count, joined, styled

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gitmem.audit.base import FindingAnswer

_SHORT = 12
_COLORS = {"error": "red", "warning": "yellow"}


def finding_lines(finding: FindingAnswer) -> Iterator[str]:
    """One finding: where, what, its code, and how to mend it."""
    place = ":".join(str(part) for part in (finding.path, finding.line) if part is not None)
    yield joined(
        (
            styled(finding.severity, color=_COLORS.get(finding.severity), bold=True),
            place and styled(place, color="cyan"),
            styled(finding.message),
            styled(f"[{finding.code}]", dim=True),
            finding.commit and styled(f"in {finding.commit[:_SHORT]}", dim=True),
        )
    )
    if finding.fix:
        yield f"  {styled(finding.fix, dim=True)}"


def verdict(findings: Sequence[FindingAnswer]) -> str:
    """All findings in a few words: ``2 errors, 1 warning``."""
    errors = sum(finding.severity == "error" for finding in findings)
    warnings = len(findings) - errors
    said = ", ".join(count(number, what) for number, what in ((errors, "error"), (warnings, "warning")) if number)
    return styled(said or "nothing wrong", color="red" if errors else "yellow" if warnings else "green", bold=True)
