"""``citations``: every claim rests on archived messages, trusted ones, and on those it may cite (8.6 to 8.9)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.checks.touched import Touched
from gitmem.errors import Code, Finding, Severity
from gitmem.facts.trust import source_trust
from gitmem.format.layout import targets_of
from gitmem.format.model import TrustState

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.checks.base import Candidate
    from gitmem.format.model import Block, Definition, SourceLink, Topic
    from gitmem.ids import Target

NAME = "citations"
CODE = Code.MISSING_SOURCE


@dataclass(frozen=True, slots=True)
class _Cited:
    """One source link of one footnote that a block cites."""

    topic: Topic
    block: Block
    definition: Definition
    link: SourceLink

    def finding(self, severity: Severity, code: str, problem: str, fix: str) -> Finding:
        message = f"[^{self.definition.id}] cites {self.link.label}, {problem}"
        return Finding(NAME, severity, code, message, self.topic.path, self.definition.line, self.block.id, fix)


def run(candidate: Candidate) -> Iterator[Finding]:
    """Citations of changed topics that reach no frame, a pending one, or evidence of somebody else's transaction."""
    touched = Touched(candidate)
    for change in candidate.topic_changes():
        topic = candidate.child.topic(change.path)
        for cited in _cited(topic) if topic is not None else ():
            finding = _problem(candidate, cited, touched)
            if finding is not None:
                yield finding


def _cited(topic: Topic) -> Iterator[_Cited]:
    definitions: dict[str, Definition] = {}
    for definition in topic.definitions:
        definitions.setdefault(definition.id, definition)
    for block in topic.blocks:
        for citation in block.citations:
            found = definitions.get(citation.id)
            if found is not None:
                yield from (_Cited(topic, block, found, link) for link in found.sources)


def _problem(candidate: Candidate, cited: _Cited, touched: Touched) -> Finding | None:
    target = cited.link.resolved
    severity = touched.block(cited.topic, cited.block)
    trust = None if target is None else source_trust(candidate.child_facts, target)
    if target is None or trust is None:
        fix = "cite a message that is archived, or archive it in the same transaction"
        return cited.finding(severity, "missing-source", f"but no archived message stands at {cited.link.target}", fix)
    if severity is not Severity.ERROR or target in touched.cited_before(cited.block):
        return None
    if trust is TrustState.PENDING:
        return cited.finding(severity, "pending-source", "which is not trusted", "the owner promotes the source first")
    if _must_be_own(candidate) and target not in _own(candidate):
        fix = "add the message to the request's sources, or name the source in a record operation"
        return cited.finding(severity, "foreign-source", "which is not evidence of this transaction", fix)
    return None


def _must_be_own(candidate: Candidate) -> bool:
    """Patches and file changes may newly cite only what the request archives; the owner's hand anything (8.6).

    A request that names its evidence may newly cite nothing else in any form (8.9, 10.12).
    """
    request = candidate.request
    if request is None or request.hand:
        return False
    from gitmem.request import FilesEdit, PatchEdit  # noqa: PLC0415  (git's hooks have no request, and it takes long to load)

    return request.evidence is not None or isinstance(request.edit, PatchEdit | FilesEdit)


def _own(candidate: Candidate) -> frozenset[Target]:
    request = candidate.request
    named = () if request is None or request.evidence is None else request.evidence
    return candidate.added_targets.union(*(targets_of(handle) for handle in named))
