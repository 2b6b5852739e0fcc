"""Running until somebody says stop, without leaving anything half done."""

from __future__ import annotations

import os
import signal
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from gitmem_cli.errors import EXIT_INTERRUPTED

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

_HINT = b"finishing what is being written; Ctrl-C again ends at once\n"


class Stopped(Exception):
    """Somebody asked to stop while nothing was being done."""


class Stop:
    """Ends a program between two things that it does: SIGTERM and Ctrl-C ask for it, a second Ctrl-C insists.

    ``status`` is the exit code once it was asked for: 0 for SIGTERM, 130 for Ctrl-C.
    """

    def __init__(self) -> None:
        """Nobody asked yet."""
        self.status: int | None = None
        self._sleeping = False

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Take the signals while the block runs."""
        before = {number: signal.signal(number, self._asked) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def sleep(self, seconds: float) -> None:
        """Wait. Raises ``Stopped`` when somebody asks to stop, or did before."""
        self._sleeping = True
        try:
            if self.status is not None:
                raise Stopped
            time.sleep(seconds)
        finally:
            self._sleeping = False

    def _asked(self, number: int, _frame: FrameType | None) -> None:
        if self.status is not None and number == signal.SIGINT:
            raise KeyboardInterrupt
        self.status = EXIT_INTERRUPTED if number == signal.SIGINT else 0
        if self._sleeping:
            raise Stopped
        if number == signal.SIGINT:
            with suppress(OSError):
                os.write(2, _HINT)  # whatever was being printed is not gone into again
