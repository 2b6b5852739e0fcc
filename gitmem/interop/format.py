"""What one format of exports says of itself; how to add one stands in ``gitmem.interop.formats``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gitmem.conversations.model import SessionId
    from gitmem.interop.document import Document, Sample
    from gitmem.interop.reading import Reading


@dataclass(frozen=True, slots=True)
class Format:
    """One format: ``read`` gives a document's readings, ``looks_like`` knows such a document by its sample.

    ``passes`` says how often ``read`` goes through the document, and ``spread`` that it goes through everything that
    lies beside it: for those who show how far it has come.

    ``one_by_one`` says that a document tells one conversation after the other, so that each can be put away when the
    next begins. ``continuous`` says that a document can be cut anywhere and taken in a piece at a time: a conversation
    then goes on from what stands in the store.

    ``named`` says whether the caller may name the conversation; readers of other formats get ``None``. ``people`` says
    whether documents of this format tell several people apart.
    """

    name: str
    read: Callable[[Document, SessionId | None], Iterator[Reading]]
    looks_like: Callable[[Sample], bool]
    named: bool = False
    people: bool = False
    passes: int = 1
    spread: bool = False
    one_by_one: bool = False
    continuous: bool = False
