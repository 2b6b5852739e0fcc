"""The merge driver of source archives: our bytes stay, and the messages that only the other side has follow."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from gitmem.format.frame import HEADER, append_frames, scan_v2
from gitmem.format.layout import is_v2_archive
from gitmem_hooks.telling import say

if TYPE_CHECKING:
    from collections.abc import Sequence


def run(arguments: Sequence[str]) -> int:
    """Merge ``BASE OURS THEIRS PATH`` into the file OURS; 1 leaves it as it is, in conflict."""
    _driver, _base, ours, theirs, path = arguments
    merged, problem = merge(path, Path(ours).read_bytes(), Path(theirs).read_bytes())
    if merged is None:
        say([f"gitmem: {path} cannot be merged: {problem}"])
        return 1
    Path(ours).write_bytes(merged)
    return 0


def merge(path: str, ours: bytes, theirs: bytes) -> tuple[bytes | None, str]:
    """The bytes of both sides, or ``None`` and why not (``architecture.md`` section 5, ``append-only`` on merges)."""
    if ours == theirs:
        return ours, ""
    if not is_v2_archive(path):
        return None, "it is an older archive, which nobody changes; take the version that both began with"
    mine, other = scan_v2(path, ours or HEADER), scan_v2(path, theirs or HEADER)
    defect = mine.defect or other.defect
    if defect is not None:
        return None, f"line {defect.line}: {defect.message}"
    known = {record.handle: ours[record.start : record.end] for record in mine.records}
    added = []
    for record in other.records:
        frame = theirs[record.start : record.end]
        if record.handle not in known:
            added.append(frame)
        elif known[record.handle] != frame:
            return None, f"the two sides archived {record.handle} with different words"
    return append_frames(path, ours or None, mine, added), ""
