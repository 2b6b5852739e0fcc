"""The merge driver of topics: block by block, so that neighbouring claims do not conflict."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from gitmem.edit.three_way import merge_topics
from gitmem.ids import TopicPath
from gitmem_hooks.telling import say

if TYPE_CHECKING:
    from collections.abc import Sequence


def run(arguments: Sequence[str]) -> int:
    """Merge ``BASE OURS THEIRS PATH`` into the file OURS; 1 leaves conflict markers around what both changed."""
    _driver, base, ours, theirs, path = arguments
    try:
        before, mine, other = (Path(file).read_bytes().decode() for file in (base, ours, theirs))
    except UnicodeDecodeError:
        say([f"gitmem: {path} is not UTF-8 text on both sides, so it cannot be merged"])
        return 1
    merged = merge_topics(TopicPath(path), before, mine, other)
    Path(ours).write_bytes(merged.text.encode())
    for clash in merged.clashes:
        say([f"gitmem: {path}: both sides changed {clash.name}"])
    return 0 if merged.clean else 1
