"""Slack's export: a zip or a folder, with a folder of days for each channel (``docs/ingest.md``, Slack)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.interop.chain import Chain, session_called
from gitmem.interop.format import Format
from gitmem.interop.reading import Fault, Skipped, Unreadable
from gitmem.interop.slack_export import Export, elements_of, stands_for_export
from gitmem.interop.slack_message import read_message

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.conversations.model import SessionId
    from gitmem.interop.document import Document, Sample
    from gitmem.interop.reading import Place, Reading
    from gitmem.interop.slack_export import Channel
    from gitmem.interop.slack_message import Known

NAME = "slack"
PROVIDER = "slack"


def read_slack(document: Document, _session: SessionId | None = None) -> Iterator[Reading]:
    """Read the export that the document stands for: the thread is the channel's id, a turn's id its message's ``ts``.

    Joins, topics and other notices are skipped. A file of the export that cannot be read is reported.
    """
    export = Export(document)
    yield from export.errors
    is_empty = True
    for channel in export.channels():
        is_empty = False
        yield from _read_channel(channel, export.known)
    if is_empty:
        yield document.place().error(Fault.NOT_A_CONVERSATION, "no folder of a channel, with files named for days")


def looks_like_slack(sample: Sample) -> bool:
    """Whether the document is the first list of an export that has days."""
    return stands_for_export(sample.name, sample.beside)


def _read_channel(channel: Channel, known: Known) -> Iterator[Reading]:
    chain = Chain(session_called(PROVIDER, channel.name))
    for found in (found for day in channel.days for found in elements_of(day)):
        yield from _read_element(found, chain, known) if isinstance(found, tuple) else (found,)
    yield from chain.end()


def _read_element(element: tuple[Place, object], chain: Chain, known: Known) -> Iterator[Reading]:
    place, fields = element
    try:
        draft, problem = read_message(chain.session, fields, place, known)
        placed = None if draft is None else chain.follow(draft)
    except Unreadable as error:
        yield place.error(error.code, str(error))
        return
    if problem is not None:
        yield problem
    yield Skipped(chain.session) if placed is None else placed


FORMAT = Format(NAME, read_slack, looks_like_slack, people=True, spread=True, one_by_one=True)
