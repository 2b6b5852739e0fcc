"""Moving refs inside ``packed-refs``: one file for thousands, instead of a file each that is packed afterwards."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

from gitmem.errors import Code, Conflict
from gitmem.store import durability

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from gitmem.store.refs import RefMove
    from gitmem.store.repository import Repo

HEADER = "# pack-refs with: peeled fully-peeled sorted "
"""What git and libgit2 write: tags have a second line with what they lead to, and lines are in the order of names."""

_FILE_MODE = 0o600


def move_packed(repo: Repo, moves: Sequence[RefMove]) -> list[RefMove]:
    """Move all refs that no file of their own stands for, at once; gives those that are left to be moved one by one.

    Left are deletions, refs with a file, and everything where another program holds ``packed-refs``, or wrote it in an
    older form. Raises ``Conflict`` (``CONCURRENT_UPDATE``) when a packed ref has another value; none has moved then.
    """
    with _locked(repo) as lock:
        known = None if lock is None else _read(repo.common_dir / "packed-refs")
        if lock is None or known is None:
            return list(moves)
        left = []
        folders = {folder for name in known for folder in _folders(name)}
        for move in moves:
            in_the_way = move.name in folders or any(folder in known for folder in _folders(move.name))
            if move.new is None or in_the_way or _stands_in_files(repo, move.name):
                left.append(move)
                continue
            if known.get(move.name, "").partition("\n")[0] != (move.old or ""):
                message = f"{move.name} was moved by somebody else meanwhile; try again"
                raise Conflict(Code.CONCURRENT_UPDATE, message, details={"ref": move.name})
            known[move.name] = move.new
        if len(left) < len(moves):
            _write(lock, repo.common_dir / "packed-refs", known, fsync=repo.fsync)
    return left


@contextlib.contextmanager
def _locked(repo: Repo) -> Iterator[Path | None]:
    """Hold git's own lock on the file; ``None`` when another program does."""
    path = repo.common_dir / "packed-refs.lock"
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _FILE_MODE))
    except FileExistsError:
        yield None
        return
    try:
        yield path
    finally:
        path.unlink(missing_ok=True)


def _read(path: Path) -> dict[str, str] | None:
    """Each packed ref's value, with a tag's second line after an LF; ``None`` for a file in another form."""
    try:
        lines = path.read_text("utf-8", "surrogateescape").split("\n")
    except FileNotFoundError:
        return {}
    if lines[0].split(" ")[:3] != ["#", "pack-refs", "with:"] or "fully-peeled" not in lines[0].split(" "):
        return None
    known: dict[str, str] = {}
    name = ""
    for line in lines[1:]:
        if line.startswith("^"):
            known[name] += f"\n{line}"
        elif line:
            oid, _, name = line.partition(" ")
            known[name] = oid
    return known


def _write(lock: Path, path: Path, known: dict[str, str], *, fsync: bool) -> None:
    ordered = sorted(known, key=lambda name: name.encode("utf-8", "surrogateescape"))
    entries = (known[name].partition("\n") for name in ordered)
    lines = (f"{oid} {name}{gap}{peeled}" for name, (oid, gap, peeled) in zip(ordered, entries, strict=True))
    with lock.open("wb") as file:
        file.write("".join(f"{line}\n" for line in (HEADER, *lines)).encode("utf-8", "surrogateescape"))
        file.flush()
        if fsync:
            os.fsync(file.fileno())
    lock.replace(path)
    if fsync:
        durability.flush_folders([path.parent])


def _stands_in_files(repo: Repo, name: str) -> bool:
    """Whether a file, a folder or a lock stands where the ref's own file would, or a file where its folder would."""
    path = repo.common_dir / name
    if path.exists() or path.with_name(f"{path.name}.lock").exists():
        return True
    return not path.parent.is_dir() and any(folder.is_file() for folder in path.parents)


def _folders(name: str) -> Iterator[str]:
    """The folders that a ref's file would stand in, deepest first."""
    while "/" in name:
        name = name.rpartition("/")[0]
        yield name
