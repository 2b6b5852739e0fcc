"""``gitmem autosave``: states kept before something destructive, and text that is not committed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gitmem_cli import render
from gitmem_cli.claims import moment
from gitmem_cli.command import command as declare
from gitmem_cli.command import group, json_option
from gitmem_cli.commands.diff import diff_lines
from gitmem_cli.going_back import show_way_back
from gitmem_cli.opening import open_workspace
from gitmem_cli.options import dry_run_option, words_option
from gitmem_cli.render import visible
from gitmem_cli.results import short, show_warnings, way_back
from gitmem_cli.shown import GAP, count, joined, styled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.history.autosave_text import KeptAnswer
    from gitmem.history.autosaves import AutosaveAnswer
    from gitmem.history.put_back import PutBackAnswer
    from gitmem_cli.invocation import Invocation

EXITS = (4, 5, 7)
_LINE_COLORS = {"+": "green", "-": "red", "@": "cyan"}

number_argument = click.argument("number", metavar="N", type=click.IntRange(1))


@group(
    "autosave",
    examples=["gitmem autosave list", "gitmem autosave show 1", "gitmem autosave restore 1"],
    exits=(1, 2, 3, *EXITS),
    alone="list",
)
def command() -> None:
    """List and bring back the states that were kept, or keep what is not committed.

    The memory is kept before every destructive command, and text that is not committed whenever gitmem is about to
    write where it stands. The newest is autosave/1, and every command that takes a REV takes that name: gitmem diff
    autosave/1. Plain git knows each by its ref. Without a word after it: list.
    """


@declare("list", examples=["gitmem autosave list", "gitmem autosave list --json"], exits=EXITS)
@json_option
def list_(invocation: Invocation, *, as_json: bool) -> None:
    """List what was kept, newest first."""
    answer = open_workspace(invocation).autosaves()
    if as_json:
        render.document(answer)
    else:
        _rows(answer.autosaves)


@declare("save", examples=["gitmem autosave save"], exits=(2, 3, *EXITS))
@json_option
def save(invocation: Invocation, *, as_json: bool) -> None:
    """Keep what the working directory holds beyond the memory, to the byte; nothing else changes."""
    answer = open_workspace(invocation).save_autosave()
    if as_json:
        render.document(answer)
    elif answer.saved is None:
        render.line("Nothing to save: everything is committed.")
    else:
        render.page([joined((styled("kept", dim=True), styled(answer.saved.name), styled(answer.saved.ref)))])


@declare("show", examples=["gitmem autosave show 1", "gitmem autosave show 2 --json"], exits=EXITS)
@number_argument
@json_option
def show(invocation: Invocation, number: int, *, as_json: bool) -> None:
    """Show what autosave/N holds, line by line.

    Of text: how it differs from the memory it was typed over. Of a memory: what its last transaction changed.
    """
    answer = open_workspace(invocation).autosave(number)
    if as_json:
        render.document(answer)
    else:
        render.page(_shown(answer))


@declare("diff", examples=["gitmem autosave diff 1", "gitmem autosave diff 1 --words"], exits=EXITS)
@number_argument
@click.option("--stat", is_flag=True, help="Only how many claims of each file differ.")
@words_option
@json_option
def diff(invocation: Invocation, number: int, *, stat: bool, words: bool, as_json: bool) -> None:
    """Compare autosave/N with what is there now, claim by claim.

    Text is compared with the working directory, a memory with the current one.
    """
    answer = open_workspace(invocation).diff_autosave(number)
    if as_json:
        render.document(answer)
    else:
        render.page(diff_lines(answer, stat=stat, words=words))


@declare("restore", examples=["gitmem autosave restore 1"], exits=(1, 2, 3, *EXITS))
@number_argument
@json_option
def restore(invocation: Invocation, number: int, *, as_json: bool) -> int:
    """Go back to autosave/N; what is there now is kept first, and the answer says how to go back.

    Text comes back into its files to the byte, uncommitted; other files stay as they are. A memory comes back as by
    gitmem restore: its topics, in one transaction.
    """
    from gitmem.history.put_back import PutBackAnswer  # noqa: PLC0415 (loads the library)

    answer = open_workspace(invocation, in_person=True).restore_autosave(number)
    if as_json:
        render.document(answer)
    elif isinstance(answer, PutBackAnswer):
        _show_put_back(answer)
    else:
        show_way_back(answer, as_json=False)
    return 0 if answer.ok else 1


@declare("prune", examples=["gitmem autosave prune --dry-run", "gitmem autosave prune"], exits=(3, *EXITS))
@dry_run_option
@json_option
def prune(invocation: Invocation, *, dry_run: bool, as_json: bool) -> None:
    """Remove what is older than gitmem.autosave.keepDays and not among the newest gitmem.autosave.keepCount."""
    answer = open_workspace(invocation).prune_autosaves(dry_run=dry_run)
    if as_json:
        render.document(answer)
        return
    _rows(answer.removed)
    done = "would be removed" if dry_run else "removed"
    render.line(f"{count(len(answer.removed), 'autosave')} {done}, {answer.kept:,} kept")


for part in (list_, save, show, diff, restore, prune):
    command.add_command(part)


def _rows(autosaves: tuple[AutosaveAnswer, ...]) -> None:
    rows = [(kept.name, moment(kept.at), short(kept.revision), kept.subject, kept.ref) for kept in autosaves]
    render.table(("name", "kept", "revision", "subject", "ref"), rows)


def _shown(answer: KeptAnswer) -> Iterator[str]:
    yield joined((styled(answer.name, color="yellow"), styled(moment(answer.at)), styled(answer.ref, dim=True)))
    yield f"{GAP}{styled(answer.subject, bold=True)}"
    for file in answer.files:
        yield ""
        yield joined((styled(file.path, color="cyan"), styled(file.what)))
        if file.patch is None:
            yield f"{GAP}{styled('not text', dim=True)}"
        for line in (file.patch or "").split("\n")[2:-1]:
            yield GAP + click.style(visible(line), fg=_LINE_COLORS.get(line[:1]))


def _show_put_back(answer: PutBackAnswer) -> None:
    show_warnings(answer)
    if not answer.changed_files:
        render.line("Nothing to do: the files hold just that.")
        return
    render.line(f"put back {count(len(answer.changed_files), 'file')}, not committed")
    lines = [f"{GAP}{styled(path, color='cyan')}" for path in answer.changed_files]
    if answer.autosave and answer.go_back:
        lines += way_back(answer.autosave, answer.go_back)
    render.page(lines)
