"""Messages that were erased for good do not come back with the next export; what follows them follows on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gitmem.ids import SourceId
from gitmem.interop.reading import Draft, Fault

if TYPE_CHECKING:
    from collections.abc import Callable

    from gitmem.conversations.model import SessionId
    from gitmem.interop.reading import ReadError


class PassingBy:
    """Passes forgotten turns by, and lets their successors follow the turn before them."""

    def __init__(self, is_forgotten: Callable[[SourceId], bool]) -> None:
        """``is_forgotten`` says whether the message of a handle was erased."""
        self._is_forgotten = is_forgotten
        self._before: dict[tuple[SessionId, str], str | None] = {}

    def look(self, draft: Draft) -> Draft | ReadError:
        """The turn as it is to be taken in, or why it is not."""
        parent = self.heir(draft.session, draft.parent)
        if self._is_forgotten(SourceId(f"{draft.session}/{draft.id}")):
            self._before[draft.session, draft.id] = parent
            message = f"{draft.session}/{draft.id} was forgotten and may not come back"
            return draft.place.error(Fault.FORGOTTEN_SOURCE, message[:300])
        before = self.heir(draft.session, draft.before)
        return (
            draft if (parent, before) == (draft.parent, draft.before) else replace(draft, parent=parent, before=before)
        )

    def heir(self, session: SessionId, turn_id: str | None) -> str | None:
        """The turn that stands for one: of a forgotten one, the turn before it."""
        while turn_id is not None and (session, turn_id) in self._before:
            turn_id = self._before[session, turn_id]
        return turn_id
