"""How the result of a write looks to people (``R`` in ``cli.md``)."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from gitmem.answers import ClaimsAnswer
from gitmem.policy.authority import Capability
from gitmem_cli import render
from gitmem_cli.claims import brief
from gitmem_cli.opening import may
from gitmem_cli.shown import count, joined, styled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.answers import Result
    from gitmem.history.put_back import PutBackAnswer
    from gitmem.workspace import Workspace

SHORT = 12
"""How many digits of a commit's id are shown."""


def show_result(workspace: Workspace, result: Result, *, as_json: bool, replaced: bool = False) -> None:
    """Print a write's result with the claims it changed; warnings go to standard error, or into the document.

    ``replaced``: a commit was made anew, so that undoing it would take back what the old one did too.
    """
    if as_json:
        render.document(result)
        return
    show_warnings(result)
    claims = _claims(workspace, result)
    render.page(result_lines(result, claims, f"gitmem restore {result.autosave}" if replaced else None))


def _claims(workspace: Workspace, result: Result) -> ClaimsAnswer | None:
    """What a write changed; for a caller who may only add, and looks at no transaction, what they added."""
    if not result.memory_committed or result.revision is None:
        return None
    if may(workspace, Capability.AUDIT):
        return workspace.show(result.revision).claims
    read = (workspace.get(block).blocks for block in dict.fromkeys(result.block_ids.values()))
    return ClaimsAnswer(added=tuple(chain.from_iterable(read)))


def show_warnings(result: Result | PutBackAnswer) -> None:
    """Say on standard error what the caller should know."""
    for text in result.warnings:
        render.warning(text)


def result_lines(result: Result, claims: ClaimsAnswer | None, back: str | None = None) -> Iterator[str]:
    """What changed, and under which names; how to go back from what was destructive, by undoing it unless given."""
    if claims is None:
        yield joined(("Nothing to do.", result.revision and styled(f"revision {result.revision[:SHORT]}", dim=True)))
        return
    files = count(len(result.changed_files), "file")
    yield joined((styled(f"revision {short(result.revision)}", color="yellow"), f"changed {files}"))
    yield from brief(claims)
    for handle in dict.fromkeys(result.source_ids.values()):
        yield joined((styled("archived", dim=True), styled(handle)))
    if result.autosave is not None:
        yield from way_back(result.autosave, back or f"gitmem undo {short(result.revision)}")


def way_back(autosave: str, command: str) -> Iterator[str]:
    """What was kept, and the command that goes back."""
    yield joined((styled("kept", dim=True), styled(autosave)))
    yield joined((styled("back", dim=True), styled(command, bold=True)))


def short(oid: str | None) -> str:
    """The start of a commit's id."""
    return (oid or "")[:SHORT]
