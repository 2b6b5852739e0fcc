"""Writing one git pack and its index, object by object (git's ``pack-format``, version 2, without deltas).

Thousands of small objects as files of their own cost a folder entry, a rename and a block of the disk each; in a pack
they cost their bytes. The next ``git gc`` finds the deltas.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import struct
import zlib
from typing import TYPE_CHECKING, NamedTuple

from gitmem.ids import Oid

if TYPE_CHECKING:
    from pathlib import Path

COMMIT, TREE = 1, 2
_NAMES = {COMMIT: b"commit", TREE: b"tree"}
_HEADER = struct.Struct(">4sII")
_LARGE = 1 << 31
_CHUNK = 1 << 20


class _Entry(NamedTuple):
    offset: int
    crc: int


def object_id(kind: int, data: bytes) -> Oid:
    """Give the id that git gives to an object."""
    return Oid(hashlib.sha1(b"%s %d\0" % (_NAMES[kind], len(data)) + data, usedforsecurity=False).hexdigest())


class PackWriter:
    """A pack that grows in ``folder`` under a temporary name which git's own housekeeping knows, until it is closed."""

    def __init__(self, folder: Path) -> None:
        """Start an empty pack; ``folder`` is ``objects/pack``."""
        self._folder = folder
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._path = folder / f"tmp_pack_{secrets.token_hex(6)}"
        self._file = os.fdopen(os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o444), "w+b")
        self._file.write(_HEADER.pack(b"PACK", 2, 0))
        self._end = _HEADER.size
        self._entries: dict[str, _Entry] = {}

    def add(self, kind: int, oid: Oid, data: bytes) -> None:
        """Append an object whose id is known; one that is there already is not repeated."""
        if oid in self._entries:
            return
        record = _object_header(kind, len(data)) + zlib.compress(data)
        self._file.seek(self._end)
        self._file.write(record)
        self._entries[oid] = _Entry(self._end, zlib.crc32(record))
        self._end += len(record)

    def read(self, oid: str) -> bytes | None:
        """The content of an object of this pack; ``None`` for another."""
        entry = self._entries.get(oid)
        if entry is None:
            return None
        self._file.seek(entry.offset)
        while self._file.read(1)[0] & 0x80:
            pass
        inflate = zlib.decompressobj()
        data = b""
        while not inflate.eof:
            data += inflate.decompress(self._file.read(4096))
        return data

    def close(self) -> None:
        """Put the pack and its index in their place: complete, and unknown to git until both are there."""
        checksum = self._seal()
        name = self._folder / f"pack-{checksum.hex()}"
        index = self._path.with_name(self._path.name.replace("tmp_pack_", "tmp_idx_"))
        with os.fdopen(os.open(index, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o444), "wb") as stream:
            stream.write(_index(self._entries, checksum))
        keep = name.with_suffix(".keep")  # a repacking that sees a pack without its index would remove it
        keep.touch(0o600)
        self._path.replace(name.with_suffix(".pack"))
        index.replace(name.with_suffix(".idx"))
        keep.unlink()

    def discard(self) -> None:
        """Forget everything."""
        self._file.close()
        self._path.unlink(missing_ok=True)

    def _seal(self) -> bytes:
        """Write the true count into the header and the checksum of everything at the end."""
        self._file.seek(0)
        self._file.write(_HEADER.pack(b"PACK", 2, len(self._entries)))
        self._file.seek(0)
        digest = hashlib.sha1(usedforsecurity=False)
        while chunk := self._file.read(_CHUNK):
            digest.update(chunk)
        self._file.write(digest.digest())
        self._file.close()
        return digest.digest()


def _object_header(kind: int, size: int) -> bytes:
    """Kind and size in groups of seven bits, the first group with four of the size."""
    header, size = [(kind << 4) | (size & 0x0F)], size >> 4
    while size:
        header[-1] |= 0x80
        header.append(size & 0x7F)
        size >>= 7
    return bytes(header)


def _index(entries: dict[str, _Entry], checksum: bytes) -> bytes:
    """The index, version 2: a fan-out over the first byte, then ids, checksums and offsets in the order of the ids."""
    oids = sorted(entries)
    counts = [0] * 256
    for oid in oids:
        counts[int(oid[:2], 16)] += 1
    fanout = [sum(counts[: place + 1]) for place in range(256)]
    large = [entries[oid].offset for oid in oids if entries[oid].offset >= _LARGE]
    places = {offset: _LARGE | place for place, offset in enumerate(large)}
    offsets = [places.get(entries[oid].offset, entries[oid].offset) for oid in oids]
    body = b"".join(
        (
            b"\xfftOc" + struct.pack(">I", 2),
            struct.pack(">256I", *fanout),
            bytes.fromhex("".join(oids)),
            struct.pack(f">{len(oids)}I", *(entries[oid].crc for oid in oids)),
            struct.pack(f">{len(oids)}I", *offsets),
            struct.pack(f">{len(large)}Q", *large),
            checksum,
        )
    )
    return body + hashlib.sha1(body, usedforsecurity=False).digest()
