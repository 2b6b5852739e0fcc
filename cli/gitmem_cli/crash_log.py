"""Where the traceback of a bug goes: a private file of its own, never the terminal."""

from __future__ import annotations

import os
import tempfile
import time
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


def write_crash_log(error: Exception, environ: Mapping[str, str]) -> Path | None:
    """Write the traceback to ``~/.gitmem/log/``, else to the system's temporary folder, readable by its owner only.

    Returns the file, or ``None`` where neither can be written.
    """
    text = "".join(traceback.format_exception(error)).encode("utf-8", "backslashreplace")
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
