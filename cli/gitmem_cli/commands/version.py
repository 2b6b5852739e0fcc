"""``gitmem version``: which gitmem this is."""

from __future__ import annotations

import platform
from importlib.metadata import version
from typing import TYPE_CHECKING

from gitmem.errors import Unavailable
from gitmem_cli import render
from gitmem_cli.command import command as declare
from gitmem_cli.command import json_option
from gitmem_cli.git_program import run_git

if TYPE_CHECKING:
    from gitmem_cli.invocation import Invocation


def gitmem_version() -> str:
    """The version that is installed."""
    return version("gitmem-workspace")


@declare("version", examples=["gitmem version", "gitmem version --json"])
@json_option
def command(invocation: Invocation, *, as_json: bool) -> None:
    """Say which gitmem this is and what it stands on.

    The answer names the versions of gitmem, Python, pygit2 and git; git is null where it is not installed.
    """
    answer = {
        "gitmem": gitmem_version(),
        "python": platform.python_version(),
        "pygit2": version("pygit2"),
        "git": _git_version(invocation),
    }
    if as_json:
        render.document(answer)
    else:
        for name, value in answer.items():
            render.line(f"{name} {value or 'not installed'}")


def _git_version(invocation: Invocation) -> str | None:
    try:
        return run_git(invocation.directory, ["version"], invocation.environ).split()[2]
    except Unavailable:
        return None
