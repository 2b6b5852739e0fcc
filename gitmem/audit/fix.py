"""Mends that cannot change what a topic says: line ends, the last line end, a byte order mark (``check --fix``)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gitmem.format.layout import is_topic
from gitmem.format.topic import claims_of, parse_topic
from gitmem.ids import TopicPath
from gitmem.store.indexed import WorkdirTree
from gitmem.store.workfiles import WorkFiles

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.memory import Memory

_BOM = b"\xef\xbb\xbf"
_LINE_END = re.compile(rb"\r+\n")
_PLAIN = 0o100644


def fix_working_directory(memory: Memory) -> tuple[str, ...]:
    """Mend the topics of the working directory; gives the paths of those that were, in order."""
    tree = WorkdirTree(memory.repo, memory.whole())
    if memory.repo.workdir is None:
        return ()
    fixed: list[str] = []
    with WorkFiles(memory.repo.workdir, memory.repo.gitmem_dir) as files:
        for entry in tree.entries("topics"):
            before = (tree.read(entry.path) or b"") if is_topic(entry.path) and entry.mode == _PLAIN else b""
            after = mended(before)
            if after != before and _says_the_same(TopicPath(entry.path), before, after):
                files.write(entry.path, after)
                fixed.append(entry.path)
    return tuple(fixed)


def mended(data: bytes) -> bytes:
    """The bytes without byte order mark, with LF for CRLF, and with one LF at the end; nothing stays nothing."""
    text = _LINE_END.sub(b"\n", data.removeprefix(_BOM))
    return text.rstrip(b"\n") + b"\n" if text.strip() else text


def _says_the_same(path: TopicPath, before: bytes, after: bytes) -> bool:
    """Whether both hold the same claims on the same evidence; bytes that are no text are left alone."""
    try:
        return list(_claims(path, before)) == list(_claims(path, after))
    except UnicodeDecodeError:
        return False


def _claims(path: TopicPath, data: bytes) -> Iterator[tuple[object, ...]]:
    for claim in claims_of(parse_topic(path, data.decode())):
        evidence = [(e.id, e.when, e.clause.replace("\r\n", "\n"), e.sources) for e in claim.evidence]
        yield claim.ids, claim.content.replace("\r\n", "\n"), evidence, claim.links
