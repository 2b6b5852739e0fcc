"""Looking at conversations again and again, each time as things are then."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from gitmem.errors import Disabled, GitmemError
from gitmem_cli import render
from gitmem_cli.opening import open_workspace

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.runtime.watcher import Done
    from gitmem_cli.invocation import Invocation


class Looking:
    """Looks with the settings of the moment; what passes by itself is said, and does not end it."""

    def __init__(self, invocation: Invocation) -> None:
        """Nothing was looked at yet."""
        self._invocation = invocation
        self._looked = self._is_off = False

    def look(self) -> Iterator[Done]:
        """Look once, in a workspace opened for it. Raises what does not pass, and ``Disabled`` at the first look."""
        try:
            command = click.get_current_context()
            with click.Context(command.command, parent=command):  # which closes the workspace
                workspace = open_workspace(replace(self._invocation))
                self._is_off = False
                yield from workspace.watch_once()
        except Disabled as off:
            if not self._looked:
                raise
            self._say_once(off)
        except GitmemError as error:
            if not error.retryable:
                raise
            render.warning(f"{error.message} [{error.code}]; the next look is in five minutes")
        self._looked = True

    def _say_once(self, off: Disabled) -> None:
        if not self._is_off:
            render.warning(off.message)
        self._is_off = True
