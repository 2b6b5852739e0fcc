"""``gitmem forget``: erase messages for good, with proof."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gitmem_cli import render
from gitmem_cli.command import command as declare
from gitmem_cli.command import json_option
from gitmem_cli.forgetting import forgetting_lines, plan_lines
from gitmem_cli.opening import open_workspace
from gitmem_cli.options import dry_run_option
from gitmem_cli.progress import progress

if TYPE_CHECKING:
    from collections.abc import Callable

    from gitmem.forgetting.answers import ForgetAnswer
    from gitmem.workspace import Workspace
    from gitmem_cli.invocation import Invocation

_NOT_MEANT = (
    "erasing cannot be undone, and there is no terminal to ask on: --dry-run shows what would go, --yes says that it "
    "is meant"
)


@declare(
    "forget",
    examples=[
        "gitmem forget chat/t1/m7 --dry-run",
        "gitmem forget chat/t1/m7 chat/t1/m9 --remove-shared --yes",
        "gitmem forget --speaker 7391",
        "gitmem -C /srv/memory.git forget --apply 20260810T120000Z.map --yes",
    ],
    exits=(1, 3, 4, 5, 7),
)
@click.argument("sources", metavar="SOURCE...", nargs=-1)
@click.option("--speaker", metavar="S", help="Everything that somebody said, by id; by name where nobody has that id.")
@click.option(
    "--apply",
    "map_file",
    metavar="MAP",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Erase here what was erased in another clone, which left this map.",
)
@click.option(
    "--keep-shared/--remove-shared",
    "keep_shared",
    default=None,
    help="What becomes of claims that rest on other messages too: their words stay, or go.",
)
@dry_run_option
@click.option("--yes", is_flag=True, help="Do not ask; it is meant.")
@click.option("--force", is_flag=True, help="Erase although others have copies of this memory.")
@json_option
def command(  # noqa: PLR0913  (one parameter for each option)
    invocation: Invocation,
    sources: tuple[str, ...],
    *,
    speaker: str | None,
    map_file: Path | None,
    keep_shared: bool | None,
    dry_run: bool,
    yes: bool,
    force: bool,
    as_json: bool,
) -> int:
    """Erase messages for good, with everything that rests on them alone.

    History is rewritten: every commit, tag, autosave, rescued text, conversation and note, the stash, other worktrees,
    and what git keeps beside them. At last every object and file is searched for what was erased. Claims that rest on
    other messages too may quote it: they are listed, and somebody has to decide. The handles are remembered by their
    SHA-256, so that the messages cannot come back; the map that is left lets a server erase the same. An interrupted
    run is finished by `gitmem doctor`.
    """
    _check_usage(sources, speaker, map_file, dry_run=dry_run)
    asking = not (yes or dry_run)
    if asking and (as_json or not sys.stdin.isatty()):
        raise click.UsageError(_NOT_MEANT)
    workspace = open_workspace(invocation, in_person=True)
    if map_file is not None:
        if asking and not _is_meant(workspace, "Erase here what the map says?"):
            return _not_erased()
        path = invocation.directory / map_file
        answer = _watched(lambda tell: workspace.forget_by_map(path, force=force, progress=tell))
        return _shown(answer, as_json=as_json)

    def run(tell: Callable[[str, int], None], *, dry: bool, keep: bool | None) -> ForgetAnswer:
        return workspace.forget(sources, speaker=speaker, keep_shared=keep, force=force, dry_run=dry, progress=tell)

    if asking:
        plan = _watched(lambda tell: run(tell, dry=True, keep=keep_shared))
        render.page(plan_lines(plan))
        if plan.shared and keep_shared is None:
            question = "Claims that rest on other messages too: keep their words, or remove them?"
            keep_shared = click.prompt(question, type=click.Choice(["keep", "remove"]), err=True) == "keep"
        if not _is_meant(workspace, f"Erase {len(plan.sources)} of them for good?"):
            return _not_erased()
    answer = _watched(lambda tell: run(tell, dry=dry_run, keep=keep_shared))
    return _shown(answer, as_json=as_json)


def _check_usage(sources: tuple[str, ...], speaker: str | None, map_file: Path | None, *, dry_run: bool) -> None:
    if sum((bool(sources), speaker is not None, map_file is not None)) != 1:
        message = "name SOURCE..., or give --speaker or --apply; one of them"
        raise click.UsageError(message)
    if map_file is not None and dry_run:
        message = "--apply has no --dry-run: the clone that left the map has said what it erases"
        raise click.UsageError(message)


def _is_meant(workspace: Workspace, question: str) -> bool:
    """Ask twice: once for yes, once for the memory's own name."""
    if not click.confirm(question, err=True):
        return False
    name = workspace.status().workspace_id or ""
    return bool(
        click.prompt(f"There is no way back. Type {name} to go on", default="", show_default=False, err=True) == name
    )


def _not_erased() -> int:
    render.note("nothing was erased")
    return 1


def _watched(work: Callable[[Callable[[str, int], None]], ForgetAnswer]) -> ForgetAnswer:
    with progress("Forgetting") as tick:
        return work(lambda stage, done: tick(done, detail=stage))


def _shown(answer: ForgetAnswer, *, as_json: bool) -> int:
    if as_json:
        render.document(answer)
    else:
        for text in answer.warnings:
            render.warning(text)
        render.page(plan_lines(answer) if answer.dry_run else forgetting_lines(answer))
    return 0 if answer.ok else 1
