"""Conversations and exports into conversation graphs (``cli.md``: ``ingest``)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gitmem.errors import Code, InvalidRequest, NotFound
from gitmem.interop.formats import AUTO, Format, find_format
from gitmem.interop.intake import Intake
from gitmem.interop.jsonl import session_named
from gitmem.interop.reading import Draft, Fault, Place, ReadError, file_name
from gitmem.interop.report import IngestReport, SessionReport, Waiting
from gitmem.interop.vouching import Speakers, Vouching

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from gitmem.conversations.model import SessionId
    from gitmem.conversations.store import ConversationStore
    from gitmem.interop.reading import Reading


@dataclass(frozen=True, slots=True)
class _Source:
    """One file in a known format; ``session`` as the caller named it."""

    path: Path
    format: Format
    session: SessionId | None

    def readings(self) -> Iterator[Reading]:
        """Read the file; a file that cannot be opened, or stops being readable, is one more reading."""
        try:
            yield from self.format.read(self.path, self.session)
        except OSError as error:
            yield _unreadable(self.path, error)


def ingest(  # noqa: PLR0913 - the options of the command
    store: ConversationStore,
    files: Sequence[Path],
    *,
    format: str = AUTO,  # noqa: A002 - the option's name
    session: SessionId | str | None = None,
    owner: str | None = None,
    paired: Iterable[str] = (),
) -> IngestReport:
    """Read files into conversations; again adds nothing, a grown export adds its new part.

    ``session`` names the conversation of a file whose format does not: ``provider/thread``, or a thread of ``import``.
    ``owner`` and ``paired`` name speakers by their id (by their name where they have none): with several people and no
    owner, everything is pending. Every file is one batch: its conversations become visible together. Files are read
    twice, for their people first.

    Raises ``NotFound`` for a file that does not exist, ``InvalidRequest`` for an unknown format, for a ``session``
    that a format does not take and for an owner or paired speaker who says nothing, all before anything is kept; and
    ``Conflict`` when another process moved a conversation meanwhile.
    """
    named_session = session_named(session) if isinstance(session, str) else session
    opened = [_open(path, format, named_session) for path in files]
    people = _people(store, opened)
    named = frozenset(paired)
    _check_named(people, {owner, *named} - {None})
    parts = []
    for source, speakers in zip(opened, people, strict=True):
        if isinstance(source, ReadError):
            parts.append(IngestReport((), (source,), unread=(source.file,)))
        else:
            parts.append(_take_in(store, source, Vouching(len(speakers.labels) <= 1, owner, named)))
    return _joined(parts)


def _open(path: Path, name: str, session: SessionId | None) -> _Source | ReadError:
    if not path.exists():
        raise NotFound(Code.PATH_NOT_FOUND, f"there is no file {path}", path=file_name(path))
    try:
        found = find_format(name, path)
    except OSError as error:
        return _unreadable(path, error)
    if found is None:
        message = "the file is in no format that is known; name one with --format"
        return Place(file_name(path)).error(Fault.UNKNOWN_FORMAT, message)
    if session is not None and not found.named:
        raise InvalidRequest(
            Code.INVALID_ARGUMENT, f"{path.name} names its conversations itself; --session is for formats that do not"
        )
    return _Source(path, found, session)


def _unreadable(path: Path, error: OSError) -> ReadError:
    return Place(file_name(path)).error(Fault.UNREADABLE_FILE, f"the file cannot be read: {error.strerror}")


def _people(store: ConversationStore, opened: list[_Source | ReadError]) -> list[Speakers]:
    """Who speaks in each file, in the conversations it goes on with, and in the other files that speak of those."""
    by_session: dict[SessionId, Speakers] = {}
    sessions: list[set[SessionId]] = []
    for source in opened:
        found: set[SessionId] = set()
        for reading in () if isinstance(source, ReadError) or not source.format.people else source.readings():
            if isinstance(reading, Draft):
                by_session.setdefault(reading.session, Speakers()).note(reading)
                found.add(reading.session)
        sessions.append(found)
    for standing in store.sessions() if by_session else ():
        if standing.id in by_session:
            by_session[standing.id].note_conversation(store, standing)
    return [Speakers.together(by_session[session] for session in found) for found in sessions]


def _check_named(people: list[Speakers], named: set[str | None]) -> None:
    """Refuse an owner whom nobody there is called: a slip of the pen would leave everything pending."""
    labels = {key: label for speakers in people for key, label in speakers.labels.items()}
    missing = sorted(str(name) for name in named if name not in labels)
    if labels and missing:
        raise InvalidRequest(
            Code.INVALID_ARGUMENT,
            f"nobody there is {', '.join(missing)}; the speakers are {', '.join(sorted(labels.values()))[:500]}",
            details={"speakers": sorted(labels)[:100]},
        )


def _take_in(store: ConversationStore, source: _Source, vouching: Vouching) -> IngestReport:
    standing = {session.id: session for session in store.sessions()}
    with store.batch() as batch:
        intake = Intake(store, batch, standing, vouching)
        sessions = intake.read(source.readings(), source.format.name)
    errors = tuple(sorted(intake.errors, key=lambda error: error.line or 0))
    unread = (file_name(source.path),) if errors and not intake.drafts else ()
    return IngestReport(tuple(sessions), errors, tuple(intake.waiting.values()), unread)


def _joined(parts: list[IngestReport]) -> IngestReport:
    """One report of all files; a conversation that several files speak of is in it once."""
    sessions: dict[str, SessionReport] = {}
    waiting: dict[tuple[str | None, str], Waiting] = {}
    for part in parts:
        for session in part.sessions:
            before = sessions.get(session.session)
            sessions[session.session] = session if before is None else _added(before, session)
        for found in part.waiting:
            known = waiting.get((found.key, found.key or found.speaker))
            turns = found.turns + (known.turns if known else 0)
            waiting[found.key, found.key or found.speaker] = replace(known or found, turns=turns)
    return IngestReport(
        tuple(sessions.values()),
        tuple(error for part in parts for error in part.errors),
        tuple(sorted(waiting.values(), key=lambda found: (-found.turns, found.speaker))),
        tuple(file for part in parts for file in part.unread),
    )


def _added(before: SessionReport, after: SessionReport) -> SessionReport:
    return replace(
        after,
        turns=before.turns + after.turns,
        new=before.new + after.new,
        skipped=before.skipped + after.skipped,
        pending=before.pending + after.pending,
    )
