"""One turn more: what a host or ``turn add`` says as it happens (``cli.md``)."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from gitmem.conversations.authority import render_authority
from gitmem.conversations.growth import Growth, Outcome
from gitmem.conversations.pending import handle_of
from gitmem.conversations.vouched import vouch
from gitmem.errors import Code, Conflict, InvalidRequest, NotFound, Refused
from gitmem.format.instant import instant
from gitmem.format.layout import archive_path, split_handle
from gitmem.format.turn import Turn

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from gitmem.authority import Authority
    from gitmem.conversations.model import Session, SessionId
    from gitmem.conversations.store import ConversationStore
    from gitmem.format.model import TrustMetadata
    from gitmem.ids import SourceId

ROOT = ""
"""The parent of a turn that begins the conversation anew: the first message, said in other words."""

_ROLE = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,31}")

ATTEMPTS = 3
"""How often a turn is added again when the conversation moved meanwhile."""


@dataclass(frozen=True, slots=True)
class NewTurn:
    """A turn as somebody says it: without ``id`` it gets one from content and place, without ``parent`` the head's.

    ``ROOT`` as parent makes it a first message. Only what a person says has a speaker: in other roles it is nobody's.
    ``now`` is the time of a turn that states none, unless it was there before. ``pending``: nobody vouches for it.
    """

    content: str
    role: str = "user"
    id: str | None = None
    parent: str | None = None
    timestamp: str | None = None
    speaker_id: str | None = None
    speaker_display: str | None = None
    display: str | None = None
    source: str | None = None
    metadata: Mapping[str, object] = field(default_factory=dict)
    now: str | None = None
    pending: bool = False


@dataclass(frozen=True, slots=True)
class Added:
    """The turn as it stands, the branch that ends in it (``None``: it is inside one), and whether it is new."""

    turn: Turn
    branch: str | None
    new: bool


def content_id(content: str, ordinal: int) -> str:
    """Make an id for a turn that has none: a hash of its content with its ordinal."""
    return hashlib.sha256(f"{ordinal}\n{content}".encode(errors="surrogatepass")).hexdigest()[:16]


def _never(_handle: SourceId) -> bool:
    return False


def add_turn(
    store: ConversationStore,
    session: SessionId,
    said: NewTurn,
    by: Authority | TrustMetadata,
    is_forgotten: Callable[[SourceId], bool] = _never,
) -> Added:
    """Keep one turn, after its parent, and go on from it; one whose id is there already changes nothing.

    ``by`` is the caller, whose own words and answers it vouches for (``vouch``), or the authority of this very turn.

    Raises ``NotFound`` (``SOURCE_NOT_FOUND``) for an unknown parent, ``InvalidRequest`` for a name or value that no
    archive can hold, ``Refused`` (``COMMIT_REJECTED``) when the id belongs to a turn that says something else, and
    ``Conflict`` when the conversation keeps moving meanwhile. ``is_forgotten`` says whether a message was erased for
    good: such a turn is ``Refused`` (``FORGOTTEN_SOURCE``).
    """
    archive_path(session.provider, session.thread)
    if said.timestamp is not None and (instant(said.timestamp) is None or not said.timestamp.isprintable()):
        raise InvalidRequest(Code.INVALID_ARGUMENT, f"{said.timestamp[:40]!r} is not an ISO date or time")
    if not _ROLE.fullmatch(said.role):
        message = f"{said.role[:40]!r} is not a role; use user, assistant, system or tool"
        raise InvalidRequest(Code.INVALID_ARGUMENT, message)
    if said.role != "user":
        said = replace(said, speaker_id=None, speaker_display=None)
    for attempt in range(ATTEMPTS):
        standing = store.session(session)
        try:
            return _add(store, session, standing, said, by, is_forgotten)
        except Conflict:
            if attempt == ATTEMPTS - 1 or store.session(session) == standing:
                raise
    raise AssertionError  # pragma: no cover - the last attempt returns or raises


def _add(  # noqa: PLR0913, PLR0917  (what one attempt needs)
    store: ConversationStore,
    session: SessionId,
    standing: Session | None,
    said: NewTurn,
    by: Authority | TrustMetadata,
    is_forgotten: Callable[[SourceId], bool],
) -> Added:
    with store.batch() as batch:
        growth = Growth(store, batch, session, standing)
        turn = _turn(store, growth, standing, said, by)
        if is_forgotten(handle_of(turn)):
            message = f"{handle_of(turn)} was forgotten and may not come back"
            raise Refused(Code.FORGOTTEN_SOURCE, message, details={"source_ids": [handle_of(turn)]})
        outcome = growth.offer(turn)
        if outcome is Outcome.CHANGED:
            message = f"the id {turn.id} belongs to a turn of {session} that says something else"
            raise Refused(Code.COMMIT_REJECTED, message)
        delivered_again = outcome is Outcome.KNOWN and said.id is not None
        heads = growth.ends() if delivered_again else growth.finish(turn.id)
        stands = growth.turn(turn.id)
    branch = next((name for name, head in heads.items() if head == turn.id), None)
    return Added(stands, branch, outcome is Outcome.ADDED)


def _turn(
    store: ConversationStore,
    growth: Growth,
    standing: Session | None,
    said: NewTurn,
    by: Authority | TrustMetadata,
) -> Turn:
    parent = growth.head if said.parent is None else said.parent or None
    if parent is not None and not growth.has(parent):
        raise NotFound(Code.SOURCE_NOT_FOUND, f"{growth.session} has no turn {parent}")
    turn_id = said.id or _id_of_content(growth, said.content, parent)
    known = growth.turn(turn_id) if growth.has(turn_id) else None
    if known is not None:
        parent = known.parent  # what it answers decides who vouches for it, wherever it is said again
    answered = None if parent is None else growth.turn(parent)
    made = Turn(
        provider=growth.session.provider,
        thread=growth.session.thread,
        id=turn_id,
        parent=parent,
        role=said.role,
        content=said.content,
        timestamp=said.timestamp or (said.now if known is None else known.timestamp),
        speaker_id=said.speaker_id,
        speaker_display=said.speaker_display,
        authority=render_authority(vouch(store, standing, said, answered, by)),
        display=said.display,
        source=said.source,
        metadata=said.metadata,
    )
    split_handle(handle_of(made))
    return made


def _id_of_content(growth: Growth, content: str, parent: str | None) -> str:
    """Make an id that no turn after another parent has, which said the same as late."""
    ordinal = growth.length(parent) + 1
    made = content_id(content, ordinal)
    if not growth.has(made) or growth.turn(made).parent == parent:
        return made
    return content_id(f"{parent}\n{content}", ordinal)
