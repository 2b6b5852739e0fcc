"""Running an agent's command: text in, its last words out, and an end to it after a while, whatever it does."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING

from gitmem.writer import command_guard

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

LAST_BYTES = 65_536
"""How much is kept of what a command prints: the end of it."""

_LOOK_SECONDS = 0.05
_GRACE_SECONDS = 2.0
_REST_SECONDS = 1.0
_CHUNK = 65_536


@dataclass(frozen=True, slots=True)
class Ran:
    """How a command ended. ``status`` is ``None`` when it was out of time; ``out`` and ``err`` are the ends of both."""

    status: int | None
    out: str
    err: str


def run(command: Sequence[str], folder: Path, environment: Mapping[str, str], said: bytes, seconds: float) -> Ran:
    """Run a command in a folder, with ``said`` on its standard input, for so many seconds at most.

    It leads a group of processes, and when this returns or raises nothing of that group runs any more. Should this very
    process be killed, they go with it. Raises ``OSError`` when it cannot be started.
    """
    with _started(command, folder, environment) as process:
        talk = _Talk(process, said)
        try:
            ended = talk.until(time.monotonic() + seconds)
            if not ended:
                os.killpg(process.pid, signal.SIGTERM)
                talk.until(time.monotonic() + _GRACE_SECONDS)
        finally:
            _end(process)
            talk.close()
        return Ran(process.returncode if ended else None, talk.text(process.stdout), talk.text(process.stderr))


@contextmanager
def _started(command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """The process, which dies with this one: the guard that runs it sees the pipe break."""
    broken, held = os.pipe()
    try:
        process = subprocess.Popen(  # noqa: S603  (the command that the settings name, without a shell)
            _guarded(command, broken),
            cwd=folder,
            env=dict(environment),
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            pass_fds=(broken,),
        )
        yield process
    finally:
        os.close(broken)
        os.close(held)


def _guarded(command: Sequence[str], broken: int) -> list[str]:
    """The guard with the command; the command alone in a frozen program, which holds no interpreter to run it with."""
    if getattr(sys, "frozen", False) or not sys.executable:
        return list(command)
    return [sys.executable, "-I", "-S", str(Path(command_guard.__file__)), str(broken), *command]


def _end(process: subprocess.Popen[bytes]) -> None:
    """Leave nothing of the group running."""
    with suppress(ProcessLookupError, PermissionError):  # nobody is left; a system may also answer so for the dead
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@dataclass(slots=True)
class _Talk:
    """Both directions at once, so that neither side waits for the other for ever."""

    process: subprocess.Popen[bytes]
    said: bytes
    _pipes: selectors.BaseSelector = field(default_factory=selectors.DefaultSelector)
    _last: dict[IO[bytes] | None, bytearray] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for pipe in (self.process.stdout, self.process.stderr):
            if pipe is not None:
                self._last[pipe] = bytearray()
                self._add(pipe, selectors.EVENT_READ)
        if self.process.stdin is not None:
            self._add(self.process.stdin, selectors.EVENT_WRITE)

    def until(self, deadline: float) -> bool:
        """Talk until the process has ended; whether it did before the deadline."""
        while self.process.poll() is None:
            if time.monotonic() > deadline:
                return False
            self._once(_LOOK_SECONDS)
        return True

    def close(self) -> None:
        """Take what still waits, and close every pipe, also one that a process outside of the group still fills."""
        deadline = time.monotonic() + _REST_SECONDS
        while self._pipes.get_map() and time.monotonic() < deadline and self._once(0):
            pass
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        self._pipes.close()

    def text(self, pipe: IO[bytes] | None) -> str:
        """The end of what came through."""
        return bytes(self._last.get(pipe, b"")).decode("utf-8", "replace")

    def _add(self, pipe: IO[bytes], event: int) -> None:
        os.set_blocking(pipe.fileno(), False)
        self._pipes.register(pipe, event)

    def _once(self, seconds: float) -> bool:
        """Whether anything moved."""
        if not self._pipes.get_map():
            time.sleep(seconds)
            return False
        ready = [key.fileobj for key, _ in self._pipes.select(seconds)]
        for pipe in ready:
            if pipe is self.process.stdin:
                self._write(self.process.stdin)
            elif pipe is self.process.stdout or pipe is self.process.stderr:
                self._read(pipe)
        return bool(ready)

    def _read(self, pipe: IO[bytes]) -> None:
        data = os.read(pipe.fileno(), _CHUNK)
        last = self._last[pipe]
        last += data
        del last[:-LAST_BYTES]
        if not data:
            self._pipes.unregister(pipe)

    def _write(self, pipe: IO[bytes]) -> None:
        try:
            self.said = self.said[os.write(pipe.fileno(), self.said[:_CHUNK]) :]
        except BrokenPipeError:  # it reads no further, which is its own affair
            self.said = b""
        if not self.said:
            self._pipes.unregister(pipe)
            with suppress(BrokenPipeError):
                pipe.close()
