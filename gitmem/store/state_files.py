"""Small files of runtime state in ``.git/gitmem``: whole or not at all, for their owner alone (12.4, 14.2)."""

from __future__ import annotations

import os
from pathlib import Path


def write_state(path: Path, data: bytes) -> None:
    """Replace a file in one step; its folder is made if it is not there. Raises ``OSError``; no temporary file stays.

    The temporary name holds the process's number, so that two processes never write into one file.
    """
    path.parent.mkdir(mode=0o700, exist_ok=True)
    temporary = path.with_name(f"{path.name}-{os.getpid()}")
    try:
        temporary.touch(0o600)
        temporary.write_bytes(data)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def read_state(path: Path) -> bytes | None:
    """Give a file's bytes; ``None`` when there is none. Raises ``OSError`` when it cannot be read."""
    try:
        return Path(path).read_bytes()
    except FileNotFoundError:
        return None
