"""``gitmem hooks``: the git hooks, keeping a user's own."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from gitmem_cli import render
from gitmem_cli.command import command as declare
from gitmem_cli.command import group, json_option
from gitmem_cli.git_program import run_git
from gitmem_cli.opening import open_workspace
from gitmem_cli.results import short
from gitmem_cli.shown import GAP, count, joined, styled

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from gitmem.store.hook_files import HooksAnswer
    from gitmem.workspace import Workspace
    from gitmem_cli.invocation import Invocation

EXITS = (1, 3, 4, 5, 7)
_COLORS = {"installed": "green", "broken": "red", "foreign": "yellow", "absent": "yellow"}


@group(
    "hooks",
    examples=["gitmem hooks install", "gitmem hooks status", "gitmem hooks uninstall"],
    exits=EXITS,
)
def command() -> None:
    """Have plain git keep the rules: install, remove or look at the git hooks.

    With them a `git commit` that would break the memory is refused, a good one gets trailers and its views, and merges
    go claim by claim. Your own hooks are kept, and run first.
    """


@declare(
    "install",
    examples=[
        "gitmem hooks install",
        "gitmem -C /srv/memory.git hooks install --server",
        "gitmem hooks install --json",
    ],
    exits=EXITS,
)
@click.option("--server", is_flag=True, help="Check what is pushed to this repository, instead.")
@json_option
def install(invocation: Invocation, *, server: bool, as_json: bool) -> None:
    """Put the hooks where git looks for them, and set up how it merges and shows topics.

    They run with the Python that runs now: after moving it, install again. Installing twice is harmless. With --server
    every commit that is pushed is checked, and a push that would lose archived messages is refused.
    """
    if server:
        from gitmem.store.hook_files import begin_server  # noqa: PLC0415 (only on a server)

        begin_server(invocation.directory)
    workspace = open_workspace(invocation)
    answer = workspace.install_hooks(_folder(workspace, invocation), sys.executable, server=server)
    _show(answer, as_json=as_json)


@declare("uninstall", examples=["gitmem hooks uninstall", "gitmem hooks uninstall --json"], exits=EXITS)
@json_option
def uninstall(invocation: Invocation, *, as_json: bool) -> None:
    """Take the hooks and git's settings for them away; your own hooks are back byte for byte."""
    workspace = open_workspace(invocation)
    _show(workspace.uninstall_hooks(_folder(workspace, invocation)), as_json=as_json)


@declare("status", examples=["gitmem hooks status", "gitmem hooks status --json"], exits=EXITS)
@json_option
def status(invocation: Invocation, *, as_json: bool) -> int:
    """Say which hooks are installed, and whether they can run; exit 1 when one that should be there cannot."""
    workspace = open_workspace(invocation)
    answer = workspace.hooks(_folder(workspace, invocation))
    _show(answer, as_json=as_json)
    return 0 if answer.ok or not answer.installed else 1


@declare("derive", examples=["gitmem hooks derive", "gitmem hooks derive --json"], exits=EXITS)
@json_option
def derive(invocation: Invocation, *, as_json: bool) -> None:
    """Render the views of what plain git committed; the hooks do this after every commit and merge."""
    answer = open_workspace(invocation).follow()
    if as_json:
        render.document(answer)
    elif answer.derived_commit is None:
        render.page(["the views show the newest commit already"])
    else:
        commit = styled(short(answer.derived_commit), color="yellow")
        render.page([joined((f"rendered {count(len(answer.changed_files), 'view')}", commit))])


for part in (install, uninstall, status, derive):
    command.add_command(part)


def _folder(workspace: Workspace, invocation: Invocation) -> Path:
    """Where git looks for hooks here, ``core.hooksPath`` and linked worktrees considered."""
    root = workspace.repo.path
    return root / run_git(root, ["rev-parse", "--git-path", "hooks"], invocation.environ).removesuffix("\n")


def _show(answer: HooksAnswer, *, as_json: bool) -> None:
    if as_json:
        render.document(answer)
    else:
        render.page(_lines(answer))


def _lines(answer: HooksAnswer) -> Iterator[str]:
    width = max(len(hook.name) for hook in answer.hooks)
    for hook in answer.hooks:
        own = styled("after your own", dim=True) if hook.own else ""
        state = styled(hook.state, color=_COLORS[hook.state])
        yield joined((f"{hook.name}{' ' * (width - len(hook.name))}", state, own)).rstrip()
    yield ""
    yield f"{styled('folder', dim=True)}{GAP}{answer.folder}"
    if answer.interpreter is not None:
        yield f"{styled('python', dim=True)}{GAP}{answer.interpreter}"
    if not answer.installed:
        yield "Nothing is installed; `gitmem hooks install` does it."
    elif not answer.ok:
        yield "Something is missing; `gitmem hooks install` puts it right."
