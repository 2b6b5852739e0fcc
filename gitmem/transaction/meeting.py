"""What becomes of a file that somebody is editing while memory changes it (``architecture.md`` section 3, step 8)."""

from __future__ import annotations

from gitmem.edit.three_way import merge_topics
from gitmem.format.layout import is_topic
from gitmem.ids import TopicPath


def merge_typed(path: str, base: bytes, typed: bytes, new: bytes) -> bytes | None:
    """The text in the working directory with what the memory brings; ``None`` when both changed the same block."""
    if not is_topic(path):
        return None
    try:
        merged = merge_topics(TopicPath(path), base.decode(), typed.decode(), new.decode())
    except UnicodeDecodeError:
        return None
    return merged.text.encode() if merged.clean else None
