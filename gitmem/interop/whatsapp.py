"""WhatsApp's chat export: a text file, one message after another (``docs/ingest.md``, WhatsApp).

The file is read line by line, twice: which number of a date is the day shows in all of it only.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from gitmem.format.text import one_line
from gitmem.interop.chain import Chain, RepeatIds, session_called
from gitmem.interop.format import Format
from gitmem.interop.lines import MAX_LINE_BYTES, numbered_lines
from gitmem.interop.reading import Draft, Fault, Skipped, Unreadable, sound_text
from gitmem.interop.whatsapp_line import parse_header, split_sender
from gitmem.interop.whatsapp_survey import Survey, survey_of
from gitmem.interop.whatsapp_text import read_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.conversations.model import SessionId
    from gitmem.interop.document import Document, Sample
    from gitmem.interop.reading import Reading
    from gitmem.interop.whatsapp_line import Header, Style

NAME = "whatsapp"
PROVIDER = "whatsapp"

_IN_AN_ARCHIVE = "_chat"
"""How iOS calls the file in its zip; the zip has the chat's name."""
_COPY = re.compile(r" ?\(\d{1,3}\)$")
_CALLED = re.compile(
    r"(?:WhatsApp[ -]Chat|Chat (?:de )?WhatsApp|Discussion WhatsApp|Conversa do WhatsApp) (?:with|-|mit|con|avec|com) "
)
_QUOTATION = timedelta(days=1)
"""A message this much older than the one above it may be a part of that one: a chat that was pasted into it."""


def read_whatsapp(document: Document, session: SessionId | None = None) -> Iterator[Reading]:
    """Read a chat: the thread is the file's name, a turn's id is made of what the message is, and of how often it was.

    Notices without a sender and deleted messages are skipped. Raises ``OSError`` when the file cannot be read.
    """
    survey = survey_of(header for _, text, _ in _lines(document) if (header := parse_header(text)))
    if survey is None:
        yield document.place().error(Fault.NOT_A_CONVERSATION, "no line begins as a message of WhatsApp does")
        return
    if survey.assumed:
        assumed = f"the dates fit two orders; they were read as {survey.order}"
        yield document.place().error(Fault.ASSUMED_DATE_ORDER, assumed)
    reader = _Reader(document, session or session_of(document), survey)
    for message in _messages(document, survey.style):
        yield from reader.read(message)
    yield from reader.chain.end()


def looks_like_whatsapp(sample: Sample) -> bool:
    """Whether the first line that says anything begins as a message does."""
    if sample.is_member and sample.suffix != ".txt":
        return False
    first = next((line for line in sample.head.splitlines() if line.strip()), b"")
    return parse_header(first.decode(errors="replace")) is not None


def session_of(document: Document) -> SessionId:
    """Name the conversation after the file, or after what the file lies in; without the number of a second download."""
    name = _COPY.sub("", document.stem)
    if name == _IN_AN_ARCHIVE:
        around = PurePosixPath(document.label).parent.name
        name = _COPY.sub("", around.removesuffix(".zip")) or name
    return session_called(PROVIDER, _CALLED.sub("", name, count=1))


@dataclass
class _Message:
    """One message as it stands: where it begins, and the lines that follow. A fault costs all of it."""

    line: int
    header: Header | None
    texts: list[str] = field(default_factory=list)
    size: int = 0
    fault: tuple[int, Fault] | None = None

    def add(self, line: int, text: str, fault: Fault | None) -> None:
        self.size += len(text)
        if fault is None and self.size > MAX_LINE_BYTES:
            fault = Fault.LINE_TOO_LONG
        if fault is None:
            self.texts.append(text)
        elif self.fault is None:
            self.fault = line, fault


def _messages(document: Document, style: Style) -> Iterator[_Message]:
    """The messages of the file; the first has no header when something else stands before them."""
    open_message: _Message | None = None
    for line, text, fault in _lines(document):
        header = parse_header(text)
        if header is not None and header.style == style:
            if open_message is not None:
                yield open_message
            open_message = _Message(line, header)
            text = header.rest  # noqa: PLW2901 - the header was taken off
        elif open_message is None:
            if not text.strip():
                continue
            open_message = _Message(line, None)
        open_message.add(line, text, fault)
    if open_message is not None:
        yield open_message


def _lines(document: Document) -> Iterator[tuple[int, str, Fault | None]]:
    """Every line with its number, without its end; a damaged one as far as it can be read."""
    for number, raw in numbered_lines(document):
        if raw is None:
            yield number, "", Fault.LINE_TOO_LONG
            continue
        try:
            yield number, raw.decode().removesuffix("\n"), None
        except UnicodeDecodeError:
            yield number, raw.decode(errors="replace").removesuffix("\n"), Fault.NOT_UTF8


class _Reader:
    """Turns the messages of one chat into readings."""

    def __init__(self, document: Document, session: SessionId, survey: Survey) -> None:
        self._document = document
        self._survey = survey
        self._guest = session_of(document).thread
        self._ids = RepeatIds()
        self._latest: date | None = None
        self.chain = Chain(session)

    def read(self, message: _Message) -> Iterator[Reading]:
        place = self._document.place(message.line)
        if message.fault is not None:
            line, code = message.fault
            yield self._document.place(line).error(code, "the message cannot be read and is left out")
        elif message.header is None:
            yield place.error(Fault.NOT_A_TURN, "the text before the first message is nobody's")
        else:
            try:
                yield from self._read(message, message.header)
            except Unreadable as error:
                yield place.error(error.code, str(error))

    def _read(self, message: _Message, header: Header) -> Iterator[Reading]:
        sender, first = split_sender(message.texts[0])
        said = None if sender is None else read_text("\n".join([first, *message.texts[1:]]).rstrip("\r\n"))
        if sender is None or said is None:
            yield Skipped(self.chain.session)
            return
        place = self._document.place(message.line)
        day = None if header.clock is None else header.day(self._survey.order)
        older = self._is_older(day)
        if day is None:
            yield place.error(Fault.BAD_TIME, "no calendar or clock shows this time; the turn is kept without it")
        elif older:
            yield place.error(Fault.OUT_OF_ORDER, "the message is older than the one above it, which may be quoting it")
        by_whatsapp = said.by_whatsapp and header.style.bracketed
        content = sound_text(said.text, "the message")
        yield self.chain.follow(
            Draft(
                session=self.chain.session,
                id=self._ids.id_of(str(header.numbers), header.clock, sender, content),
                parent=None,
                role="system" if by_whatsapp else "user",
                content=content,
                place=place,
                timestamp=None if day is None else f"{day}T{header.clock}",
                speaker_display=None if by_whatsapp else sender,
                metadata={"edited": True} if said.edited else {},
                pending=older,
                is_guest=one_line(sender) == self._guest,
            )
        )

    def _is_older(self, day: date | None) -> bool:
        """Whether a message is so much older than another before it that nobody can vouch for who wrote it."""
        if day is None:
            return False
        if self._latest is not None and self._latest - day > _QUOTATION:
            return True
        self._latest = max(day, self._latest or day)
        return False


FORMAT = Format(NAME, read_whatsapp, looks_like_whatsapp, named=True, people=True, passes=2, one_by_one=True)
