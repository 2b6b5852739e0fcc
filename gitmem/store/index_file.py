"""Git's index file, read and rewritten by splicing: only the changed entries are touched (section 7).

Reading it through libgit2 costs ten times as much at 10,000 files, and cannot set an entry's stat data, without which
every later `git status` would read the file again. Versions 2 and 3 are written as they were; version 4 becomes 2 or
3. The cached tree ids follow where they can; other optional extensions are dropped, and git makes them anew.
"""

from __future__ import annotations

import hashlib
import struct
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from gitmem.errors import Code, Unavailable
from gitmem.ids import Oid
from gitmem.store.index_layout import (
    COMPRESSED,
    EXTENDED,
    HASH_LENGTH,
    HEADER,
    NAME_MASK,
    PLAIN,
    STAGE_MASK,
    WITH_FLAGS,
    Entries,
    expanded,
    extensions,
)
from gitmem.store.index_trees import TreeCache

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from gitmem.store.snapshot import Snapshot

_FIXED = struct.Struct(">10I20sH")
_STAT = struct.Struct(">10I")
_STAGE_SHIFT = 12
_SKIP_WORKTREE = 0x4000
_WORD = 0xFFFFFFFF
DAMAGED = "it is damaged or of an unknown version; `git reset` writes it anew"
_SPLIT = "it is split; `git update-index --no-split-index` makes it one file again"
_SPARSE = "it is sparse; `git sparse-checkout reapply --no-sparse-index` makes it full again"
_UNKNOWN_EXTENSION = "it needs an extension that gitmem does not know"


def _sealed(data: bytes | bytearray) -> bytes:
    return bytes(data) + hashlib.sha1(data, usedforsecurity=False).digest()


EMPTY_INDEX = _sealed(HEADER.pack(b"DIRC", PLAIN, 0))
"""The index of a repository without files."""


@dataclass(frozen=True, slots=True)
class FileStat:
    """What the index remembers of a file on disk, each number cut to 32 bits; all zero: look at the content."""

    ctime: tuple[int, int] = (0, 0)
    mtime: tuple[int, int] = (0, 0)
    dev: int = 0
    ino: int = 0
    uid: int = 0
    gid: int = 0
    size: int = 0

    @classmethod
    def of(cls, found: os.stat_result) -> FileStat:
        """The remembered form of a stat result."""
        ctime, mtime = divmod(found.st_ctime_ns, 10**9), divmod(found.st_mtime_ns, 10**9)
        numbers = (found.st_dev, found.st_ino, found.st_uid, found.st_gid, found.st_size)
        return cls((ctime[0] & _WORD, ctime[1]), (mtime[0] & _WORD, mtime[1]), *(number & _WORD for number in numbers))

    def packed(self, mode: int) -> bytes:
        """The ten numbers of an entry."""
        return _STAT.pack(*self.ctime, *self.mtime, self.dev, self.ino, mode, self.uid, self.gid, self.size)


UNKNOWN = FileStat()


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """One entry; ``stage`` is not 0 in a conflict, ``skip_worktree`` marks what a sparse checkout omits."""

    path: str
    oid: Oid
    mode: int
    stat: FileStat = UNKNOWN
    stage: int = 0
    skip_worktree: bool = False


class IndexFile:
    """The entries of one index file. Raises ``Unavailable`` for a split, sparse or damaged index."""

    def __init__(self, data: bytes = EMPTY_INDEX) -> None:
        """Take the file's bytes apart; entries are decoded when they are asked for."""
        signature, version, count = HEADER.unpack_from(data) if len(data) > HEADER.size else (b"", 0, 0)
        if signature != b"DIRC" or version not in {PLAIN, WITH_FLAGS, COMPRESSED}:
            raise _unreadable(DAMAGED)
        body = data[:-HASH_LENGTH]  # the checksum is git fsck's to verify: git itself does not on reading
        try:
            if version == COMPRESSED:
                body, version = expanded(body, count)
            self._entries = Entries(body, version, count)
        except (IndexError, ValueError) as error:
            raise _unreadable(DAMAGED) from error
        self._data, self._version = body, version
        self._found: dict[str, IndexEntry | None] = {}
        self._extensions = dict(extensions(body, self._entries.end))
        _refuse_unknown(self._extensions)

    @classmethod
    def load(cls, path: Path) -> IndexFile:
        """Read an index file; an absent one is empty."""
        try:
            return cls(path.read_bytes())
        except FileNotFoundError:
            return cls()

    def __len__(self) -> int:
        """How many entries there are, conflicted ones once for each stage."""
        return self._entries.count

    def entry(self, path: str) -> IndexEntry | None:
        """The entry of the path; one in conflict is given at its lowest stage."""
        if path not in self._found:
            name = _encoded(path)
            offset = self._entries.find(name)
            stands = offset < self._entries.end and self._entries.name(offset) == name
            self._found[path] = self._entry(offset) if stands else None
        return self._found[path]

    def entries(self) -> Iterator[IndexEntry]:
        """Every entry in git's order, conflicted ones once for each stage."""
        return map(self._entry, self._entries)

    def in_the_way(self, path: str) -> Iterator[str]:
        """Files above or below the path, with which it cannot stand in one tree."""
        yield from (str(folder) for folder in PurePosixPath(path).parents if self.entry(str(folder)) is not None)
        below = _encoded(f"{path}/")
        offset = self._entries.find(below)
        while offset < self._entries.end and self._entries.name(offset).startswith(below):
            yield self._entry(offset).path
            offset = self._entries.after(offset)

    def edited(
        self, changes: Mapping[str, IndexEntry | None], move: tuple[Snapshot, Snapshot] | None = None
    ) -> NewIndex:
        """The file with these entries put in or (``None``) taken out, of every stage.

        ``move`` says that the changes are exactly the difference of two trees: where the cached tree ids say that the
        index was the first, they say afterwards that it is the second.
        """
        body, positions, count, before = bytearray(HEADER.size), {}, len(self), HEADER.size
        for name, entry in sorted((_encoded(path), entry) for path, entry in changes.items()):
            first = last = self._entries.find(name)
            while last < self._entries.end and self._entries.name(last) == name:
                last = self._entries.after(last)
                count -= 1
            body += self._data[before:first]
            if entry is not None:
                positions[entry.path] = len(body)
                body += _packed(name, entry)
                count += 1
            before = last
        body += self._data[before : self._entries.end]
        version = WITH_FLAGS if any(e and e.skip_worktree for e in changes.values()) else self._version
        HEADER.pack_into(body, 0, b"DIRC", version, count)
        cache = TreeCache.read(self._extensions.get(b"TREE"), empty=not len(self))
        cache.follow(set(changes), move)
        body += cache.written()
        return NewIndex(body, positions)

    def _entry(self, offset: int) -> IndexEntry:
        c_s, c_n, m_s, m_n, dev, ino, mode, uid, gid, size, oid, flags = _FIXED.unpack_from(self._data, offset)
        more = int.from_bytes(self._data[offset + 62 : offset + 64], "big") if flags & EXTENDED else 0
        return IndexEntry(
            path=self._entries.name(offset).decode("utf-8", "surrogateescape"),
            oid=Oid(oid.hex()),
            mode=mode,
            stat=FileStat((c_s, c_n), (m_s, m_n), dev, ino, uid, gid, size),
            stage=(flags & STAGE_MASK) >> _STAGE_SHIFT,
            skip_worktree=bool(more & _SKIP_WORKTREE),
        )


class NewIndex:
    """An index file that is being written: the stat data of its new entries may still be filled in."""

    def __init__(self, body: bytearray, positions: Mapping[str, int]) -> None:
        """Take the file without its checksum, and where the new entries stand in it."""
        self._body = body
        self._positions = positions

    def set_stat(self, path: str, stat: FileStat) -> None:
        """Remember what the new entry's file looks like on disk."""
        offset = self._positions[path]
        mode = _STAT.unpack_from(self._body, offset)[6]
        self._body[offset : offset + _STAT.size] = stat.packed(mode)

    def draft(self) -> bytes:
        """As many bytes as ``data`` will give, without the checksum: to make sure that there is room for them."""
        return bytes(self._body) + bytes(HASH_LENGTH)

    def data(self) -> bytes:
        """The file's bytes."""
        return _sealed(self._body)


def _encoded(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")


def _packed(name: bytes, entry: IndexEntry) -> bytes:
    flags = min(len(name), NAME_MASK) | (EXTENDED if entry.skip_worktree else 0)
    more = struct.pack(">H", _SKIP_WORKTREE) if entry.skip_worktree else b""
    body = entry.stat.packed(entry.mode) + bytes.fromhex(entry.oid) + struct.pack(">H", flags) + more + name
    return body + bytes(8 - len(body) % 8)


def _refuse_unknown(extensions: Mapping[bytes, bytes]) -> None:
    if b"link" in extensions:
        raise _unreadable(_SPLIT)
    if b"sdir" in extensions:
        raise _unreadable(_SPARSE)
    if any(not name[:1].isupper() for name in extensions):
        raise _unreadable(_UNKNOWN_EXTENSION)


def _unreadable(reason: str) -> Unavailable:
    return Unavailable(Code.STORAGE_UNAVAILABLE, f"gitmem cannot read the git index: {reason}")
