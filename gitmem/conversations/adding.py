"""One turn more: what a host or ``turn add`` says as it happens (``cli.md``)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gitmem.conversations.authority import render_authority
from gitmem.conversations.growth import Growth, Outcome
from gitmem.conversations.pending import handle_of
from gitmem.errors import Code, InvalidRequest, NotFound, Refused
from gitmem.format.instant import instant
from gitmem.format.layout import archive_path, split_handle
from gitmem.format.turn import Turn

if TYPE_CHECKING:
    from gitmem.conversations.model import SessionId
    from gitmem.conversations.store import ConversationStore
    from gitmem.format.model import TrustMetadata


@dataclass(frozen=True, slots=True)
class NewTurn:
    """A turn as somebody says it: without ``id`` it gets one from content and place, without ``parent`` the head's."""

    content: str
    role: str = "user"
    id: str | None = None
    parent: str | None = None
    timestamp: str | None = None
    speaker_id: str | None = None
    speaker_display: str | None = None


@dataclass(frozen=True, slots=True)
class Added:
    """The turn as it stands, the branch that ends in it (``None``: it is inside one), and whether it is new."""

    turn: Turn
    branch: str | None
    new: bool


def content_id(content: str, ordinal: int) -> str:
    """Make an id for a turn that has none: a hash of its content with its ordinal."""
    return hashlib.sha256(f"{ordinal}\n{content}".encode(errors="surrogatepass")).hexdigest()[:16]


def add_turn(store: ConversationStore, session: SessionId, said: NewTurn, authority: TrustMetadata) -> Added:
    """Keep one turn, after its parent, and go on from it; the same turn again is the same turn.

    Raises ``NotFound`` (``SOURCE_NOT_FOUND``) for an unknown parent, ``InvalidRequest`` for a name or value that no
    archive can hold, ``Refused`` (``COMMIT_REJECTED``) when the id belongs to a turn that says something else, and
    ``Conflict`` when the conversation moved meanwhile.
    """
    archive_path(session.provider, session.thread)
    with store.batch() as batch:
        growth = Growth(store, batch, session, store.session(session))
        turn = _turn(growth, said, authority)
        outcome = growth.offer(turn)
        if outcome is Outcome.CHANGED:
            message = f"the id {turn.id} belongs to a turn of {session} that says something else"
            raise Refused(Code.COMMIT_REJECTED, message)
        heads = growth.finish(turn.id)
        standing = growth.turn(turn.id)
    branch = next((name for name, head in heads.items() if head == turn.id), None)
    return Added(standing, branch, outcome is Outcome.ADDED)


def _turn(growth: Growth, said: NewTurn, authority: TrustMetadata) -> Turn:
    if said.timestamp is not None and instant(said.timestamp) is None:
        raise InvalidRequest(Code.INVALID_ARGUMENT, f"{said.timestamp[:40]!r} is not an ISO date or time")
    parent = said.parent if said.parent is not None else growth.head
    if parent is not None and not growth.has(parent):
        raise NotFound(Code.SOURCE_NOT_FOUND, f"{growth.session} has no turn {parent}")
    made = Turn(
        provider=growth.session.provider,
        thread=growth.session.thread,
        id=said.id or content_id(said.content, growth.length(parent) + 1),
        parent=parent,
        role=said.role,
        content=said.content,
        timestamp=said.timestamp,
        speaker_id=said.speaker_id,
        speaker_display=said.speaker_display,
        authority=render_authority(authority),
    )
    split_handle(handle_of(made))
    known = growth.turn(made.id) if growth.has(made.id) else None
    return made if known is None else replace(made, parent=known.parent)
