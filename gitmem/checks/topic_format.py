"""``topic-format``: every paragraph of a topic is a cited block, and its footnotes are exact (part 1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.checks.touched import Touched
from gitmem.errors import Code, Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.checks.base import Candidate
    from gitmem.format.model import Topic

NAME = "topic-format"
CODE = Code.INVALID_TOPIC_FORMAT

BLOCK_ID_DEFECTS = frozenset({"missing-block-id", "malformed-block-id", "duplicate-block-id"})
"""Defects of the parser that the ``block-ids`` check reports."""


def run(candidate: Candidate) -> Iterator[Finding]:
    """Defects of changed topics; one that stood there before is a warning (0.9)."""
    touched = Touched(candidate)
    for change in candidate.topic_changes():
        topic = candidate.child.topic(change.path)
        if topic is None:
            continue
        for defect in topic.defects:
            if defect.code not in BLOCK_ID_DEFECTS:
                severity = touched.defect(topic, defect)
                yield Finding(
                    NAME, severity, defect.code, defect.message, topic.path, defect.line, defect.block, defect.fix
                )
        yield from _conflicting_evidence(candidate, topic, touched)


def _conflicting_evidence(candidate: Candidate, topic: Topic, touched: Touched) -> Iterator[Finding]:
    """One evidence id has one meaning across the workspace (``formats.md``, "Topic files")."""
    own = {
        citation.id
        for block in topic.blocks
        if touched.block(topic, block) is Severity.ERROR
        for citation in block.citations
    }
    for definition in topic.definitions:
        if definition.id not in own:
            continue
        own.discard(definition.id)
        if len(candidate.child_facts.meanings(definition.id)) > 1:
            message = f"[^{definition.id}] stands for another time or other sources elsewhere in the workspace"
            fix = "give this evidence a local label such as [^e1]; its id is computed on commit"
            yield Finding(NAME, Severity.ERROR, "evidence-conflict", message, topic.path, definition.line, None, fix)
