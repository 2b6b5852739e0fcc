"""With whose authority a turn counts that is added as it is said (``behaviours.md`` part 8, 8.10 to 8.13)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gitmem.authority import Authority
from gitmem.conversations.authority import UNKNOWN_PRINCIPAL, authority_of, owner_authority
from gitmem.conversations.speaking import person, speaker_key
from gitmem.errors import Code, InvalidRequest
from gitmem.format.model import Tier, TrustMetadata, TrustState

if TYPE_CHECKING:
    from gitmem.conversations.adding import NewTurn
    from gitmem.conversations.model import Session
    from gitmem.conversations.store import ConversationStore
    from gitmem.format.turn import Turn


def vouch(
    store: ConversationStore,
    standing: Session | None,
    said: NewTurn,
    answered: Turn | None,
    by: Authority | TrustMetadata,
) -> TrustMetadata:
    """Give the authority of a turn; ``answered`` is the turn that it follows.

    A ``TrustMetadata`` is the host's own word, which must be complete. For a caller: what nobody in particular says is
    the caller's. A person who is named counts as before in this conversation, and as the caller while nobody else has
    been named there; any other is pending. What an assistant or a tool says has the tier of the turn that it answers.
    Nobody gives more than they have. Raises ``InvalidRequest`` for a word that vouches for nobody (8.10, 8.12).
    """
    if said.pending:
        return TrustMetadata(TrustState.PENDING, _kind(said), speaker_key(said) or UNKNOWN_PRINCIPAL, None)
    if not isinstance(by, Authority):
        return _complete(by)
    if by.tier is None:
        return TrustMetadata(TrustState.PENDING, _kind(said), by.principal_id, None)
    own = TrustMetadata(TrustState.TRUSTED, "human", by.principal_id, by.tier)
    if said.role != "user":
        base = own if answered is None else (authority_of(answered) or owner_authority())
    else:
        base = _of_person(store, standing, said, own)
    if by.tier is not Tier.OWNER and base.authority_tier is not by.tier and base.trust_state is TrustState.TRUSTED:
        base = own
    return replace(base, speaker_kind=_kind(said))


def _of_person(store: ConversationStore, standing: Session | None, said: NewTurn, own: TrustMetadata) -> TrustMetadata:
    somebody = person(said)
    if somebody is None or standing is None:
        return own
    known = store.speakers(standing)
    if somebody in known:
        return authority_of(store.turn(known[somebody])) or owner_authority()
    return TrustMetadata(TrustState.PENDING, "human", speaker_key(said), None) if known else own


def _kind(said: NewTurn) -> str:
    return "human" if said.role == "user" else said.role


def _complete(authority: TrustMetadata) -> TrustMetadata:
    trusted = authority.trust_state is TrustState.TRUSTED
    nobody = not authority.principal_id or (trusted and authority.principal_id == UNKNOWN_PRINCIPAL)
    if nobody or not authority.speaker_kind or trusted is (authority.authority_tier is None):
        message = "a turn requires authority: a kind of speaker, a principal, and a tier when it is trusted, else none"
        raise InvalidRequest(Code.INVALID_ARGUMENT, message)
    return authority
