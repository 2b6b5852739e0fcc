"""Repairing links between topics: a block that moved without its links is found again by its id."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from gitmem.edit.rebase import apply_edits, block_links, destination, redirect
from gitmem.format.topic import parse_topic

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from gitmem.edit.rebase import Edit
    from gitmem.facts.base import Facts
    from gitmem.format.model import BlockLink, Claim, Topic
    from gitmem.ids import BlockId, TopicPath
    from gitmem.writer.organize_pages import Pages


def repair_links(pages: Pages, facts: Facts) -> None:
    """Let every link whose file does not hold the block that it names reach the file that does.

    A link to a block that stands nowhere, or twice, is left to somebody who knows what was meant.
    """
    for path in sorted({path for path, _, _ in facts.links()}):
        topic = pages.topic(path)
        edits = list(_edits(topic, facts)) if topic is not None else []
        if topic is not None and edits:
            pages.put({path: parse_topic(path, apply_edits(topic.text, edits))})


def follow_moves(pages: Pages, facts: Facts) -> None:
    """Let links reach the files that blocks were moved to, as the transaction would: files have their size after it."""
    moved = {block: path for block, path in pages.homes.items() if path not in {c.path for c in facts.claims(block)}}
    linking = {claim.path for block in moved for claim in facts.inbound(block)}
    linking.update(home for path in list(linking) for claim in facts.of_topic(path) for home in _homes(pages, claim))
    for path in sorted(linking):
        topic = pages.topic(path)
        edits = list(redirect(topic, path, partial(_place, moved))) if topic is not None else []
        if topic is not None and edits:
            pages.put({path: parse_topic(path, apply_edits(topic.text, edits))})


def _homes(pages: Pages, claim: Claim) -> Iterator[TopicPath]:
    return (pages.homes[name] for name in claim.ids if name in pages.homes)


def _place(moved: Mapping[BlockId, TopicPath], link: BlockLink) -> str:
    return link.target_path if link.block is None else moved.get(link.block, link.target_path)


def _edits(topic: Topic, facts: Facts) -> Iterator[Edit]:
    for link in block_links(topic):
        places = {claim.path for claim in facts.claims(link.block)} if link.block is not None else set()
        if len(places) == 1 and link.target_path not in places:
            written = topic.text[link.start : link.end]
            yield link.start, link.end, destination(written, topic.path, places.pop())
