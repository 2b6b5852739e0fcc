"""What the caller named, as documents in known formats: one path may hold many (``cli.md``, Inputs)."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.errors import Code, InvalidRequest, NotFound
from gitmem.interop.container import opened
from gitmem.interop.detect import detect_format, may_hold_a_conversation
from gitmem.interop.document import Document
from gitmem.interop.formats import format_named
from gitmem.interop.meter import UNSEEN
from gitmem.interop.reading import Fault, Place, ReadError, file_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from gitmem.conversations.model import SessionId
    from gitmem.interop.format import Format
    from gitmem.interop.meter import Meter
    from gitmem.interop.reading import Reading


@dataclass(frozen=True, slots=True)
class Source:
    """One document in a known format; ``session`` as the caller named it."""

    document: Document
    format: Format
    session: SessionId | None

    @property
    def size(self) -> int:
        """How many bytes it takes to read it once."""
        documents = self.document.beside.values() if self.format.spread else (self.document,)
        return self.format.passes * sum(document.size for document in documents)

    def readings(self) -> Iterator[Reading]:
        """Read the document; one that cannot be opened, or stops being readable, is one more reading."""
        try:
            yield from self.format.read(self.document, self.session)
        except OSError as error:
            yield _unreadable(self.document.place(), error)


@dataclass(frozen=True, slots=True)
class Found:
    """What one path holds: its sources in the order of their names, and what could not be looked into."""

    file: str
    sources: tuple[Source, ...]
    errors: tuple[ReadError, ...]


@contextmanager
def sources_of(path: Path, format_name: str, session: SessionId | None, meter: Meter = UNSEEN) -> Iterator[Found]:
    """Look into a path; its sources can be read inside of the ``with``, and what is read is counted.

    In a zip or folder, documents of no known format (or not of the one that is named) are passed over, unless nothing
    else is there. Raises ``NotFound`` for a path that does not exist, and ``InvalidRequest`` for an unknown format or a
    ``session`` that a format does not take.
    """
    wanted = format_named(format_name)
    label = file_name(path)
    if not path.exists():
        raise NotFound(Code.PATH_NOT_FOUND, f"there is no file {path}", path=label)
    with ExitStack() as open_until_done:
        try:
            parts = open_until_done.enter_context(opened(path, meter))
        except OSError as error:
            yield Found(label, (), (_unreadable(Place(label), error),))
            return
        yield _sorted_out(label, parts, wanted, session)


def _sorted_out(
    label: str, parts: Sequence[Document | ReadError], wanted: Format | None, session: SessionId | None
) -> Found:
    errors = [part for part in parts if isinstance(part, ReadError)]
    documents = [part for part in parts if isinstance(part, Document) and may_hold_a_conversation(part)]
    sources: list[Source] = []
    for document in documents:
        try:
            found = _format_of(document, wanted, alone=len(documents) == 1)
        except OSError as error:
            errors.append(_unreadable(document.place(), error))
            continue
        if found is not None:
            sources.append(_source(document, found, session))
    if not sources and not errors:
        errors.append(Place(label).error(Fault.UNKNOWN_FORMAT, _nothing_known(wanted)))
    return Found(label, tuple(sources), tuple(_each_said_once(errors)))


def _source(document: Document, found: Format, session: SessionId | None) -> Source:
    if session is not None and not found.named:
        message = f"{document.name} names its conversations itself; --session is for formats that do not"
        raise InvalidRequest(Code.INVALID_ARGUMENT, message)
    return Source(document, found, session)


def _format_of(document: Document, wanted: Format | None, *, alone: bool) -> Format | None:
    """The document's own format, or the one that is named if this may be it."""
    if wanted is None:
        return detect_format(document)
    return wanted if alone or wanted.looks_like(document.sample()) else None


def _nothing_known(wanted: Format | None) -> str:
    if wanted is None:
        return "this is in no format that is known; name one with --format"
    return f"nothing here looks like {wanted.name}; give the file itself"


def _each_said_once(errors: Sequence[ReadError]) -> Iterator[ReadError]:
    """One report for what ails all members of a zip alike, as a password does."""
    said: set[str] = set()
    for error in errors:
        if error.message not in said:
            said.add(error.message)
            yield error


def _unreadable(place: Place, error: OSError) -> ReadError:
    return place.error(Fault.UNREADABLE_FILE, f"the file cannot be read: {error.strerror}")
