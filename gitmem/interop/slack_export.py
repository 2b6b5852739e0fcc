"""Which files make up one Slack export: lists of people and channels, and a folder of days for each channel."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from gitmem.interop.json_stream import BadJson, Cut, JsonStream
from gitmem.interop.reading import Fault
from gitmem.interop.slack_message import Known, Member

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from gitmem.interop.document import Document
    from gitmem.interop.reading import Place, ReadError

USERS = "users.json"
CHANNELS = ("channels.json", "groups.json", "mpims.json", "dms.json")
INDEXES = (USERS, *CHANNELS)
_DAY = re.compile(r"\d{4}-\d\d-\d\d\.json")


def stands_for_export(name: str, names: Collection[str]) -> bool:
    """Whether a file is the first list of an export that has at least one day; ``names`` are those beside it."""
    path = PurePosixPath(name)
    if path.name not in INDEXES:
        return False
    first = next(index for index in INDEXES if str(path.parent / index) in names or index == path.name)
    return path.name == first and any(_is_day_of(path.parent, other) for other in names)


def _is_day_of(root: PurePosixPath, name: str) -> bool:
    path = PurePosixPath(name)
    return _DAY.fullmatch(path.name) is not None and path.parent != root and path.parent.parent == root


@dataclass(frozen=True, slots=True)
class Channel:
    """A channel with its days in order; ``name`` is its id where the export knows it, else its folder's name."""

    name: str
    days: tuple[Document, ...]


class Export:
    """One export. What is wrong with its lists is in ``errors``; its messages can be read without them."""

    def __init__(self, document: Document) -> None:
        """Look around the file that stands for the export."""
        self._beside = document.beside or {document.name: document}
        self._root = PurePosixPath(document.name).parent
        self.errors: list[ReadError] = []
        members: dict[str, Member] = {}
        for fields in self._entries(USERS):
            if isinstance(found := fields.get("id"), str):
                members[found] = Member.of(fields)
        self._ids: dict[str, str] = {}
        titles: dict[str, str] = {}
        for index in CHANNELS:
            for fields in self._entries(index):
                found, name = fields.get("id"), fields.get("name")
                if isinstance(found, str):
                    self._ids[name if isinstance(name, str) else found] = found
                    titles[found] = name if isinstance(name, str) else found
        handles = {key: member.handle for key, member in members.items() if member.handle}
        self.known = Known(members, {**titles, **handles})

    def channels(self) -> Iterator[Channel]:
        """Give every channel that has a day."""
        by_folder: dict[str, list[Document]] = {}
        for name in sorted(name for name in self._beside if _is_day_of(self._root, name)):
            by_folder.setdefault(PurePosixPath(name).parent.name, []).append(self._beside[name])
        for folder, days in by_folder.items():
            yield Channel(self._ids.get(folder, folder), tuple(days))

    def _entries(self, index: str) -> Iterator[dict[str, Any]]:
        document = self._beside.get(str(self._root / index))
        for found in () if document is None else elements_of(document):
            if not isinstance(found, tuple):
                self.errors.append(found)
            elif isinstance(found[1], dict):
                yield found[1]


def elements_of(document: Document) -> Iterator[tuple[Place, object] | ReadError]:
    """Give the elements of a file that is a list, each with its place, and what cannot be read."""
    try:
        with document.open() as stream:
            yield from _elements(document, JsonStream(stream))
    except Cut as error:
        yield document.place(error.line).error(error.code, f"what follows cannot be read: {error}")
    except OSError as error:
        yield document.place().error(Fault.UNREADABLE_FILE, f"the file cannot be read: {error.strerror}")


def _elements(document: Document, json: JsonStream) -> Iterator[tuple[Place, object] | ReadError]:
    if json.peek() != "[":
        yield document.place().error(Fault.NOT_A_CONVERSATION, "the file holds no list")
        return
    for number in json.elements():
        place = document.place(item=f"entry {number}")
        try:
            yield place, json.value()
        except Cut:
            raise
        except BadJson as error:
            yield document.place(error.line, place.item).error(error.code, str(error))
