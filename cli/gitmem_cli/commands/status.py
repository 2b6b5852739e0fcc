"""``gitmem status``: the memory at a glance."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gitmem_cli import render
from gitmem_cli.claims import moment
from gitmem_cli.command import command as declare
from gitmem_cli.command import json_option
from gitmem_cli.opening import open_workspace
from gitmem_cli.shown import count, styled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.runtime.status import StatusAnswer, WriterStatus
    from gitmem_cli.invocation import Invocation

_SHORT = 12


@declare("status", examples=["gitmem status", "gitmem status --json"], exits=(3, 4, 5, 7))
@click.option("--paths", "with_path", is_flag=True, help="Also say where the workspace is on this machine.")
@json_option
def command(invocation: Invocation, *, with_path: bool, as_json: bool) -> None:
    """Say how the memory stands: what it holds, what is being edited, what waits.

    The views are fresh when they show the newest revision; pending turns are those that no topic was written from.
    """
    answer = open_workspace(invocation).status(with_path=with_path)
    if as_json:
        render.document(answer)
    else:
        render.page(f"{styled(name, dim=True)}{' ' * (10 - len(name))}{text}" for name, text in _lines(answer))


def _lines(answer: StatusAnswer) -> Iterator[tuple[str, str]]:
    revision = "nothing yet" if answer.revision is None else answer.revision[:_SHORT]
    yield "workspace", styled(f"{answer.workspace_id or 'new'} on {answer.branch or 'no branch (detached)'}", bold=True)
    if path := getattr(answer, "path", None):
        yield "folder", styled(path)
    yield "revision", styled(revision)
    yield "topics", f"{count(answer.topics.files, 'file')}, {count(answer.topics.blocks, 'block')}"
    yield "sources", _sources(answer)
    yield "core", _core(answer)
    yield "views", _views(answer)
    yield "writer", _writer(answer.writer)
    yield "kept", f"{count(answer.autosaves, 'autosave')}, {count(answer.rescues, 'rescue')}"
    for path in answer.dirty:
        yield "edited", styled(path, color="yellow")


def _sources(answer: StatusAnswer) -> str:
    held = answer.sources
    return (
        f"{count(held.files, 'file')}, {count(held.records, 'message')} "
        f"({held.pending:,} pending, {held.uncited:,} uncited)"
    )


def _writer(writer: WriterStatus) -> str:
    """What waits, and the last success; the last failure too, as long as nothing was written after it."""
    parts = [f"{count(writer.pending_turns, 'turn')} pending"]
    if writer.last_success_at is not None:
        parts.append(f"last wrote {moment(writer.last_success_at)}")
    if writer.last_outcome == "failure" and writer.last_failure is not None:
        failed = f"failed {moment(writer.last_failure.at)}: {writer.last_failure.reason_code}"
        parts.append(styled(failed, color="yellow"))
    return "; ".join(parts)


def _core(answer: StatusAnswer) -> str:
    left_out = f", {count(len(answer.core.left_out), 'block')} left out" if answer.core.left_out else ""
    return f"{answer.core.tokens:,} of {answer.core.budget:,} tokens{left_out}"


def _views(answer: StatusAnswer) -> str:
    if answer.derived.fresh:
        return styled("fresh", color="green")
    of = f"show {answer.derived.of[:_SHORT]}" if answer.derived.of else "are not rendered yet"
    return styled(f"stale: they {of}; the next write or `gitmem doctor` renders them", color="yellow")
