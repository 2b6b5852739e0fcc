"""Building candidates from two states given as files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gitmem.checks.base import Candidate
from gitmem.errors import Finding, Severity
from gitmem.facts.scan import scan_facts
from gitmem.store.tree import Change, Entry
from memory_tree import MemoryTree

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from gitmem.checks.base import Check
    from gitmem.request import Request


def candidate(  # noqa: PLR0913  (a candidate has these parts)
    before: Mapping[str, bytes | str],
    after: Mapping[str, bytes | str],
    *,
    request: Request | None = None,
    is_root: bool = False,
    added: tuple[str, ...] = (),
    merged: tuple[Mapping[str, bytes | str], ...] = (),
    modes: Mapping[str, int] | None = None,
) -> Candidate:
    parent, child = MemoryTree(before), MemoryTree(after)
    changes = tuple(_with_mode(change, modes or {}) for change in child.changes(parent))
    return Candidate(
        parent=parent,
        child=child,
        changes=changes,
        parent_facts=scan_facts(parent),
        child_facts=scan_facts(child),
        merged=tuple(MemoryTree(files) for files in merged),
        request=request,
        is_root=is_root,
        added_targets=frozenset(added),  # type: ignore[arg-type]
    )


def _with_mode(change: Change, modes: Mapping[str, int]) -> Change:
    if change.new is None or change.path not in modes:
        return change
    return Change(change.path, change.old, Entry(change.path, change.new.oid, modes[change.path]))


@pytest.fixture
def codes() -> Callable[..., list[tuple[str, str | None, int | None]]]:
    """Run one check; its error-level findings as ``(code, path, line)``, warnings left out."""

    def run(check: Check, *args: object, **options: object) -> list[tuple[str, str | None, int | None]]:
        found = list(check.run(candidate(*args, **options)))  # type: ignore[arg-type]
        return [(f.code, f.path, f.line) for f in found if f.severity is Severity.ERROR]

    return run


@pytest.fixture
def findings() -> Callable[..., list[Finding]]:
    """Run one check; everything that it finds."""

    def run(check: Check, *args: object, **options: object) -> list[Finding]:
        return list(check.run(candidate(*args, **options)))  # type: ignore[arg-type]

    return run


@pytest.fixture
def warnings() -> Callable[..., list[Finding]]:
    """Run one check; its warnings."""

    def run(check: Check, *args: object, **options: object) -> list[Finding]:
        found = check.run(candidate(*args, **options))  # type: ignore[arg-type]
        return [finding for finding in found if finding.severity is Severity.WARNING]

    return run
