"""Runs a command and takes it along when gitmem dies; a program of its own, so that nothing of gitmem is loaded.

``guard.py FD COMMAND...``: FD is the reading end of a pipe whose other end only gitmem holds. It is closed when gitmem
ends, however it ends, and then everything in the group of processes is killed, this program included. Its own exit
status is the command's: 128 and the signal when one ended it, 127 or 126 when it could not be started.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading

NOT_THERE, NOT_STARTED = 127, 126
"""The exit statuses of shells for a command that is not there, or that cannot be run."""


def main(arguments: list[str]) -> int:
    """Run it to its end."""
    gitmem, command = int(arguments[0]), arguments[1:]
    signal.signal(signal.SIGTERM, lambda *_: None)  # meant for the command, whose end is waited for
    try:
        child = subprocess.Popen(command)  # noqa: S603  (the command that the settings name, without a shell)
    except OSError as error:
        sys.stderr.write(f"{command[0]}: {error.strerror}\n")
        return NOT_THERE if isinstance(error, FileNotFoundError) else NOT_STARTED
    threading.Thread(target=_die_with, args=(gitmem,), daemon=True).start()
    status = child.wait()
    return status if status >= 0 else 128 - status


def _die_with(gitmem: int) -> None:
    while os.read(gitmem, 1):
        pass
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
