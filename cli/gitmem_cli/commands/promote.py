"""``gitmem promote``: vouch for messages that nobody vouches for yet."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from gitmem.errors import Code, NotAllowed
from gitmem_cli import render
from gitmem_cli.claims import block_line
from gitmem_cli.command import command as declare
from gitmem_cli.command import json_option
from gitmem_cli.opening import open_workspace
from gitmem_cli.progress import progress
from gitmem_cli.results import short
from gitmem_cli.shown import count, indented, joined, place, styled
from gitmem_cli.writing import exit_of_failure, writer_options

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.runtime.waiting import PromoteAnswer, WaitingAnswer
    from gitmem_cli.invocation import Invocation


@declare(
    "promote",
    examples=[
        "gitmem promote --list",
        "gitmem promote slack/C024/1717.0042",
        "gitmem promote --speaker 7391 --paired",
    ],
    exits=(1, 3, 4, 5, 6, 7),
)
@click.argument("sources", metavar="SOURCE...", nargs=-1)
@click.option("--speaker", metavar="S", help="Everything of S that waits, by id; by name where nobody has that id.")
@click.option("--paired", is_flag=True, help="What rests on it alone may be shown to paired callers, too.")
@click.option("--list", "listing", is_flag=True, help="Only list what waits, and the claims that wait on it.")
@writer_options
@json_option
def command(  # noqa: PLR0913  (one parameter for each option)
    invocation: Invocation,
    sources: tuple[str, ...],
    *,
    speaker: str | None,
    paired: bool,
    listing: bool,
    writer: str | None,
    model: str | None,
    as_json: bool,
) -> int:
    """Vouch for what others said, or list what waits for that.

    Messages of people for whom nobody vouches are archived as pending: they can be searched, but no claim is believed
    that rests on one, and no writer reads them. Only the owner may vouch, in person: it asks on a terminal. What was
    archived does not change; `git log sources/promotions.jsonl` shows who vouched for what. Afterwards a writer reads
    the messages once.
    """
    workspace = open_workspace(invocation, in_person=not listing)
    if listing:
        return _shown_waiting(workspace.waiting(sources, speaker=speaker), as_json=as_json)
    if not sources and speaker is None:
        message = "name SOURCE..., or give --speaker; --list shows what waits"
        raise click.UsageError(message)
    if not sys.stdin.isatty():
        message = "only the owner in person may vouch for what others said: run it on a terminal, where it can ask"
        raise NotAllowed(Code.NOT_ALLOWED, message)
    waiting = workspace.waiting(sources, speaker=speaker)
    if waiting.sources:
        click.echo("\n".join(_waiting_lines(waiting)), err=True)
        if not click.confirm(f"Vouch for {count(len(waiting.sources), 'message')}?", err=True):
            render.note("nothing was promoted")
            return 1
    with progress("Reading them") as tick:
        tick(0)
        answer = workspace.promote(sources, speaker=speaker, paired=paired, writer=writer, model=model)
    return _shown(answer, as_json=as_json)


def _shown_waiting(answer: WaitingAnswer, *, as_json: bool) -> int:
    if as_json:
        render.document(answer)
    else:
        render.page(_waiting_lines(answer))
    return 0


def _waiting_lines(answer: WaitingAnswer) -> Iterator[str]:
    if not answer.sources:
        yield "Nothing waits: somebody vouches for every message."
    for source in answer.sources:
        who = " ".join(
            part for part in (source.speaker_display, f"({source.speaker_id})" if source.speaker_id else None) if part
        )
        yield joined(
            (styled(source.id, bold=True), styled(who or "unknown"), source.timestamp, place(source.path, source.line))
        )
        yield from indented(source.text)
        for claim in source.claims:
            yield f"  {styled('waits on it:', dim=True)} {block_line(claim)}"


def _shown(answer: PromoteAnswer, *, as_json: bool) -> int:
    if as_json:
        render.document(answer)
    else:
        render.page(_lines(answer))
        if answer.written is not None and answer.written.failure is not None:
            render.warning(f"{answer.written.failure.reason_code}: {answer.written.failure.message}")
    return exit_of_failure(answer.written.failure if answer.written is not None else None)


def _lines(answer: PromoteAnswer) -> Iterator[str]:
    promoted = sum(source.promoted for source in answer.sources)
    if not promoted:
        yield joined(("Nothing to do.", styled("somebody vouches for all of them already", dim=True)))
    else:
        yield joined(
            (styled(f"revision {short(answer.revision)}", color="yellow"), f"promoted {count(promoted, 'message')}")
        )
    if answer.written is not None:
        yield f"read {answer.written.processed:,} of {count(answer.written.candidates, 'message')}"
