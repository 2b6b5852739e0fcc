"""``gitmem ingest``: conversations and exports into conversation graphs."""

from __future__ import annotations

import shlex
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

import click

from gitmem.format.text import one_line
from gitmem_cli import render
from gitmem_cli.command import command as declare
from gitmem_cli.command import json_option
from gitmem_cli.opening import open_workspace
from gitmem_cli.progress import progress
from gitmem_cli.shown import count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.interop.report import IngestReport, Waiting
    from gitmem_cli.invocation import Invocation

FORMATS = ("auto", "jsonl", "chatgpt", "claude", "claude-code", "codex", "openprogram", "telegram", "whatsapp", "slack")

_MOST_SPEAKERS = 20
"""How many of those who wait are listed."""


@declare(
    "ingest",
    examples=[
        "gitmem ingest conversations.json",
        "gitmem ingest chat.jsonl --session import/team --owner 7391",
        "gitmem ingest *.jsonl --json",
    ],
    exits=(1, 3, 4, 5, 7),
)
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--format", "format_name", metavar="F", default="auto", show_default=True, help=f"One of {', '.join(FORMATS)}."
)
@click.option("--session", metavar="S", help="The conversation of a file that names none: provider/thread.")
@click.option("--owner", metavar="ID", help="The speaker who is the memory's owner, by id or name.")
@click.option("--paired", metavar="ID", multiple=True, help="A speaker the owner trusts; may be given again.")
@json_option
def command(  # noqa: PLR0913 (one parameter for each option)
    invocation: Invocation,
    files: tuple[Path, ...],
    *,
    format_name: str,
    session: str | None,
    owner: str | None,
    paired: tuple[str, ...],
    as_json: bool,
) -> int:
    """Read conversations or exports; again, nothing new comes in.

    A file, a zip or a folder. Every message is kept as it was said, with the branches of the conversation. Where
    several people speak, they are pending until --owner and --paired name them. What cannot be read is reported with
    its place, and the rest goes in. `gitmem write` then folds the conversations into topics.
    """
    workspace = open_workspace(invocation)
    paths = [invocation.directory / file for file in files]
    with progress("Reading") as tick:
        report = workspace.ingest(
            paths,
            format=format_name,
            session=session,
            owner=owner,
            paired=paired,
            progress=lambda done, total, file: tick(done, total, PurePath(file).name),
        )
    nothing = len(report.unread) == len(files)
    if as_json:
        render.document(_document(report, nothing=nothing))
    else:
        for text in _lines(report, named=bool(owner or paired)):
            render.line(render.one_line(text))
    for text in _warnings(report, as_json=as_json):
        render.warning(render.one_line(text))
    return 1 if nothing else 0


def _document(report: IngestReport, *, nothing: bool) -> dict[str, object]:
    """The answer; where nothing could be read it is a failure too, and says both."""
    answer: dict[str, object] = {
        "sessions": report.sessions,
        "turns": report.turns,
        "new": report.new,
        "pending": report.pending,
        "errors": report.errors,
    }
    return {**_failure(report), **answer} if nothing else answer


def _failure(report: IngestReport) -> dict[str, object]:
    from gitmem.errors import Code, Finding, Refused, Severity  # noqa: PLC0415 (only when nothing was read)
    from gitmem_cli.errors import envelope  # noqa: PLC0415

    findings = [
        Finding("ingest", Severity.ERROR, error.code, error.message, error.file, error.line) for error in report.errors
    ]
    message = f"nothing of {', '.join(report.unread)} could be read"
    return envelope(Refused(Code.TRANSACTION_FAILURE_UNKNOWN, message, findings=tuple(findings)))


def _lines(report: IngestReport, *, named: bool) -> Iterator[str]:
    for session in report.sessions:
        branches = f", {session.branches} branches" if session.branches > 1 else ""
        yield f"{session.session}: {count(session.turns, 'turn')}, {session.new:,} new{branches}"
    for waiting in report.waiting[:_MOST_SPEAKERS]:
        option = f"; --owner {_typed(waiting)} or --paired {_typed(waiting)} vouches for them" if waiting.key else ""
        yield f"{count(waiting.turns, 'turn')} of {waiting.speaker} pending{option}"
    if rest := report.waiting[_MOST_SPEAKERS:]:
        turns = count(sum(waiting.turns for waiting in rest), "turn")
        yield f"{turns} of {count(len(rest), 'more speaker')} pending"
    if report.raised:
        yield f"{count(report.raised, 'turn')} vouched for now"
    yield _last(report, named=named)


def _last(report: IngestReport, *, named: bool) -> str:
    """What is next: whoever is to be vouched for is named before anything is written."""
    if not report.sessions:
        return "nothing was read"
    if not report.new:
        return "nothing new"
    new = count(report.new, "new turn")
    if report.pending and not named:
        return f"{new}; read again with --owner before `gitmem write`, which archives what is pending as pending"
    return f"{new}; `gitmem write --force` folds them into topics"


def _warnings(report: IngestReport, *, as_json: bool) -> Iterator[str]:
    for error in report.errors:
        place = f":{error.line}" if error.line is not None else ""
        item = f", {error.item}" if error.item is not None else ""
        yield f"{error.file}{place}{item}: {error.message}"
    if report.late:
        were = "was" if report.late == 1 else "were"
        them = "it" if report.late == 1 else "them"
        yield (
            f"{count(report.late, 'turn')} {were} archived while nobody vouched for {them}; "
            f"no topic can cite {them} until somebody promotes {them}"
        )
    if as_json and report.pending:
        named = ", ".join(_typed(waiting) for waiting in report.waiting[:_MOST_SPEAKERS] if waiting.key)
        yield f"{count(report.pending, 'turn')} pending: nobody vouches for the speakers; --owner or --paired: {named}"


def _typed(waiting: Waiting) -> str:
    """What somebody types to name the speaker; marks that a name hides are not needed."""
    return shlex.quote(one_line(waiting.key or ""))
