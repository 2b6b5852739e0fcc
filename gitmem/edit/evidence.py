"""What a claim rests on: sources as callers name them become links to frames and content-addressed footnotes.

An evidence id is a hash of the time and the source handles, the same everywhere; a file that already has a footnote
of that meaning keeps using it (``behaviours.md`` 0.11, 0.30, 2.1, 2.3).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.edit.source_label import means_source_label
from gitmem.errors import Code, Finding, InvalidRequest, Refused, Severity
from gitmem.facts.trust import record_tier
from gitmem.format.evidence import escape_label, evidence_id, parse_definition, render_definition, valid_when
from gitmem.format.layout import is_handle, targets_of
from gitmem.format.links import other_spelling, relative_target, resolve_target
from gitmem.format.model import SourceLink, Tier
from gitmem.ids import SourceId, Target
from gitmem.policy.visibility import sees

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from gitmem.edit.base import StagingArea
    from gitmem.facts.base import Facts, Meaning
    from gitmem.format.model import Definition, Record, Topic
    from gitmem.ids import EvidenceId
    from gitmem.request import SourceRef


class EvidenceBook:
    """Finds archived messages and gives evidence its id."""

    def __init__(
        self,
        staging: StagingArea,
        facts: Facts,
        archived: Mapping[str, SourceId],
        reader: Tier | None = Tier.OWNER,
    ) -> None:
        """Know the archive of ``facts`` and what this transaction archived, by label (``archived``).

        A message that the ``reader`` may not see is there for nobody's evidence but the owner's.
        """
        self._staging = staging
        self._reader = reader
        self._facts = facts
        self._archived = archived

    # --- sources ------------------------------------------------------------------------------------------------

    def handle_of(self, name: str) -> SourceId:
        """The handle that a label of this transaction stands for; any other name is its own."""
        return self._archived.get(name, SourceId(name))

    def find(self, name: str, topic_path: str) -> Record | None:
        """The archived message that a name means: a label of this transaction, a handle, or a link."""
        found = self._named(name, topic_path)
        tier = None if found is None else record_tier(self._facts, found)
        return found if sees(self._reader, Tier.PAIRED if tier is Tier.PAIRED else Tier.OWNER) else None

    def _named(self, name: str, topic_path: str) -> Record | None:
        handle = self.handle_of(name)
        if is_handle(handle):
            new = next(filter(None, map(self.at, targets_of(handle))), None)
            # a frame of this transaction wins over the legacy record that the parent's facts name
            known = new if new is not None and new.framed else self._facts.source(handle) or new
            if known is not None:
                return known
        target = resolve_target(topic_path, name) or resolve_target("root.md", name)
        return None if target is None else self.at(target) or self._at_other_spelling(target)

    def at(self, target: Target) -> Record | None:
        """The archived message that a link reaches, those of this transaction included."""
        known = self._facts.record(target)
        if known is not None:
            return known
        path, _, anchor = target.partition("#")
        archive = self._staging.archive(path)
        return next((r for r in archive.records if r.anchor == anchor), None) if archive is not None else None

    def _at_other_spelling(self, target: Target) -> Record | None:
        other = other_spelling(target)
        return None if other is None else self.at(other)

    def link(self, topic_path: str, ref: SourceRef) -> SourceLink:
        """The link from a topic to the message a record operation names, with the label it gives.

        Raises ``Refused(MISSING_SOURCE)`` when there is no such message.
        """
        record = self.find(ref.source, topic_path)
        if record is None:
            raise missing_sources([missing(ref.source, topic_path)])
        label = record.handle if ref.label == ref.source else escape_label(ref.label)
        return SourceLink(label, relative_target(topic_path, record.target), record.target)

    # --- footnotes ----------------------------------------------------------------------------------------------

    def define(self, topic: Topic, when: str | None, links: Iterable[SourceLink]) -> tuple[EvidenceId, str]:
        """The id of evidence in a topic and the line that defines it, ``""`` when the topic has it already.

        Raises ``InvalidRequest`` for a time that is not one (5.19) and for a label that cannot be written.
        """
        if when is not None and not valid_when(when):
            message = f"{when!r} is no time: give YYYY, YYYY-MM, YYYY-MM-DD or undated"
            raise InvalidRequest(Code.INVALID_ARGUMENT, message, path=topic.path)
        sources = tuple(links)
        meaning = when, tuple(link.resolved or link.target for link in sources)
        known = next((d.id for d in topic.definitions if meaning_of(d) == meaning), None)
        if known is not None:
            return known, ""
        found = self.id_for(meaning, topic)
        line = render_definition(found, when, sources)
        _must_read_back(topic.path, line, sources)
        return found, line

    def id_for(self, meaning: Meaning, topic: Topic) -> EvidenceId:
        """The content-addressed id, longer where a shorter one already means something else."""
        when, sources = meaning
        handles = [self._identity(source) for source in sources]
        taken: set[str] = set()
        while True:
            found = evidence_id(when, handles, taken=taken)
            elsewhere = self._facts.meanings(found) - {meaning}
            here = any(d.id == found and meaning_of(d) != meaning for d in topic.definitions)
            if not elsewhere and not here:
                return found
            taken.add(found)

    def _identity(self, source: str) -> str:
        """The handle of a source; a link that reaches nothing stands for itself."""
        record = self.at(Target(source)) if "#" in source else None
        return source if record is None else record.handle


def meaning_of(definition: Definition) -> Meaning:
    """What a footnote stands for (``gitmem.facts.base``)."""
    return definition.when, tuple(link.resolved or link.target for link in definition.sources)


def missing(source: str, path: str, line: int | None = None) -> Finding:
    """A source that no archived message answers to."""
    if means_source_label(source):
        fix = f"declare {source} in the request's sources, or cite the handle of an archived message"
    else:
        fix = "cite the handle of an archived message, or archive the message in the same request"
    message = f"{source} is no source that is archived or declared by this request"
    return Finding("citations", Severity.ERROR, "missing-source", message, path, line, None, fix)


def missing_sources(findings: Iterable[Finding]) -> Refused:
    """The refusal for sources that are not there."""
    found = tuple(findings)
    return Refused(Code.MISSING_SOURCE, found[0].message, path=found[0].path, findings=found)


def _must_read_back(path: str, line: str, sources: tuple[SourceLink, ...]) -> None:
    """A label that would be read differently is refused rather than changed."""
    read = parse_definition(path, line)
    if read.defects or read.definition.sources != sources:
        labels = ", ".join(repr(link.label) for link in sources)
        raise InvalidRequest(Code.INVALID_ARGUMENT, f"the label cannot be written in a footnote: {labels}", path=path)
