"""A bar on standard error for what takes longer than a second, where somebody is looking (``cli.md``).

::

    with progress("Reading", total) as tick:
        for done, name in enumerate(names, start=1):
            ...
            tick(done, detail=name)

In a pipe, a file or a terminal without a cursor there is nothing, and rich is never imported.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock, Timer
from typing import TYPE_CHECKING, Protocol

import click

from gitmem_cli.render import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.progress import Progress, TaskID

PATIENCE = 1.0
"""Seconds after which somebody wants to know whether anything goes on (``cli.md``)."""

_BAR_WIDTH = 24
_BAR_ROOM = _BAR_WIDTH + 16
_LEAST_ROOM = 10
"""Columns: the bar, with the numbers after it, and what is left for a name in any case."""


class Tick(Protocol):
    """Told how far the work has come: cheap enough to call after every item."""

    def __call__(self, done: int, total: int | None = None, detail: str | None = None) -> None:
        """``done`` of ``total`` in any unit, both from the beginning; ``detail`` is what is being worked on.

        What is left out stays as it was. Control characters in ``detail`` are shown, not obeyed.
        """


@contextmanager
def progress(
    label: str, total: int | None = None, *, wait: Callable[[float, Callable[[], None]], Timer] = Timer
) -> Iterator[Tick]:
    """Show a bar after a second, until the block ends; without ``total`` only that something goes on.

    The bar is gone afterwards. Print nothing inside of the block. ``wait`` makes the timer that shows it.
    """
    if not _on_terminal():
        yield _say_nothing
        return
    bar = _Bar(label, total)
    timer = wait(PATIENCE, bar.show)
    timer.daemon = True
    timer.start()
    try:
        yield bar
    finally:
        timer.cancel()
        bar.close()


def _on_terminal() -> bool:
    return sys.stderr.isatty() and os.environ.get("TERM") not in {"dumb", "unknown"}


def _say_nothing(done: int, total: int | None = None, detail: str | None = None) -> None:
    """Nobody is looking."""


@dataclass
class _Bar:
    """How far the work has come, and what shows it: the work and the timer are two threads."""

    label: str
    total: int | None
    done: int = 0
    detail: str | None = None
    _shown: tuple[Progress, TaskID] | None = None
    _closed: bool = False
    _lock: Lock = field(default_factory=Lock)

    def __call__(self, done: int, total: int | None = None, detail: str | None = None) -> None:
        """As ``Tick``."""
        with self._lock:
            self.done = done
            self.total = self.total if total is None else total
            self.detail = self.detail if detail is None else detail
            self._update()

    def show(self) -> None:
        """Begin to show it, unless the work is done."""
        with self._lock:
            if not self._closed and self._shown is None:
                bar = _drawn()
                self._shown = bar, bar.add_task("", total=self.total)
                self._update()
                bar.start()

    def close(self) -> None:
        """Take it away."""
        with self._lock:
            self._closed = True
            if self._shown is not None:
                self._shown[0].stop()

    def _update(self) -> None:
        if self._shown is not None:
            bar, task = self._shown
            text = one_line(f"{self.label} {self.detail or ''}")
            bar.update(task, completed=self.done, total=self.total, description=text)


def _drawn() -> Progress:
    """A bar of rich's, in as many columns as there are; memory and file names may hold what looks like its markup."""
    from rich.console import Console  # noqa: PLC0415 (only what takes long on a terminal pays for it)
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn  # noqa: PLC0415
    from rich.table import Column  # noqa: PLC0415

    context = click.get_current_context(silent=True)
    console = Console(stderr=True, no_color=(context is not None and context.color is False) or None)
    room = Column(no_wrap=True, overflow="ellipsis", max_width=max(_LEAST_ROOM, console.width - _BAR_ROOM))
    name = TextColumn("{task.description}", markup=False, table_column=room)
    columns = (name, BarColumn(_BAR_WIDTH), TaskProgressColumn(), TimeRemainingColumn())
    return Progress(*columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False)
