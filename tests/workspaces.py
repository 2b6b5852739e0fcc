"""Small real workspaces for tests, their state as one value, and a process that dies in the middle of a write."""

from __future__ import annotations

import atexit
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from gitmem.authority import IN_PERSON
from gitmem.config import Config
from gitmem.request import Person
from gitmem.workspace import Caller, Workspace

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ME = Caller(Person("Test", "test@example.invalid"), authority=IN_PERSON)
QUICK = Config(fsync=False, lock_timeout=5.0)
"""Settings of tests that are not about flushing."""

ALLOWED_TO_CHANGE = ("write.lock", "index.sqlite", "turns.sqlite", "status.json", "events.jsonl")
"""Runtime state that a refusal may touch (``architecture.md`` section 3); a writer's is told as an event (10.9)."""


def make(path: Path, *, bare: bool = False, adopt: Path | None = None) -> Workspace:
    """A new workspace, empty or with the topics and archives of a folder."""
    if adopt is None:
        shutil.copytree(_empty(bare=bare), path, symlinks=True, dirs_exist_ok=True)
    else:
        Workspace.create(path, ME, QUICK, bare=bare, adopt=adopt)
    return Workspace.open(path, ME, QUICK)


@cache
def _empty(*, bare: bool) -> Path:
    """An empty workspace to copy, which takes a third of the time of making one; nobody writes to it."""
    folder = Path(tempfile.mkdtemp(prefix="gitmem-empty-"))
    atexit.register(shutil.rmtree, folder)
    Workspace.create(folder / "w", ME, QUICK, bare=bare)
    return folder / "w"


def reopened(path: Path) -> Workspace:
    """The workspace as another process would open it."""
    return Workspace.open(path, ME, QUICK)


def state(folder: Path) -> Mapping[str, str]:
    """Every file below a workspace with a digest of mode and bytes: refs, HEAD, index, objects, working directory.

    Left out is what a refused transaction may change.
    """
    return dict(sorted(_digests(folder)))


def _digests(folder: Path) -> Iterator[tuple[str, str]]:
    for root, _folders, names in os.walk(folder):
        for name in names:
            path = Path(root) / name
            if path.parent.name == "gitmem" and name.startswith(ALLOWED_TO_CHANGE):
                continue
            content = str(path.readlink()).encode() if path.is_symlink() else path.read_bytes()
            digest = hashlib.sha256(content).hexdigest()[:16]
            yield str(path.relative_to(folder)), f"{path.lstat().st_mode:o} {digest}"


_UNDERTAKER = """
import json, os, signal, sys
from pathlib import Path
from gitmem.config import Config
from gitmem.request import Person
from gitmem.transaction import commit
from gitmem.transaction.options import Options
from gitmem.workspace import Caller, Workspace

def write(folder, step, how, text):
    def die(name):
        if name == step:
            os.write(reached, b"reached")
            if how == "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            os._exit(9)

    workspace = Workspace.open(Path(folder), Caller(Person("Test", "test@example.invalid")), Config(fsync=False))
    workspace.options = Options(on_step=die)
    if text is None:
        workspace.commit_edits()
    else:
        workspace.remember(text, "people/ada.md", time="2024-03-15")
    os.write(reached, b"done")

for line in sys.stdin:
    answer, reached = os.pipe()
    if os.fork() == 0:
        try:
            write(*json.loads(line))
        finally:
            os._exit(1)
    os.close(reached)
    os.wait()
    print(os.read(answer, 20).decode() or "failed", flush=True)
    os.close(answer)
"""


class Undertaker:
    """Runs writers that die: one process that has everything loaded, and forks a writer for each death."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", _UNDERTAKER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def remember_and_die(self, folder: Path, step: str, how: str, text: str) -> str:
        """Remember a claim in a process that dies at the step: ``reached``, or ``done`` when it was never reached."""
        return self._order(folder, step, how, text)

    def commit_and_die(self, folder: Path, step: str, how: str) -> str:
        """Commit the hand edits in such a process; ``failed`` when they are refused before the step."""
        return self._order(folder, step, how, None)

    def _order(self, folder: Path, step: str, how: str, text: str | None) -> str:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([str(folder), step, how, text]) + "\n")
        self._process.stdin.flush()
        return self._process.stdout.readline().strip()

    def close(self) -> None:
        self._process.communicate()
