"""``text``: topics and sources are plain UTF-8 that people and git can read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gitmem.errors import Code, Finding, Severity
from gitmem.format.layout import is_source, is_topic

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.checks.base import Candidate

NAME = "text"
CODE = Code.INVALID_TOPIC_FORMAT

MAX_TOPIC_BYTES = 4 * 1024 * 1024
"""A topic past this is beyond what anybody edits; the writers split files at 24,000 characters."""

MAX_SOURCE_BYTES = 256 * 1024 * 1024
"""An archive file past this cannot be appended to at a bearable cost."""

_CONFLICT = re.compile(rb"^(?:<{7} |={7}$|>{7} )", re.MULTILINE)
_BOM = b"\xef\xbb\xbf"


def run(candidate: Candidate) -> Iterator[Finding]:
    """Bytes that are not text; of an appended file only the appended bytes are looked at.

    Conflict markers are looked for in topics alone: a message may quote them, and sources are verbatim.
    """
    for change in candidate.changes:
        if change.new is None or not (is_topic(change.path) or is_source(change.path)):
            continue
        data = candidate.child.read(change.path) or b""
        before = candidate.parent.read(change.path) or b"" if change.old is not None else b""
        skipped = len(before) if before and data.startswith(before) else 0
        for offset, code, message, fix in _problems(data, skipped, topic=is_topic(change.path)):
            line = data.count(b"\n", 0, offset) + 1
            yield Finding(NAME, Severity.ERROR, code, message, change.path, line, None, fix)


def _problems(data: bytes, skipped: int, *, topic: bool) -> Iterator[tuple[int, str, str, str]]:
    new = data[skipped:]
    if data.startswith(_BOM) and not skipped:
        yield 0, "byte-order-mark", "the file begins with a byte order mark", "save it as UTF-8 without BOM"
    if (offset := new.find(b"\0")) >= 0:
        yield skipped + offset, "nul-byte", "the file holds a NUL byte", "remove it; memory is plain text"
    try:
        new.decode()
    except UnicodeDecodeError as error:
        yield skipped + error.start, "not-utf-8", "the file is not UTF-8", "save it as UTF-8"
    limit = MAX_TOPIC_BYTES if topic else MAX_SOURCE_BYTES
    if len(data) > limit:
        yield 0, "oversized-file", f"the file has {len(data):,} bytes; {limit:,} is the most", "split it"
    if topic and len(markers := list(_CONFLICT.finditer(data))) > 1:
        yield markers[0].start(), "conflict-marker", "the file holds conflict markers", "resolve the conflict"
