"""The standard streams of this process: always there, and failing in one way only (``cli.md``)."""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class OutputError(OSError):
    """Standard output takes no more, and not because its reader went away."""


class _Output(io.FileIO):
    """Standard output, whose failures are told from those of other files."""

    def write(self, data: ReadableBuffer, /) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise OutputError(error.errno, error.strerror) from error


class _Messages(io.FileIO):
    """Standard error: what it does not take is lost, and changes nothing else."""

    def write(self, data: ReadableBuffer, /) -> int:
        try:
            return super().write(data)
        except OSError:
            return memoryview(data).nbytes


def settle() -> None:
    """Replace the process's streams: closed ones lead nowhere, and what an encoding cannot hold is escaped."""
    if sys.stdin is None:
        sys.stdin = open(_nowhere(0), encoding="utf-8")  # noqa: SIM115 (as long as the process)
    sys.stdout = _text(sys.stdout, 1, _Output)
    sys.stderr = _text(sys.stderr, 2, _Messages)


def forget_output() -> None:
    """Point standard output nowhere: Python flushes it once more at exit, and nobody takes it."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    except (OSError, ValueError):
        return


def _text(stream: object, number: int, kind: type[io.FileIO]) -> io.TextIOWrapper:
    if isinstance(stream, io.TextIOWrapper):
        stream.flush()
        raw = kind(stream.fileno(), "wb", closefd=False)
        encoding, by_line = stream.encoding, stream.line_buffering
    else:
        raw, encoding, by_line = kind(_nowhere(number), "wb", closefd=False), "utf-8", False
    return io.TextIOWrapper(
        io.BufferedWriter(raw), encoding=encoding, errors="backslashreplace", line_buffering=by_line
    )


def _nowhere(number: int) -> int:
    """A descriptor that leads nowhere: the standard one if it is free, so that no file of ours gets its number."""
    opened = os.open(os.devnull, os.O_RDWR)
    try:
        os.fstat(number)
    except OSError:
        os.dup2(opened, number)
        os.close(opened)
        return number
    if opened == number:
        os.set_inheritable(opened, True)  # noqa: FBT003 (positional only)
    return opened
