"""How restore and undo answer people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem_cli import render
from gitmem_cli.claims import brief, totals
from gitmem_cli.results import short, show_warnings, way_back
from gitmem_cli.shown import joined, styled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.history.back import BackAnswer


def show_way_back(answer: BackAnswer, *, as_json: bool) -> None:
    """Print what was, or would be, brought back; warnings go to standard error, or into the document."""
    if as_json:
        render.document(answer)
        return
    show_warnings(answer)
    render.page(_lines(answer))


def _lines(answer: BackAnswer) -> Iterator[str]:
    if not (answer.memory_committed or answer.dry_run):
        yield joined(("Nothing to do.", styled(f"revision {short(answer.revision)}", dim=True)))
        return
    if answer.dry_run:
        yield f"{styled('would change:', color='yellow')} {totals(answer.claims)}"
    else:
        yield joined((styled(f"revision {short(answer.revision)}", color="yellow"), totals(answer.claims)))
    yield from brief(answer.claims)
    if answer.autosave is not None and answer.go_back is not None:
        revision = answer.revision or ""
        yield from way_back(answer.autosave, answer.go_back.replace(revision, short(revision)))
