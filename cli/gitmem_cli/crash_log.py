"""Where the traceback of a bug goes: a private file of its own, never the terminal."""

from __future__ import annotations

import logging
import os
import tempfile
import time
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class CrashLogs(logging.Handler):
    """Keeps the tracebacks of what the library survives; ``say`` is told where each went."""

    def __init__(self, environ: Mapping[str, str], say: Callable[[str], None]) -> None:
        """Write to the folders that ``write_crash_log`` writes to."""
        super().__init__(logging.ERROR)
        self._environ, self._say = environ, say

    def emit(self, record: logging.LogRecord) -> None:
        """Write one down."""
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, Exception) and (path := write_crash_log(error, self._environ)):
            self._say(f"{record.getMessage()} ({type(error).__name__}); {path} says more")


def write_crash_log(error: Exception, environ: Mapping[str, str]) -> Path | None:
    """Write the traceback to ``~/.gitmem/log/``, else to the system's temporary folder, readable by its owner only.

    Returns the file, or ``None`` where neither can be written.
    """
    from gitmem.checks.secret_masking import masked  # noqa: PLC0415 (needed once in a lifetime)

    text = masked("".join(traceback.format_exception(error))).encode("utf-8", "backslashreplace")
    name = time.strftime("crash-%Y%m%dT%H%M%SZ-", time.gmtime())
    for folder in _folders(environ):
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            descriptor, path = tempfile.mkstemp(prefix=name, suffix=".log", dir=folder)
            with os.fdopen(descriptor, "wb") as file:
                file.write(text)
        except OSError:
            continue
        return Path(path)
    return None


def _folders(environ: Mapping[str, str]) -> list[Path]:
    home = environ.get("HOME")
    usual = [Path(home) / ".gitmem" / "log"] if home else []
    return [*usual, Path(tempfile.gettempdir())]
