"""``gitmem search``: what the memory knows about something."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gitmem_cli import render
from gitmem_cli.command import command as declare
from gitmem_cli.command import json_option
from gitmem_cli.opening import open_workspace
from gitmem_cli.options import at_option, path_option
from gitmem_cli.shown import indented, joined, place, styled, warned

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gitmem.search.hits import Hit
    from gitmem.search.query import SearchAnswer
    from gitmem_cli.invocation import Invocation


@declare(
    "search",
    examples=[
        "gitmem search budget tracker",
        "gitmem search 'due date' -k 3 --topics-only",
        "gitmem search vegetarian --speaker 7391 --from 2024-01 --to 2024-06",
        "gitmem search budget --at yesterday --json",
    ],
    exits=(4, 5, 7),
)
@click.argument("query", nargs=-1, required=True)
@click.option("-k", "k", metavar="N", type=int, default=10, help="Most results, 1 to 100.  [default: 10]")
@path_option
@click.option("--from", "first", metavar="T", help="Only what is of this date or later: YYYY, YYYY-MM or YYYY-MM-DD.")
@click.option("--to", "last", metavar="T", help="Only what is of this date or earlier.")
@click.option("--speaker", metavar="S", help="Only messages of this speaker: a whole id, name or label.")
@at_option
@click.option("--method", metavar="M", help="How to rank: bm25, embedding or hybrid.  [default: gitmem.search.method]")
@click.option("--topics-only", is_flag=True, help="Leave archived messages out.")
@click.option("--max-tokens", metavar="N", type=int, help="Most tokens (o200k_base) of all contents together.")
@click.option("--explain", is_flag=True, help="Say which words of the query each result holds.")
@json_option
def command(invocation: Invocation, query: Sequence[str], *, as_json: bool, **filters: object) -> None:
    """Find blocks and archived messages by what they say, best first.

    A result is a claim of a topic (with the messages it cites) or a message itself; one that is not vouched for is
    marked pending. Nothing found is an empty answer, not an error.
    """
    answer = open_workspace(invocation).search(" ".join(query), **filters)  # type: ignore[arg-type]  # click's values
    if as_json:
        render.document(answer)
    else:
        render.page(_lines(answer))
        if answer.truncated and answer.results:
            render.note("there is more; -k and --max-tokens say how much is shown")


def _lines(answer: SearchAnswer) -> Iterator[str]:
    for hit in answer.results:
        yield from _hit(hit)
        yield ""
    if not answer.results:
        yield "Nothing found."


def _hit(hit: Hit) -> Iterator[str]:
    name = f"^{hit.id}" if hit.kind == "block" else hit.id
    yield joined(
        (
            styled(name, bold=True),
            place(hit.path, hit.line),
            hit.when and styled(hit.when),
            _speaker(hit),
            warned(hit.trust_state != "trusted", hit.trust_state),
            styled(f"{hit.score:.2f}", dim=True),
        )
    )
    if hit.headings:
        yield f"  {styled(' > '.join(hit.headings), dim=True)}"
    yield from indented(hit.content)
    if hit.kind == "block" and hit.refs:
        yield f"  {styled('cites ' + ', '.join(hit.refs), dim=True)}"
    terms = getattr(hit, "terms", None)
    if terms:
        held = ", ".join(f"{word} x{times}" for word, times in terms.items())
        yield f"  {styled('holds ' + held, dim=True)}"


def _speaker(hit: Hit) -> str | None:
    named = [name for name in (hit.speaker_display, hit.speaker_id and f"({hit.speaker_id})") if name]
    if not named:
        return None
    return styled(" ".join(named) + ("" if hit.speaker_trusted else " unconfirmed"), color="green")
