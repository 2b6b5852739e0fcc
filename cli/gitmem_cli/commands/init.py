"""``gitmem init``: create a workspace."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from gitmem.errors import Code, InvalidRequest
from gitmem.format.layout import is_topic
from gitmem_cli import render
from gitmem_cli.command import command as declare
from gitmem_cli.command import json_option
from gitmem_cli.results import short
from gitmem_cli.shown import GAP, count, joined, styled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.transaction.create import InitAnswer
    from gitmem_cli.invocation import Invocation


@declare(
    "init",
    examples=[
        "gitmem init",
        "gitmem init ~/notes/memory",
        "gitmem init --bare memory.git",
        "gitmem init memory --adopt old-notes",
    ],
    exits=(1, 3, 4, 5, 7),
)
@click.argument("folder", metavar="[DIR]", required=False, type=click.Path(path_type=Path))
@click.option("--bare", is_flag=True, help="Without a working directory.")
@click.option(
    "--adopt", metavar="DIR", type=click.Path(path_type=Path), help="Take over the topics and sources of DIR."
)
@json_option
def command(invocation: Invocation, folder: Path | None, *, bare: bool, adopt: Path | None, as_json: bool) -> None:
    """Create a workspace.

    DIR is made where it is missing; topics and archives that stand in it are taken over as they are. A core.md beside
    them becomes topics/core.md, or evidence for `gitmem backfill` when it is no valid topic. In a workspace nothing
    happens. A folder inside another git repository is refused: memory needs a repository of its own.
    """
    invocation.require_owner("make a workspace")
    invocation.require_enabled()
    from gitmem.workspace import Caller, Workspace  # noqa: PLC0415 (loads libgit2)

    path = invocation.directory / folder if folder is not None else invocation.directory
    origin = None if adopt is None else invocation.directory / adopt
    _require_possible(path, invocation.environ.get("HOME"))
    caller = Caller(invocation.author)
    answer = Workspace.create(path, caller, invocation.config, invocation.environ, bare=bare, adopt=origin)
    if as_json:
        render.document(answer)
    else:
        render.page(_lines(answer, path))


def _require_possible(path: Path, home: str | None) -> None:
    """Refuse what can be no folder, and the two that everything else stands in: they would become private with it."""
    try:
        in_the_way = next((step for step in (path, *path.parents) if step.exists()), None)
        whole = path.resolve()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InvalidRequest(Code.INVALID_ARGUMENT, f"{path} cannot be a folder: {reason}") from error
    if in_the_way is not None and not in_the_way.is_dir():
        raise InvalidRequest(Code.INVALID_ARGUMENT, f"{in_the_way} is a file; a workspace needs a folder of its own")
    if whole == Path(whole.anchor) or (home and whole == Path(home).resolve()):
        message = f"{whole} holds everything else too; name a folder for the workspace: gitmem init {whole / 'memory'}"
        raise InvalidRequest(Code.INVALID_ARGUMENT, message)


def _lines(answer: InitAnswer, path: Path) -> Iterator[str]:
    done = "Created" if answer.created else "There is already"
    kind = "a bare workspace" if answer.bare else "a workspace"
    yield joined((f"{done} {kind} in {styled(str(path), bold=True)}", styled(answer.workspace_id, dim=True)))
    yield joined((styled(f"revision {short(answer.revision)}", color="yellow"), styled(f"branch {answer.branch}")))
    if answer.adopted.topics or answer.adopted.sources:
        topics, sources = count(answer.adopted.topics, "topic"), count(answer.adopted.sources, "archive")
        yield f"Took over {topics} and {sources}."
    if answer.adopted.core is not None:
        yield _core_line(answer.adopted.core)
    for rescue in answer.rescues:
        yield joined((styled("kept", dim=True), styled(rescue)))
    if answer.created:
        yield ""
        yield "What next:"
        width = max(map(len, _NEXT))
        for line, meaning in _NEXT.items():
            yield f"{GAP}{styled(line, bold=True)}{' ' * (width - len(line))}{GAP}{styled(meaning, dim=True)}"


def _core_line(place: str) -> str:
    if is_topic(place):
        return f"core.md became {place}."
    return f"core.md is no valid topic and was archived as evidence: {place}; `gitmem backfill` makes claims of it."


_NEXT = {
    "gitmem ingest conversation.jsonl": "read a conversation in",
    "gitmem write --force": "make topics of it",
    "gitmem remember 'A fact.' --topic people/ada": "or write a claim yourself",
    "gitmem search 'a fact'": "and find it again",
}
