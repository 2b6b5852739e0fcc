"""Links that follow blocks and files which moved (``behaviours.md`` 2.4, 5.12, 5.16)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.edit.rebase import apply_edits, redirect
from gitmem.ids import TopicPath

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from gitmem.edit.drafts import Drafts
    from gitmem.format.model import BlockLink, Topic
    from gitmem.ids import BlockId


def follow_moves(drafts: Drafts, renamed: Mapping[str, TopicPath]) -> None:
    """Rewrite every link to a block that stands in another file now; ``renamed`` are whole files, old path to new.

    Besides the drafts, only files that link to what moved are touched.
    """
    moved = dict(_moved(drafts, renamed))
    if not moved and not renamed:
        return

    def place(link: BlockLink) -> str:
        if link.block is None:
            return renamed.get(link.target_path, link.target_path)
        return moved.get((link.target_path, link.block), link.target_path)

    for path in sorted({*drafts.touched, *_linking(drafts, moved, renamed)}):
        topic = drafts.topic(path)
        if topic is not None and (edits := list(redirect(topic, path, place))):
            drafts.put(path, apply_edits(topic.text, edits))


def _moved(drafts: Drafts, renamed: Mapping[str, TopicPath]) -> Iterator[tuple[tuple[str, BlockId], TopicPath]]:
    """Each block that stood in one file before and stands in another now."""
    now = {block_id: path for path in drafts.touched for block_id in _ids(drafts.topic(path))}
    for path in drafts.touched:
        if path in renamed.values():
            continue  # what is said to have stood there before came with the renamed file
        for block_id in _ids(drafts.topic_before(path)):
            if now.get(block_id, path) != path:
                yield (path, block_id), now[block_id]


def _ids(topic: Topic | None) -> Iterator[BlockId]:
    for block in topic.blocks if topic is not None else ():
        yield from block.ids


def _linking(
    drafts: Drafts, moved: Mapping[tuple[str, BlockId], TopicPath], renamed: Mapping[str, TopicPath]
) -> Iterator[TopicPath]:
    for _, block_id in moved:
        yield from (claim.path for claim in drafts.facts.inbound(block_id))
    for path in renamed:
        yield from (claim.path for claim in drafts.facts.links_in(TopicPath(path)))
