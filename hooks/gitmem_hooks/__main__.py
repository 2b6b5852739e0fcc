"""``python -m gitmem_hooks HOOK``: what the scripts in ``.git/hooks`` run; exit 1 stops git."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from gitmem.errors import Code, GitmemError, Severity
from gitmem.store.repository import discover
from gitmem_hooks import pre_commit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from gitmem.errors import Finding

_USAGE = "usage: python -m gitmem_hooks pre-commit"


def main(arguments: Sequence[str]) -> int:
    """Run one hook in the current folder; what it has to say goes to standard error."""
    if list(arguments) != ["pre-commit"]:
        _say([_USAGE])
        return 2
    index = os.environ.get("GIT_INDEX_FILE")
    try:
        findings = pre_commit.check(discover(Path.cwd()), Path(index) if index else None)
    except GitmemError as error:
        if error.code is Code.WORKSPACE_NOT_FOUND:
            return 0
        _say([f"gitmem: {error.message} [{error.code}]"])
        return 1
    _say(line for finding in findings for line in _lines(finding))
    if all(finding.severity is not Severity.ERROR for finding in findings):
        return 0
    _say(["gitmem: this commit would break the memory, so it was not made; `git commit --no-verify` makes it anyway"])
    return 1


def _lines(finding: Finding) -> Iterator[str]:
    place = ":".join(str(part) for part in (finding.path, finding.line) if part is not None)
    yield f"{finding.severity}  {place}  {finding.message}  [{finding.code}]"
    if finding.fix:
        yield f"  {finding.fix}"


def _say(lines: Iterable[str]) -> None:
    """Text from memory must not steer the terminal: what cannot be printed is spelled out."""
    for line in lines:
        shown = "".join(c if c.isprintable() else c.encode("unicode-escape", "surrogatepass").decode() for c in line)
        sys.stderr.write(f"{shown}\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
