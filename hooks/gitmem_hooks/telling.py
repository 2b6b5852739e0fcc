"""What a hook has to say, on standard error: git shows it to whoever commits or pushes."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from gitmem.errors import Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gitmem.errors import Finding

SHOWN_FINDINGS = 50
"""So many findings are told one by one."""


def tell_findings(findings: Iterable[Finding]) -> bool:
    """Tell what was found; whether any of it is an error."""
    found = tuple(findings)
    say(line for finding in found[:SHOWN_FINDINGS] for line in _lines(finding))
    if len(found) > SHOWN_FINDINGS:
        say([f"and {len(found) - SHOWN_FINDINGS} more; `gitmem check` tells all"])
    return any(finding.severity is Severity.ERROR for finding in found)


def say(lines: Iterable[str]) -> None:
    """Text from memory must not steer the terminal: what cannot be printed is spelled out."""
    for line in lines:
        shown = "".join(c if c.isprintable() else c.encode("unicode-escape", "surrogatepass").decode() for c in line)
        sys.stderr.write(f"{shown}\n")


def _lines(finding: Finding) -> Iterator[str]:
    place = ":".join(str(part) for part in (finding.path, finding.line) if part is not None)
    yield f"{finding.severity}  {place}  {finding.message}  [{finding.code}]"
    if finding.fix:
        yield f"  {finding.fix}"
