"""What the caller named, as documents in known formats: one path may hold many (``cli.md``, Inputs)."""

from __future__ import annotations

from collections import Counter
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gitmem.errors import Code, InvalidRequest, NotFound
from gitmem.interop.container import opened
from gitmem.interop.detect import detect_format, may_hold_a_conversation
from gitmem.interop.document import Document
from gitmem.interop.formats import format_named
from gitmem.interop.meter import UNSEEN
from gitmem.interop.reading import Draft, Fault, Place, ReadError, file_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from gitmem.conversations.model import SessionId
    from gitmem.interop.format import Format
    from gitmem.interop.meter import Meter
    from gitmem.interop.reading import Reading


@dataclass(frozen=True, slots=True)
class Source:
    """One document in a known format; ``session`` as the caller named it.

    ``is_doubtful``: the caller named the format, and the document does not look like it.
    """

    document: Document
    format: Format
    session: SessionId | None
    is_doubtful: bool = False

    @property
    def size(self) -> int:
        """How many bytes it takes to read it once."""
        documents = self.document.beside.values() if self.format.spread else (self.document,)
        return self.format.passes * sum(document.size for document in documents)

    def readings(self) -> Iterator[Reading]:
        """Read the document; one that cannot be opened, or stops being readable, is one more reading.

        So is one that looks unlike the format that was named, when nothing else is said of it.
        """
        says_something = False
        try:
            for reading in self.format.read(self.document, self.session):
                says_something = says_something or isinstance(reading, (Draft, ReadError))
                yield reading
        except OSError as error:
            says_something = True
            yield _unreadable(self.document.place(), error)
        if self.is_doubtful and not says_something:
            yield self.document.place().error(Fault.UNKNOWN_FORMAT, f"nothing here looks like {self.format.name}")


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
            found = _source(document, wanted, session, alone=len(documents) == 1)
        except OSError as error:
            errors.append(_unreadable(document.place(), error))
        else:
            sources += [] if found is None else [found]
    if not sources and not errors:
        errors.append(Place(label).error(Fault.UNKNOWN_FORMAT, _nothing_known(documents, wanted)))
    return Found(label, tuple(sources), tuple(_each_said_once(errors)))


def _source(document: Document, wanted: Format | None, session: SessionId | None, *, alone: bool) -> Source | None:
    """The document in its own format, or in the one that is named if this may be it; ``None`` to pass it over."""
    sample = document.sample()
    found = detect_format(sample) if wanted is None else wanted
    looks_like_it = wanted is None or wanted.looks_like(sample)
    if found is None or not (looks_like_it or alone):
        return None
    if session is not None and not found.named:
        message = f"{document.name} names its conversations itself; --session is for formats that do not"
        raise InvalidRequest(Code.INVALID_ARGUMENT, message)
    return Source(document, found, session, is_doubtful=not looks_like_it and bool(sample.head.strip()))


def _nothing_known(documents: Sequence[Document], wanted: Format | None) -> str:
    if not any(document.size for document in documents):
        return "there is nothing in it"
    if wanted is None:
        return "this is in no format that is known; name one with --format"
    return f"nothing here looks like {wanted.name}; give the file itself"


def _each_said_once(errors: Sequence[ReadError]) -> Iterator[ReadError]:
    """One report for what ails many files alike, as a password does the members of a zip."""
    alike = Counter(error.message for error in errors)
    for error in errors:
        if more := alike.pop(error.message, 0) - 1:
            yield from () if more < 0 else (replace(error, message=f"{error.message}; and {more:,} more like it"),)
        else:
            yield error


def _unreadable(place: Place, error: OSError) -> ReadError:
    return place.error(Fault.UNREADABLE_FILE, f"the file cannot be read: {error.strerror or error}")
