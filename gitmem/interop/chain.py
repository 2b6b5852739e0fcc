"""Conversations that are told as they happened: every message follows the one before it in the file."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from typing import TYPE_CHECKING

from gitmem.conversations.adding import content_id
from gitmem.conversations.model import SessionId
from gitmem.format.text import one_line
from gitmem.interop.reading import Current, Unreadable, sound_handle

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.interop.reading import Draft

_IN_A_NAME = str.maketrans({"[": "(", "]": ")", "<": "(", ">": ")", "/": "-"})


class Chain:
    """The turns of one conversation, one after the other; the last is the one that the conversation goes on from."""

    def __init__(self, session: SessionId) -> None:
        """Begin with no turn."""
        self.session = session
        self._last: str | None = None

    def follow(self, draft: Draft) -> Draft:
        """Put a turn after the one before it. Raises ``Unreadable`` for an id that no source handle can hold."""
        sound_handle(self.session, draft.id)
        placed = replace(draft, parent=self._last, before=self._last, continues=self._last is None)
        self._last = draft.id
        return placed

    def end(self) -> Iterator[Current]:
        """Say which turn is the last: a message that was edited since the last export stands beside it, not after."""
        if self._last is not None:
            yield Current(self.session, self._last)


class RepeatIds:
    """Ids for messages that have none: made of what a message is, and of how many equal ones came before it."""

    def __init__(self) -> None:
        """Begin a conversation."""
        self._seen: dict[str, int] = {}

    def id_of(self, *parts: str | None) -> str:
        """Give the next message of these parts its id: the same in every export that has the messages before it."""
        content = json.dumps(parts)
        key = content_id(content, 0)
        self._seen[key] = self._seen.get(key, 0) + 1
        return content_id(content, self._seen[key])


def session_called(provider: str, name: str) -> SessionId:
    """Name a conversation after what people call it, as far as an archive can; else by a digest of that."""
    session = SessionId(provider, one_line(name).translate(_IN_A_NAME))
    try:
        sound_handle(session, "x")
    except Unreadable:
        return SessionId(provider, f"chat-{hashlib.sha256(name.encode(errors='replace')).hexdigest()[:16]}")
    return session
