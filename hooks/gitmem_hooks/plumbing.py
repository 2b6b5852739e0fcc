"""Git's own programs, as they see the repository that runs the hook; three of them start faster than libgit2 loads."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

from gitmem.errors import Code, NotFound, Unavailable
from gitmem.ids import Oid

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.format.model import Archive, Topic

EMPTY_TREE = Oid("4b825dc642cb6eb9a060e54bf8d69288fbee4904")
_ITEM = re.compile(rb"([0-7]+) ([^\0]+)\0(.{20})", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Places:
    """This worktree's git directory, and the one that all worktrees share."""

    own: Path
    shared: Path

    @property
    def catalogue(self) -> Path:
        """Where this worktree's catalogue stands."""
        name = "index" if self.own == self.shared else f"index-{self.own.name}"
        return self.shared / "gitmem" / f"{name}.sqlite"


class Plumbing:
    """Asks git in the current folder, with the variables that git gave the hook: its index is the right one."""

    def __init__(self) -> None:
        """Start nothing yet."""
        self._batch: subprocess.Popen[bytes] | None = None
        self.topics: dict[tuple[str, Oid], Topic] = {}
        self.archives: dict[tuple[str, Oid], Archive] = {}

    def ask(self, *arguments: str) -> bytes:
        """What git prints. Raises ``Unavailable`` (``GIT_UNAVAILABLE``) when it fails."""
        command = ["git", *arguments]
        done = subprocess.run(command, capture_output=True, check=False)  # noqa: S603 (arguments are ours)
        if done.returncode != 0:
            said = done.stderr.decode("utf-8", "replace").strip().removeprefix("fatal: ")
            raise Unavailable(Code.GIT_UNAVAILABLE, f"git {arguments[0]} failed: {said}")
        return done.stdout

    def places(self) -> Places:
        """Where the repository stands."""
        own, shared = self.ask("rev-parse", "--git-dir", "--git-common-dir").removesuffix(b"\n").split(b"\n")
        return Places(
            *(Path.cwd().joinpath(name.decode("utf-8", "surrogateescape")).resolve() for name in (own, shared))
        )

    def object(self, name: str) -> tuple[Oid, bytes] | None:
        """The id and the bytes of what git calls so; ``None``: there is no such thing. The name holds no line end."""
        asked, told = self._pipes()
        asked.write(f"{name}\n".encode("utf-8", "surrogateescape"))
        asked.flush()
        answer = told.readline().split()
        if len(answer) != 3 or not answer[2].isdigit():  # noqa: PLR2004 (id, kind and size; else "missing")
            return None
        data = told.read(int(answer[2]))
        told.read(1)
        return Oid(answer[0].decode()), data

    def children(self, tree: Oid) -> Iterator[tuple[str, Oid, int]]:
        """Names, ids and modes of what stands directly in a tree."""
        found = self.object(tree) if tree != EMPTY_TREE else None
        for mode, name, oid in _ITEM.findall(found[1] if found is not None else b""):
            yield name.decode("utf-8", "surrogateescape"), Oid(oid.hex()), int(mode, 8)

    def close(self) -> None:
        """Let go of the process that reads objects."""
        if self._batch is not None:
            self._batch.communicate()
            self._batch = None

    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        if self._batch is None:
            command = ["git", "cat-file", "--batch"]
            self._batch = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603 (arguments are ours)
        if self._batch.stdin is None or self._batch.stdout is None:
            raise BrokenPipeError
        return self._batch.stdin, self._batch.stdout


def require_workspace(plumbing: Plumbing, places: Places) -> None:
    """Raise ``NotFound`` (``WORKSPACE_NOT_FOUND``) where HEAD tracks no memory and none was begun."""
    begun = plumbing.object("HEAD") is None and (places.shared / "gitmem").is_dir()
    if not begun and plumbing.object("HEAD:.gitmem") is None:
        raise NotFound(Code.WORKSPACE_NOT_FOUND, "this repository holds no memory")
