"""``block-ids``: an id is well formed, unique in the workspace, and goes only when somebody says so (part 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.checks.topic_format import BLOCK_ID_DEFECTS
from gitmem.checks.touched import Touched
from gitmem.errors import Code, Finding, Severity
from gitmem.format.layout import is_topic

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.checks.base import Candidate
    from gitmem.format.model import Topic
    from gitmem.request import Request

NAME = "block-ids"
CODE = Code.INVALID_TOPIC_FORMAT


def run(candidate: Candidate) -> Iterator[Finding]:
    """Defective, twice-used and, in a hand edit, dropped ids."""
    touched = Touched(candidate)
    for change in candidate.topic_changes():
        topic = candidate.child.topic(change.path)
        if topic is None:
            continue
        for defect in topic.defects:
            if defect.code in BLOCK_ID_DEFECTS:
                severity = touched.defect(topic, defect)
                yield Finding(
                    NAME, severity, defect.code, defect.message, topic.path, defect.line, defect.block, defect.fix
                )
        yield from _used_elsewhere(candidate, topic, touched)
    if candidate.request is not None and candidate.request.hand:
        yield from _dropped(candidate, _deleted_files(candidate.request))


def _deleted_files(request: Request) -> frozenset[str]:
    from gitmem.request import FileDelete, FilesEdit  # noqa: PLC0415  (git's hooks have no request, and it takes long to load)

    changes = request.edit.changes if isinstance(request.edit, FilesEdit) else ()
    return frozenset(change.path for change in changes if isinstance(change, FileDelete))


def _used_elsewhere(candidate: Candidate, topic: Topic, touched: Touched) -> Iterator[Finding]:
    for block in topic.blocks:
        for block_id in block.ids:
            places = {claim.path for claim in candidate.child_facts.claims(block_id)} - {topic.path}
            if places:
                message = f"^{block_id} also stands in {', '.join(sorted(places))}"
                fix = "remove the id from one of them; a new one is issued on commit"
                severity = touched.block(topic, block)
                yield Finding(NAME, severity, "duplicate-block-id", message, topic.path, block.line, block_id, fix)


def _dropped(candidate: Candidate, deleted: frozenset[str]) -> Iterator[Finding]:
    """Ids that the parent's changed files carried and the child nowhere does (2.9).

    Whoever deletes a whole file has said so; one of whose blocks some stand elsewhere was moved by hand.
    """
    for change in candidate.changes:
        topic = candidate.parent.topic(change.path) if change.old is not None and is_topic(change.path) else None
        if topic is None:
            continue
        carried = [(block_id, block.line) for block in topic.blocks for block_id in block.ids]
        lost = {block_id for block_id, _ in carried if not candidate.child_facts.claims(block_id)}
        if len(lost) == len(carried) and change.path in deleted:
            continue
        for block_id, line in carried:
            if block_id in lost:
                message = f"the edit drops the block id ^{block_id}"
                fix = f"put ^{block_id} back at the end of its paragraph, or delete it with `gitmem rm {block_id}`"
                yield Finding(NAME, Severity.ERROR, "dropped-block-id", message, topic.path, line, block_id, fix)
