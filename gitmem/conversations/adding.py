"""One turn more: what a host or ``turn add`` says as it happens (``cli.md``)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from gitmem.conversations.authority import authority_of, render_authority
from gitmem.conversations.growth import Growth, Outcome
from gitmem.conversations.pending import handle_of
from gitmem.conversations.speaking import is_eligible
from gitmem.conversations.vouched import vouch
from gitmem.errors import Code, Conflict, InvalidRequest, NotFound, Refused
from gitmem.format.instant import instant
from gitmem.format.layout import archive_path, split_handle
from gitmem.format.model import TrustState
from gitmem.format.turn import Turn

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitmem.conversations.model import Session, SessionId
    from gitmem.conversations.store import ConversationStore
    from gitmem.format.model import TrustMetadata
    from gitmem.request import Authority

ROOT = ""
"""The parent of a turn that begins the conversation anew: the first message, said in other words."""

ATTEMPTS = 3
"""How often a turn is added again when the conversation moved meanwhile."""


@dataclass(frozen=True, slots=True)
class NewTurn:
    """A turn as somebody says it: without ``id`` it gets one from content and place, without ``parent`` the head's.

    ``ROOT`` as parent makes it a first message. Only what a person says has a speaker: in other roles it is nobody's.
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


@dataclass(frozen=True, slots=True)
class Added:
    """The turn as it stands, the branch that ends in it (``None``: it is inside one), and whether it is new."""

    turn: Turn
    branch: str | None
    new: bool


@dataclass(frozen=True, slots=True)
class AddedAnswer:
    """A turn as it stands after it was added (``turn add``).

    ``branch`` is the one that ends in it, ``None`` when it stands inside one; ``new`` is false when it was there.
    ``eligible``: whether it is of the kind that is written up (9.4). ``trust_state`` and ``tier`` are those of who
    vouches for it.
    """

    session: str
    branch: str | None
    new: bool
    id: str
    parent: str | None
    role: str
    speaker_id: str | None
    speaker_display: str | None
    timestamp: str | None
    content: str
    eligible: bool
    trust_state: str
    tier: str | None


def content_id(content: str, ordinal: int) -> str:
    """Make an id for a turn that has none: a hash of its content with its ordinal."""
    return hashlib.sha256(f"{ordinal}\n{content}".encode(errors="surrogatepass")).hexdigest()[:16]


def add_turn(store: ConversationStore, session: SessionId, said: NewTurn, by: Authority | TrustMetadata) -> Added:
    """Keep one turn, after its parent, and go on from it; the same turn again is the same turn.

    ``by`` is the caller, whose own words and answers it vouches for (``vouch``), or the authority of this very turn.

    Raises ``NotFound`` (``SOURCE_NOT_FOUND``) for an unknown parent, ``InvalidRequest`` for a name or value that no
    archive can hold, ``Refused`` (``COMMIT_REJECTED``) when the id belongs to a turn that says something else, and
    ``Conflict`` when the conversation keeps moving meanwhile.
    """
    archive_path(session.provider, session.thread)
    if said.timestamp is not None and instant(said.timestamp) is None:
        raise InvalidRequest(Code.INVALID_ARGUMENT, f"{said.timestamp[:40]!r} is not an ISO date or time")
    if said.role != "user":
        said = replace(said, speaker_id=None, speaker_display=None)
    for attempt in range(ATTEMPTS):
        standing = store.session(session)
        try:
            return _add(store, session, standing, said, by)
        except Conflict:
            if attempt == ATTEMPTS - 1 or store.session(session) == standing:
                raise
    raise AssertionError  # pragma: no cover - the last attempt returns or raises


def added_answer(session: SessionId, added: Added) -> AddedAnswer:
    """The answer of ``turn add``."""
    turn = added.turn
    authority = authority_of(turn)
    return AddedAnswer(
        session=str(session),
        branch=added.branch,
        new=added.new,
        id=turn.id,
        parent=turn.parent,
        role=turn.role,
        speaker_id=turn.speaker_id,
        speaker_display=turn.speaker_display,
        timestamp=turn.timestamp,
        content=turn.content,
        eligible=is_eligible(turn),
        trust_state=TrustState.TRUSTED if authority is None else authority.trust_state,
        tier=None if authority is None else authority.authority_tier,
    )


def _add(
    store: ConversationStore,
    session: SessionId,
    standing: Session | None,
    said: NewTurn,
    by: Authority | TrustMetadata,
) -> Added:
    with store.batch() as batch:
        growth = Growth(store, batch, session, standing)
        turn = _turn(store, growth, standing, said, by)
        outcome = growth.offer(turn)
        if outcome is Outcome.CHANGED:
            message = f"the id {turn.id} belongs to a turn of {session} that says something else"
            raise Refused(Code.COMMIT_REJECTED, message)
        known = outcome is Outcome.KNOWN
        heads = growth.ends() if known else growth.finish(turn.id)
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
    answered = None if parent is None else growth.turn(parent)
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
        authority=render_authority(vouch(store, standing, said, answered, by)),
        display=said.display,
        source=said.source,
        metadata=said.metadata,
    )
    split_handle(handle_of(made))
    return replace(made, parent=growth.turn(made.id).parent) if growth.has(made.id) else made
