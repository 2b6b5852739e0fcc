"""Commit and tag objects taken apart, byte for byte, and put together again."""

from __future__ import annotations

from typing import NamedTuple

from gitmem.ids import Oid

_SIGNATURES = (b"gpgsig", b"gpgsig-sha256", b"mergetag")


class Head(NamedTuple):
    """A commit: ``rest`` are the header lines after tree and parents, continuation lines with the line they follow."""

    tree: Oid
    parents: tuple[Oid, ...]
    rest: tuple[bytes, ...]
    message: bytes


def read_head(data: bytes) -> Head:
    """Take a commit apart."""
    header, _, message = data.partition(b"\n\n")
    lines = _joined(header)
    parents = tuple(Oid(line[7:].decode()) for line in lines if line.startswith(b"parent "))
    rest = tuple(line for line in lines[1:] if not line.startswith(b"parent "))
    return Head(Oid(lines[0][5:].decode()), parents, rest, message)


def unsigned(head: Head) -> Head:
    """Without signatures, and without the tags of what was merged: they vouch for what is no more."""
    return head._replace(rest=tuple(line for line in head.rest if not line.startswith(_SIGNATURES)))


def write_head(head: Head) -> bytes:
    """Put a commit together."""
    parents = [b"parent " + parent.encode() for parent in head.parents]
    return b"\n".join([b"tree " + head.tree.encode(), *parents, *head.rest]) + b"\n\n" + head.message


def tagged(data: bytes) -> tuple[Oid, str]:
    """What a tag names: id and type."""
    first, second, *_ = data.split(b"\n", 2)
    return Oid(first[7:].decode()), second[5:].decode()


def retagged(data: bytes, target: Oid) -> bytes:
    """The tag, naming another object, without its signature."""
    header, _, message = data.partition(b"\n\n")
    lines = [line for line in _joined(header) if not line.startswith(_SIGNATURES)]
    for start in (b"-----BEGIN PGP SIGNATURE-----", b"-----BEGIN SSH SIGNATURE-----"):
        message = message.partition(start)[0]
    return b"\n".join([b"object " + target.encode(), *lines[1:]]) + b"\n\n" + message


def _joined(header: bytes) -> list[bytes]:
    lines: list[bytes] = []
    for line in header.split(b"\n"):
        if line.startswith(b" ") and lines:
            lines[-1] += b"\n" + line
        else:
            lines.append(line)
    return lines
