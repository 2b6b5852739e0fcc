"""``gitmem doctor``: put right what an interruption or damage left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem_cli import render
from gitmem_cli.command import command as declare
from gitmem_cli.command import json_option
from gitmem_cli.findings import finding_lines, verdict
from gitmem_cli.opening import open_workspace
from gitmem_cli.shown import joined, styled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.runtime.doctor import DoctorAnswer
    from gitmem_cli.invocation import Invocation


@declare("doctor", examples=["gitmem doctor", "gitmem doctor --json"], exits=(1, 3, 4, 5, 7))
@json_option
def command(invocation: Invocation, *, as_json: bool) -> int:
    """Recover what an interrupted process left, verify objects, refs, index and views, and say what was done.

    Interrupted writes are finished or taken back, abandoned locks removed, unreadable files of the runtime set aside, a
    broken index or a wrong catalogue built anew, stale views rendered; what only a person can mend is reported as by
    `gitmem check`, with exit 1.
    """
    answer = open_workspace(invocation, recovering=False).doctor()
    if as_json:
        render.document(answer)
    else:
        render.page(_lines(answer))
    return 0 if answer.ok else 1


def _lines(answer: DoctorAnswer) -> Iterator[str]:
    for action in answer.actions:
        yield joined((styled(action.what, bold=True), styled(action.target, color="cyan"), styled(action.outcome)))
    for finding in answer.findings:
        yield from finding_lines(finding)
    done = "nothing had to be done" if not answer.actions else f"{len(answer.actions)} done"
    yield f"{done}, {verdict(answer.findings)}"
