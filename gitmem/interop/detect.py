"""Which format a file is in, judged by its beginning (``ingest --format auto``)."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_SAMPLE_BYTES = 256 * 1024
_TREE = re.compile(rb'"mapping"\s*:\s*\{')


def detect_format(path: Path) -> str | None:
    """Give ``jsonl`` or ``chatgpt``; ``None`` when the file looks like neither. Raises ``OSError``.

    An object or a list that goes over several lines, or holds a tree of messages, is ChatGPT's; a file with a line that
    is an object of its own is JSON Lines, whatever else stands in it.
    """
    with path.open("rb") as stream:
        sample = stream.read(_SAMPLE_BYTES)
    start = sample.removeprefix(b"\xef\xbb\xbf").lstrip()
    if start[:1] == b"[":
        return "chatgpt" if _TREE.search(start) else None
    if start[:1] == b"{" and _TREE.search(start) and not _is_object(start.split(b"\n", 1)[0], with_key="content"):
        return "chatgpt"
    if any(_is_object(line) for line in start.split(b"\n")) or path.suffix == ".jsonl":
        return "jsonl"
    return None


def _is_object(line: bytes, with_key: str | None = None) -> bool:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and (with_key is None or with_key in value)
