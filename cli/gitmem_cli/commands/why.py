"""``gitmem why``: from a claim to the words it rests on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gitmem.policy.authority import Capability
from gitmem_cli import render
from gitmem_cli.claims import block_line
from gitmem_cli.command import command as declare
from gitmem_cli.command import json_option
from gitmem_cli.opening import may, open_workspace
from gitmem_cli.options import at_option
from gitmem_cli.results import short
from gitmem_cli.shown import indented, joined, place, styled, warned
from gitmem_cli.transactions import origin_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gitmem.history.why import ExplainedAnswer, SourceAnswer
    from gitmem.workspace import Workspace
    from gitmem_cli.invocation import Invocation

    Told = Callable[[str, str], str]


@declare(
    "why",
    examples=[
        "gitmem why f888f60e",
        "gitmem why --text 'budget tracker'",
        "gitmem why f888f60e --at 2026-08-09 --json",
    ],
    exits=(2, 4, 5, 7),
)
@click.argument("block", metavar="[BLOCK]", required=False)
@click.option("--text", metavar="T", help="Every claim that says T, instead of one block.")
@at_option
@json_option
def command(invocation: Invocation, block: str | None, *, text: str | None, at: str | None, as_json: bool) -> None:
    """Say what a claim rests on, word for word.

    Each footnote leads to the messages it cites, exactly as archived, with their speaker and how far they are trusted;
    and to the commits that archived them and that wrote and changed the claim. A topic's path asks for all its blocks.
    """
    workspace = open_workspace(invocation)
    answer = workspace.why(block, text=text, at=at)
    if as_json:
        render.document(answer)
        return
    if not answer.results:
        render.line("No claim says that.")
    told = _told(workspace)
    render.page(line for claim in answer.results for line in _claim(claim, told))


def _told(workspace: Workspace) -> Told:
    """How a commit is told of: by its name alone to those who see no transaction, for its subject quotes claims."""
    if may(workspace, Capability.AUDIT):
        return lambda what, revision: origin_line(what, workspace.origin(revision))
    return lambda what, revision: joined((styled(what, dim=True), styled(short(revision), color="yellow")))


def _claim(claim: ExplainedAnswer, told: Told) -> Iterator[str]:
    yield block_line(claim)
    yield from indented(claim.content)
    if claim.written_by is not None:
        yield told("written by", claim.written_by)
    for revision in claim.changed_by:
        yield told("changed by", revision)
    for evidence in claim.evidence:
        yield ""
        yield joined((styled(f"[^{evidence.id}]", color="magenta"), styled(evidence.when or "undated")))
        for source in evidence.sources:
            yield from (f"  {line}" for line in _source(source, told))
    yield ""


def _source(source: SourceAnswer, told: Told) -> Iterator[str]:
    if source.text is None:
        yield joined((styled(source.id), warned(condition=True, text="no archived message stands there")))
        return
    yield joined(
        (
            styled(source.id, bold=True),
            styled(_speaker(source), color="green"),
            styled(source.timestamp or ""),
            warned(source.trust_state != "trusted", source.trust_state or ""),
            source.tier and styled(source.tier, dim=True),
            place(source.path or "", source.line or 1),
        )
    )
    yield from indented(source.text)
    if source.archived_by is not None:
        yield told("archived by", source.archived_by)


def _speaker(source: SourceAnswer) -> str:
    names = [source.speaker_display, f"({source.speaker_id})" if source.speaker_id else None]
    named = " ".join(name for name in names if name)
    if not named:
        return source.role or ""
    return named if source.speaker_trusted else f"{named} unconfirmed"
