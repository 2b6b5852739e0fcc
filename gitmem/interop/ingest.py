"""Conversations and exports into conversation graphs (``cli.md``: ``ingest``)."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from gitmem.errors import Code, InvalidRequest
from gitmem.interop.forgotten import PassingBy
from gitmem.interop.formats import AUTO
from gitmem.interop.intake import Intake
from gitmem.interop.jsonl import session_named
from gitmem.interop.marking import mark_written
from gitmem.interop.meter import Meter
from gitmem.interop.reading import Draft
from gitmem.interop.report import IngestReport, joined
from gitmem.interop.sources import sources_of
from gitmem.interop.vouching import Speakers, Vouching

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from gitmem.conversations.model import SessionId
    from gitmem.conversations.store import ConversationStore
    from gitmem.ids import SourceId
    from gitmem.interop.reading import ReadError, Reading, Written
    from gitmem.interop.sources import Found, Source
    from gitmem.memory import Memory


def _never(_handle: SourceId) -> bool:
    return False


def ingest(  # noqa: PLR0913 - the options of the command
    store: ConversationStore,
    files: Sequence[Path],
    *,
    format: str = AUTO,  # noqa: A002 - the option's name
    session: SessionId | str | None = None,
    owner: str | None = None,
    paired: Iterable[str] = (),
    progress: Callable[[int, int, str], None] | None = None,
    is_archived: Callable[[SourceId], bool] = _never,
    is_forgotten: Callable[[SourceId], bool] = _never,
    memory: Callable[[], Memory] | None = None,
) -> IngestReport:
    """Read files into conversations; again adds nothing, a grown export adds its new part.

    ``session`` names the conversation of a file whose format does not: ``provider/thread``, or a thread of ``import``.
    ``owner`` and ``paired`` name speakers by their id (by their name where they have none): with several people and no
    owner, everything is pending. ``progress`` is told bytes read, bytes in all and the file; ``is_archived`` says
    whether a writer archived a message, so that the report can say what is vouched for too late, ``is_forgotten``
    whether it was erased for good: such a turn is an error in the report. ``memory`` is asked when a file says what a
    memory has written: those turns are marked.

    What a path holds becomes visible together or, where it is large, some thousand turns at a time: in whole
    conversations, but for formats that may be cut anywhere. A zip or a folder is one path with many documents.
    Documents of formats that tell people apart are read twice, for their people first.

    Raises ``NotFound`` for a file that does not exist, ``InvalidRequest`` for an unknown format, for a ``session``
    that a format does not take and for an owner or paired speaker who says nothing, all before anything is kept; and
    ``Conflict`` when another process moved a conversation meanwhile.
    """
    named_session = session_named(session) if isinstance(session, str) else session
    meter = Meter(progress)
    with ExitStack() as open_until_done:
        found = [open_until_done.enter_context(sources_of(path, format, named_session, meter)) for path in files]
        meter.begin(sum(source.size * (1 + source.format.people) for part in found for source in part.sources))
        people = _people(store, found)
        vouching = _vouching(people, owner, frozenset(paired))
        written: list[Written] = []
        parts = [_take_in(store, part, vouching, is_archived, is_forgotten, written) for part in found]
        meter.finish()
    if written and memory is not None:
        mark_written(store, written, memory())
    return joined(parts)


def _people(store: ConversationStore, found: list[Found]) -> dict[Source, Speakers]:
    """Who speaks in each document, in the conversations it goes on with, and in the others that speak of those."""
    by_session: dict[SessionId, Speakers] = {}
    sessions: dict[Source, set[SessionId]] = {}
    for source in (source for part in found for source in part.sources):
        spoken_of = sessions.setdefault(source, set())
        for reading in source.readings() if source.format.people else ():
            if isinstance(reading, Draft):
                by_session.setdefault(reading.session, Speakers()).note(reading)
                spoken_of.add(reading.session)
    for standing in store.sessions() if by_session else ():
        if standing.id in by_session:
            by_session[standing.id].note_conversation(store, standing)
    return {
        source: Speakers.together(by_session[session] for session in spoken_of)
        for source, spoken_of in sessions.items()
    }


def _vouching(people: dict[Source, Speakers], owner: str | None, paired: frozenset[str]) -> dict[Source, Vouching]:
    everybody = Speakers.together(people.values())
    keys = {named: everybody.key_of(named) or named for named in (*paired, *([] if owner is None else [owner]))}
    _check_named(everybody, keys)
    chosen = None if owner is None else keys[owner]
    trusted = frozenset(keys[named] for named in paired)
    return {
        source: Vouching(speakers.number <= 1, chosen, trusted, frozenset(speakers.ids))
        for source, speakers in people.items()
    }


def _check_named(everybody: Speakers, keys: dict[str, str]) -> None:
    """Refuse an owner whom nobody there is called: a slip of the pen would leave everything pending."""
    missing = sorted(named for named, key in keys.items() if key not in everybody.labels)
    if everybody.labels and missing:
        raise InvalidRequest(
            Code.INVALID_ARGUMENT,
            f"nobody there is {', '.join(missing)}; the speakers are "
            f"{', '.join(sorted(everybody.labels.values()))[:500]}",
            details={"speakers": sorted(everybody.labels)[:100]},
        )


def _take_in(  # noqa: PLR0913, PLR0917 - what one path needs
    store: ConversationStore,
    found: Found,
    vouching: dict[Source, Vouching],
    is_archived: Callable[[SourceId], bool],
    is_forgotten: Callable[[SourceId], bool],
    written: list[Written],
) -> IngestReport:
    """Take in one path, in as many batches as it takes; what was written is added to ``written``."""
    if not found.sources:
        return IngestReport((), found.errors, unread=(found.file,))
    left: Iterator[tuple[Source, Reading]] = (
        (source, reading) for source in found.sources for reading in source.readings()
    )
    parts, drafts = [IngestReport((), found.errors)], 0
    while (first := next(left, None)) is not None:
        standing = {session.id: session for session in store.sessions()}
        with store.batch() as batch:
            intake = Intake(store, batch, standing, is_archived, PassingBy(is_forgotten))
            under_way = first[0]
            for source, reading in chain((first,), left):
                may_end = source.format.continuous or source is not under_way
                if (may_end and intake.is_full) or not intake.take(reading, source.format, vouching[source]):
                    left = chain(((source, reading),), left)
                    break
                under_way = source
            sessions = intake.finish()
        drafts += intake.drafts
        written += intake.written
        waiting = tuple(intake.waiting.values())
        parts.append(IngestReport(tuple(sessions), tuple(intake.errors), waiting, (), intake.raised, intake.late))
    whole = joined(parts)
    unread = (found.file,) if whole.errors and not drafts else ()
    return replace(whole, errors=(*found.errors, *_in_file_order(whole.errors[len(found.errors) :])), unread=unread)


def _in_file_order(errors: Sequence[ReadError]) -> list[ReadError]:
    """What is found at the end of a document, or of all, stands where it belongs."""
    order = {file: place for place, file in enumerate(dict.fromkeys(error.file for error in errors))}
    return sorted(errors, key=lambda error: (order[error.file], error.line or 0))
