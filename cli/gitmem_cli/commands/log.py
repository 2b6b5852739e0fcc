"""``gitmem log``: the transactions, newest first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gitmem_cli import render
from gitmem_cli.claims import brief, narrowed, number_of
from gitmem_cli.command import command as declare
from gitmem_cli.command import json_option
from gitmem_cli.opening import open_workspace
from gitmem_cli.options import signature_option
from gitmem_cli.shown import GAP, count, joined, styled
from gitmem_cli.transactions import archived, heading

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gitmem.history.log import LogAnswer
    from gitmem.runtime.injections import InjectedAnswer, InjectionAnswer
    from gitmem.workspace import Workspace
    from gitmem_cli.invocation import Invocation


@declare(
    "log",
    examples=[
        "gitmem log",
        "gitmem log topics/people/ada.md -n 5",
        "gitmem log f888f60e --json",
        "gitmem log --injected f888f60e",
        "gitmem log --show-signature",
        "gitmem log --writer background --since 'last monday' --until yesterday",
    ],
    exits=(4, 5, 7),
)
@click.argument("target", metavar="[PATH|BLOCK]", required=False)
@click.option("--writer", metavar="W", help="Only what came through W: cli, hand, background, restore, undo, ...")
@click.option("--author", metavar="A", help="Only what was caused by somebody whose name or address holds A.")
@click.option("--authority", metavar="T", help="Only what was done with the authority of tier T.")
@click.option("--since", metavar="T", help="Only from T on: a date, a time, or words such as 'last friday'.")
@click.option("--until", metavar="T", help="Only up to the end of T.")
@click.option("-n", "limit", metavar="N", type=click.IntRange(1), default=20, help="Most transactions.  [default: 20]")
@click.option("--injected", is_flag=True, help="Say when models were given the claim BLOCK instead.")
@signature_option
@json_option
def command(  # noqa: PLR0913 (the filters are options by their own names)
    invocation: Invocation,
    target: str | None,
    *,
    as_json: bool,
    show_signature: bool,
    injected: bool,
    limit: int,
    **filters: str | None,
) -> None:
    """List transactions, each with the claims it changed.

    The newest comes first. PATH is a file or a folder, BLOCK an id, also of a block that is gone. Signs are those of
    commit messages: + added, ~ changed, > moved, = merged, - removed. Of a transaction that changed more than PATH or
    BLOCK, the rest is only counted; gitmem show tells all of it. With --injected BLOCK it says when the claim was put
    before a model, as far back as that is recorded.
    """
    workspace = open_workspace(invocation)
    if injected:
        _show_injected(workspace, target, limit, as_json=as_json)
        return
    answer = workspace.log(target, limit=limit, signatures=show_signature, **filters)
    if as_json:
        render.document(answer)
        return
    render.page(_lines(answer, None if target is None else _concerned(workspace, target, answer)))
    if answer.truncated:
        render.note(f"older transactions match too; -n shows more than {limit}")


def _show_injected(workspace: Workspace, block: str | None, limit: int, *, as_json: bool) -> None:
    if block is None:
        message = "name the BLOCK: log --injected f888f60e"
        raise click.UsageError(message)
    answer = workspace.injected(block)
    if as_json:
        render.document(answer)
        return
    render.page([_injection(told) for told in answer.injections[:limit]] or [_never(answer)])
    if len(answer.injections) > limit:
        render.note(f"it was given earlier, too; -n shows more than {limit}")
    if answer.since and answer.injections:
        render.note(f"unknown before {answer.since}")


def _never(answer: InjectedAnswer) -> str:
    if answer.since is None:
        return f"whether ^{answer.id} was given to a model is not known: nothing is recorded here"
    return f"^{answer.id} was given to no model; unknown before {answer.since}"


def _injection(told: InjectionAnswer) -> str:
    asked = "for the core" if told.query_hash is None else f"for a query {told.query_hash[:12]}"
    revision = f"at {told.revision[:12]}" if told.revision else ""
    where = f"in {told.session}" if told.session else ""
    return joined((styled(told.at), told.tier, where, styled(asked), styled(revision, dim=True)))


def _lines(answer: LogAnswer, concerns: Callable[[str, str], bool] | None) -> Iterator[str]:
    for told in answer.transactions:
        yield from heading(told)
        shown = told.claims if concerns is None else narrowed(told.claims, concerns)
        yield from (f"{GAP}{line}" for line in brief(shown))
        if rest := number_of(told.claims) - number_of(shown):
            number = f"{rest:,} more claim{'s' * (rest > 1)}" if number_of(shown) else count(rest, "claim")
            yield GAP + styled(f"and {number}", dim=True)
        yield from archived(told)
        yield ""


def _concerned(workspace: Workspace, target: str, answer: LogAnswer) -> Callable[[str, str], bool]:
    """Whether a claim, by its id and path, is what PATH or BLOCK names; a merged block is what it became part of."""
    from gitmem.edit.compose import block_id, names_path  # noqa: PLC0415 (loads the library)

    if names_path(target) or target in workspace.memory().snapshot.names(""):
        path = "/".join(step for step in target.split("/") if step not in {"", "."})
        at = {path, f"topics/{path}"}
        return lambda _, path: path in at or any(path.startswith(f"{folder}/") for folder in at)
    ids = {block_id(target), workspace.history(target).id}
    for told in reversed(answer.transactions):
        ids.update(merged.into for merged in told.claims.merged if merged.id in ids)
    return lambda block, _: block in ids
