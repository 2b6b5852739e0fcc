"""Maintenance in a process of its own, which nobody waits for."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem_cli import render

if TYPE_CHECKING:
    from gitmem.workspace import Workspace
    from gitmem_cli.invocation import Invocation


@dataclass(frozen=True, slots=True)
class StartedAnswer:
    """Whether it was begun in the background, and about how many objects, of how many bytes, wait to be packed."""

    started: bool
    loose: int
    loose_bytes: int


def maintain_when_due(invocation: Invocation, workspace: Workspace) -> StartedAnswer:
    """Begin maintenance where much waits to be packed and nobody began it lately. Raises ``OSError``."""
    from gitmem.store.maintenance import estimate_loose  # noqa: PLC0415 (only after a write)

    found, started = estimate_loose(workspace.repo), False
    if found.are_many:
        from gitmem.runtime.maintain import begin, rests  # noqa: PLC0415 (hardly ever)

        if not rests(workspace.repo):
            begin(workspace.repo)
            _start(invocation, workspace)
            started = True
    return StartedAnswer(started, found.objects, found.bytes)


def _start(invocation: Invocation, workspace: Workspace) -> None:
    """Start ``gitmem maintain --background``; what it says goes to ``.git/gitmem/log/maintain.log``, anew each time."""
    from gitmem.runtime.maintain import LOG  # noqa: PLC0415 (only here)

    folder = workspace.repo.gitmem_dir / "log"
    folder.mkdir(mode=0o700, exist_ok=True)
    settings = [word for key, value in invocation.overrides.items() for word in ("-c", f"{key}={value}")]
    root = str(workspace.repo.path.resolve())
    # without -P it would import from whatever folder it is started in
    command = [sys.executable, "-P", "-m", "gitmem_cli", "-C", root, *settings, "maintain", "--background"]
    with os.fdopen(os.open(folder / LOG, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as log:
        subprocess.Popen(  # noqa: S603 (this program itself)
            command,
            env=dict(invocation.environ),
            cwd=root,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )


def offer(invocation: Invocation, workspace: Workspace) -> None:
    """Begin it after a command that wrote; the command is done whether or not this can be."""
    if not workspace.config.maintain_auto:
        return
    try:
        maintain_when_due(invocation, workspace)
    except OSError as error:
        render.warning(f"maintenance could not be begun in the background: {error}")
