"""``gitmem ingest``: conversations and exports into conversation graphs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from gitmem_cli import render
from gitmem_cli.command import command as declare
from gitmem_cli.command import json_option
from gitmem_cli.opening import open_workspace
from gitmem_cli.shown import count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.interop.report import IngestReport
    from gitmem_cli.invocation import Invocation

FORMATS = ("auto", "jsonl", "chatgpt", "whatsapp")


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

    Every message is kept as it was said, with the branches of the conversation. What cannot be read is reported with
    its place, and the rest goes in. `gitmem write` then folds the conversations into topics.
    """
    workspace = open_workspace(invocation)
    paths = [invocation.directory / file for file in files]
    report = workspace.ingest(paths, format=format_name, session=session, owner=owner, paired=paired)
    if as_json:
        render.document(
            {
                "sessions": report.sessions,
                "turns": report.turns,
                "new": report.new,
                "pending": report.pending,
                "errors": report.errors,
            }
        )
    else:
        for text in _lines(report):
            render.line(text)
    for error in report.errors:
        place = f":{error.line}" if error.line is not None else f" item {error.item}" if error.item is not None else ""
        render.warning(f"{error.file}{place}: {error.message}")
    return 1 if len(report.unread) == len(files) else 0


def _lines(report: IngestReport) -> Iterator[str]:
    for session in report.sessions:
        branches = f", {session.branches} branches" if session.branches > 1 else ""
        yield f"{session.session}: {count(session.turns, 'turn')}, {session.new} new{branches}"
    for waiting in report.waiting:
        option = f"; --owner {waiting.key} or --paired {waiting.key} vouches for them" if waiting.key else ""
        yield f"{count(waiting.turns, 'turn')} of {waiting.speaker} pending{option}"
    if not report.sessions:
        yield "nothing was read"
    elif report.new:
        yield f"{count(report.new, 'new turn')}; `gitmem write --force` folds them into topics"
    else:
        yield "nothing new"
