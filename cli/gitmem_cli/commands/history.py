"""``gitmem history``: every version of a claim."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import click

from gitmem_cli import render
from gitmem_cli.claims import moment
from gitmem_cli.command import command as declare
from gitmem_cli.command import json_option
from gitmem_cli.opening import open_workspace
from gitmem_cli.options import at_option
from gitmem_cli.results import short
from gitmem_cli.shown import GAP, indented, joined, styled
from gitmem_cli.words import compared

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.history.versions import HistoryAnswer, VersionAnswer
    from gitmem_cli.invocation import Invocation

COLORS = {"added": "green", "changed": "yellow", "moved": "blue", "merged": "magenta", "removed": "red"}


@declare(
    "history", examples=["gitmem history f888f60e", "gitmem history ^f888f60e --at yesterday --json"], exits=(4, 5, 7)
)
@click.argument("block", metavar="BLOCK")
@at_option
@json_option
def command(invocation: Invocation, block: str, *, at: str | None, as_json: bool) -> None:
    """Tell every version of a claim, oldest first.

    It is followed when it moves, when its file is renamed, into a block that it is merged with and out again; also a
    block that is gone has a history.
    """
    answer = open_workspace(invocation).history(block, at=at)
    if as_json:
        render.document(answer)
    else:
        render.page(_lines(answer))


def _lines(answer: HistoryAnswer) -> Iterator[str]:
    also = styled(f"also ^{', ^'.join(answer.aliases)}", dim=True) if answer.aliases else None
    yield joined((styled(f"^{answer.id}", bold=True), also, None if answer.present else styled("is gone", color="red")))
    for before, version in pairwise((None, *answer.versions)):
        if version is not None:
            yield from _version(version, before)


def _version(version: VersionAnswer, before: VersionAnswer | None) -> Iterator[str]:
    yield ""
    yield joined(
        (
            styled(version.event.ljust(7), color=COLORS[version.event]),
            styled(short(version.revision), color="yellow"),
            styled(moment(version.at)),
            styled(version.author, color="green"),
            styled(version.writer or "git", dim=True),
        )
    )
    where = " > ".join((version.path, *version.headings))
    cited = f"cites {len(version.refs)}"
    yield GAP + joined((styled(where, color="cyan"), version.when and styled(version.when), styled(cited, dim=True)))
    if before is not None and version.event == "changed":
        yield GAP + compared(before.content, version.content)
    else:
        yield from indented(version.content)
