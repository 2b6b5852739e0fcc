"""Which writers can put a memory in order, and how."""

from __future__ import annotations

from gitmem.errors import Code, InvalidRequest
from gitmem.writer.agent_writer import AgentWriter
from gitmem.writer.embedded import EmbeddedWriter
from gitmem.writer.organize import EmbeddedOrganizer
from gitmem.writer.organize_agent import AgentOrganizer
from gitmem.writer.organize_base import Organizer


def organizer_of(writer: object) -> Organizer:
    """The organizer that a writer is, or makes. Raises ``InvalidRequest`` for one that can only write."""
    if isinstance(writer, Organizer):
        return writer
    if isinstance(writer, AgentWriter):
        return AgentOrganizer(writer)
    if isinstance(writer, EmbeddedWriter):
        return EmbeddedOrganizer()
    name = getattr(writer, "name", type(writer).__name__)
    raise InvalidRequest(Code.INVALID_ARGUMENT, f"the {name} writer cannot reorganize; name another one with --writer")


def nightly_organizer_of(writer: object) -> Organizer:
    """The same, the embedded one for a writer that can only write: a night without anybody to ask is not left out."""
    try:
        return organizer_of(writer)
    except InvalidRequest:
        return EmbeddedOrganizer()
