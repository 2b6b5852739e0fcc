"""How the result of a write looks to people (``R`` in ``cli.md``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem_cli import render
from gitmem_cli.shown import count, joined, styled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.answers import Result

SHORT = 12
"""How many digits of a commit's id are shown."""


def show_result(result: Result, *, as_json: bool) -> None:
    """Print a write's result; warnings go to standard error, or into the document."""
    if as_json:
        render.document(result)
        return
    show_warnings(result)
    render.page(result_lines(result))


def show_warnings(result: Result) -> None:
    """Say on standard error what the caller should know."""
    for text in result.warnings:
        render.warning(text)


def result_lines(result: Result) -> Iterator[str]:
    """What changed, and under which names; how to go back from what was destructive."""
    if not result.memory_committed:
        yield joined(("Nothing to do.", result.revision and styled(f"revision {result.revision[:SHORT]}", dim=True)))
        return
    files = count(len(result.changed_files), "file")
    yield joined((styled(f"revision {short(result.revision)}", color="yellow"), f"changed {files}"))
    for key, block in result.block_ids.items():
        yield joined((styled(f"+ ^{block}", color="green"), styled(key.rpartition("#")[0], color="cyan")))
    for handle in dict.fromkeys(result.source_ids.values()):
        yield joined((styled("archived", dim=True), styled(handle)))
    if result.autosave is not None:
        yield from way_back(result.autosave, f"gitmem undo {short(result.revision)}")


def way_back(autosave: str, command: str) -> Iterator[str]:
    """What was kept, and the command that goes back."""
    yield joined((styled("kept", dim=True), styled(autosave)))
    yield joined((styled("back", dim=True), styled(command, bold=True)))


def short(oid: str | None) -> str:
    """The start of a commit's id."""
    return (oid or "")[:SHORT]
