"""What is to be run by itself, and what was installed for it."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gitmem.errors import Code, Refused

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True, slots=True)
class Job:
    """The watcher of one workspace: ``command`` runs gitmem on it, and wants ``watch`` and its options after it."""

    workspace_id: str
    root: Path
    command: tuple[str, ...]
    environ: Mapping[str, str]

    @property
    def name(self) -> str:
        """The job's name; of two clones only one has it."""
        return f"gitmem-watch-{self.workspace_id}"

    @property
    def remove(self) -> str:
        """The command that removes the job, as one types it."""
        return f"gitmem -C {shlex.quote(str(self.root))} watch --uninstall"

    def refuse_if_of(self, other: str | None) -> None:
        """Raise ``Refused`` when the job that is installed watches another folder, which is still there."""
        if other is not None and Path(other) != self.root and Path(other).is_dir():
            message = (
                f"{self.name} watches {other}, which holds the same memory: `gitmem -C {shlex.quote(other)} watch "
                "--uninstall` removes it, and then this one can be installed"
            )
            raise Refused(Code.WRITER_PRECONDITION_FAILED, message)


@dataclass(frozen=True, slots=True)
class Installed:
    """What runs the job now.

    ``kind`` is ``systemd`` or ``crontab``, ``path`` the unit that was written, ``line`` the crontab's; ``remove`` is
    the command that takes it away. ``changed``: it was not there before as it is now.
    """

    ok: bool
    kind: str
    name: str
    path: str | None
    line: str | None
    changed: bool
    remove: str


@dataclass(frozen=True, slots=True)
class Ran:
    """How a program ended."""

    status: int
    out: bytes
    err: str


def has(program: str, environ: Mapping[str, str]) -> bool:
    """Whether a program can be found."""
    return shutil.which(program, path=environ.get("PATH")) is not None


def run(command: Sequence[str], environ: Mapping[str, str], given: bytes = b"") -> Ran:
    """Run a program, found on ``PATH``, in a language that can be compared. Raises ``Refused`` when it is not there."""
    path = shutil.which(command[0], path=environ.get("PATH"))
    if path is None:
        raise Refused(Code.WRITER_PRECONDITION_FAILED, f"{command[0]} is not on PATH")
    done = subprocess.run(  # noqa: S603 (arguments are ours, and no shell reads them)
        [path, *command[1:]], env={**environ, "LC_ALL": "C"}, input=given, capture_output=True, check=False
    )
    return Ran(done.returncode, done.stdout, done.stderr.decode("utf-8", "replace").strip())


def must(ran: Ran, what: str) -> None:
    """Raise ``Refused`` when a program failed; ``what`` says what it should have done."""
    if ran.status:
        message = f"{what} failed: {ran.err or f'it ended with status {ran.status}'}"
        raise Refused(Code.WRITER_PRECONDITION_FAILED, message)
