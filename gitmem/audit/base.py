"""What an audit answers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from gitmem.errors import Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gitmem.errors import Finding


class Scope(StrEnum):
    """What was looked at: files as they stand, or the commits that made them."""

    WORKING_DIRECTORY = "working-directory"
    STAGED = "staged"
    REVISION = "revision"
    RANGE = "range"
    HISTORY = "history"


@dataclass(frozen=True, slots=True)
class FindingAnswer:
    """One finding; ``commit`` is the commit that it is about, ``None`` for what is not committed."""

    check: str
    severity: str
    code: str
    path: str | None
    line: int | None
    block: str | None
    message: str
    fix: str | None
    commit: str | None


@dataclass(frozen=True, slots=True)
class CheckAnswer:
    """What the checks found. ``ok``: no finding is an error.

    ``from_`` and ``to`` are the commits that were compared, ``None`` for nothing and for what is not committed;
    ``commits`` counts the commits whose changes were checked, ``files`` the files that were looked at. ``fixed`` are
    the paths that were mended.
    """

    ok: bool
    scope: str
    from_: str | None
    to: str | None
    commits: int
    files: int
    findings: tuple[FindingAnswer, ...]
    fixed: tuple[str, ...] = ()


def tell(findings: Iterable[Finding], commit: str | None) -> Iterator[FindingAnswer]:
    """The findings about a commit as they are answered."""
    for found in findings:
        yield FindingAnswer(
            check=found.check,
            severity=found.severity.value,
            code=found.code,
            path=found.path,
            line=found.line,
            block=found.block,
            message=found.message,
            fix=found.fix,
            commit=commit,
        )


def once(findings: Iterable[FindingAnswer]) -> tuple[FindingAnswer, ...]:
    """Each finding once, as the first and as the gravest that says it; in the order of appearance."""
    known: dict[tuple[object, ...], FindingAnswer] = {}
    for found in findings:
        place = (found.check, found.code, found.path, found.line, found.block)
        if place not in known or (found.severity == Severity.ERROR) > (known[place].severity == Severity.ERROR):
            known[place] = found
    return tuple(known.values())


def is_ok(findings: Iterable[FindingAnswer]) -> bool:
    """Whether none is an error."""
    return all(found.severity != Severity.ERROR for found in findings)
