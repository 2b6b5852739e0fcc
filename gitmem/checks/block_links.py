"""``block-links``: a link between topics names a block that exists, and no linked block disappears (2.11, 2.12)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.checks.touched import Touched
from gitmem.errors import Code, Finding, Severity
from gitmem.format.layout import is_topic

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.checks.base import Candidate
    from gitmem.format.model import Block, BlockLink, Topic
    from gitmem.ids import BlockId

NAME = "block-links"
CODE = Code.INVALID_TOPIC_FORMAT


def run(candidate: Candidate) -> Iterator[Finding]:
    """Broken links in changed topics, then links elsewhere that the change broke."""
    touched = Touched(candidate)
    for change in candidate.topic_changes():
        topic = candidate.child.topic(change.path)
        if topic is not None:
            yield from _broken_links(candidate, topic, touched)
    yield from _orphaned(candidate)


def _broken_links(candidate: Candidate, topic: Topic, touched: Touched) -> Iterator[Finding]:
    for block in topic.blocks:
        for link in block.links:
            finding = _broken(candidate, topic, block, link, touched)
            if finding is not None:
                yield finding


def _broken(candidate: Candidate, topic: Topic, block: Block, link: BlockLink, touched: Touched) -> Finding | None:
    severity = touched.block(topic, block)
    if link.block is None:
        message = f"the link [{link.text}] reaches a file, not a block"
        fix = "end the destination in #^block-id"
        return Finding(NAME, severity, "link-without-block", message, topic.path, block.line, block.id, fix)
    places = {claim.path for claim in candidate.child_facts.claims(link.block)}
    if link.target_path in places:
        return None
    if any(claim.path == link.target_path for claim in candidate.parent_facts.claims(link.block)):
        severity = Severity.ERROR  # the change broke it, whether or not it touched the block that links
    where = f"it stands in {', '.join(sorted(places))}" if places else "no block has that id"
    message = f"the link [{link.text}] names ^{link.block} in {link.target_path}, but {where}"
    fix = "correct the destination, or write the words without a link"
    return Finding(NAME, severity, "broken-block-link", message, topic.path, block.line, block.id, fix)


def _orphaned(candidate: Candidate) -> Iterator[Finding]:
    """Links in unchanged files to ids that the change removed or put into another file."""
    changed = {change.path for change in candidate.changes}
    for block_id, before in _carried(candidate).items():
        after: set[str] = {claim.path for claim in candidate.child_facts.claims(block_id)}
        if before in after:
            continue
        for claim in candidate.child_facts.inbound(block_id):
            topic = candidate.child.topic(claim.path)
            if claim.path in changed or topic is None or not _names(topic, claim.id, block_id, after):
                continue
            message = f"^{claim.id} links to ^{block_id}, which the change takes out of {before}"
            fix = f"edit ^{claim.id} first, or keep ^{block_id}"
            yield Finding(NAME, Severity.ERROR, "linked-block-removed", message, claim.path, claim.line, block_id, fix)


def _names(topic: Topic, block_id: BlockId, target: BlockId, places: set[str]) -> bool:
    """Whether the block still names the target in a place where it no longer stands."""
    links = (link for block in topic.blocks if block.id == block_id for link in block.links)
    return any(link.block == target and link.target_path not in places for link in links)


def _carried(candidate: Candidate) -> dict[BlockId, str]:
    carried: dict[BlockId, str] = {}
    for change in candidate.changes:
        topic = candidate.parent.topic(change.path) if change.old is not None and is_topic(change.path) else None
        for block in topic.blocks if topic is not None else ():
            carried.update(dict.fromkeys(block.ids, change.path))
    return carried
