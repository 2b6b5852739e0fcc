"""With whose authority an ingested turn counts (``behaviours.md`` part 8, "authority of what is ingested").

A file never raises its own authority: only who is named by the caller, and how many people speak, decide.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gitmem.conversations.authority import UNKNOWN_PRINCIPAL, owner_authority
from gitmem.format.model import Tier, TrustMetadata, TrustState
from gitmem.format.speaker import normalize_display, speaker_label
from gitmem.format.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gitmem.conversations.model import NodeId, Session
    from gitmem.conversations.store import ConversationStore
    from gitmem.format.turn import Turn
    from gitmem.interop.reading import Draft


def speaker_key(said: Draft | Turn) -> str | None:
    """What tells one speaker from another: the stable id, else the name; ``None`` for a turn without identity (8.3)."""
    if normalize_display(said.speaker_id):
        return said.speaker_id
    return said.speaker_display if normalize_display(said.speaker_display) else None


@dataclass
class Speakers:
    """The people who speak in what is ingested: key -> the label that is shown for them."""

    labels: dict[str, str] = field(default_factory=dict)
    ids: set[str] = field(default_factory=set)
    """The keys that are ids; a name that is spelled like one is somebody else's."""
    names: set[str] = field(default_factory=set)

    @classmethod
    def together(cls, groups: Iterable[Speakers]) -> Speakers:
        """Everybody of several groups."""
        every = tuple(groups)
        return cls(
            {key: label for group in every for key, label in group.labels.items()},
            {key for group in every for key in group.ids},
            {key for group in every for key in group.names},
        )

    @property
    def number(self) -> int:
        """How many people there are."""
        return len(self.labels) + len(self.ids & self.names)

    def key_of(self, named: str) -> str | None:
        """Give the key of whoever is named: exactly, else as it looks, if only one looks so; ``None`` for nobody.

        Names hold blanks and marks of direction that nobody can type, and what looks the same may be somebody else.
        """
        if named in self.labels:
            return named
        alike = [key for key in self.labels if one_line(key) == one_line(named)]
        return alike[0] if len(alike) == 1 else None

    def note(self, said: Draft | Turn) -> None:
        """Count a speaker in."""
        key = speaker_key(said)
        if said.role == "user" and key is not None:
            self.labels.setdefault(key, speaker_label(said.speaker_display, said.speaker_id, said.role))
            (self.ids if normalize_display(said.speaker_id) else self.names).add(key)

    def note_conversation(self, store: ConversationStore, session: Session) -> None:
        """Count everybody in who speaks in a conversation as it stands."""
        seen: set[NodeId] = set()
        for branch in session.every_branch:
            for node in store.lineage(branch.head):
                if node in seen:
                    break
                seen.add(node)
                self.note(store.turn(node))


@dataclass(frozen=True)
class Vouching:
    """Decides the authority of turns. ``owner`` and ``paired`` are speaker keys as the caller named them.

    ``ids`` are the keys that are ids: whoever has no id and is called by one of them is vouched for by nobody.
    ``alone``: at most one person speaks, who is then the owner unless somebody else was named, or the file shows that
    this is somebody else.
    """

    alone: bool
    owner: str | None = None
    paired: frozenset[str] = frozenset()
    ids: frozenset[str] = frozenset()

    def of(self, draft: Draft, answered: TrustMetadata | None) -> TrustMetadata:
        """Give a turn's authority; ``answered`` is that of the turn before it, ``None`` at a root.

        What an assistant, a tool or the system says has the tier of the turn it answers.
        """
        if draft.role != "user":
            base = answered or (owner_authority() if self.alone else _pending(UNKNOWN_PRINCIPAL))
            return _with_kind(_pending(base.principal_id) if draft.pending else base, draft.role)
        key = speaker_key(draft)
        if draft.pending or (key in self.ids and not normalize_display(draft.speaker_id)):
            return _pending(key)
        return self._of_person(key, is_guest=draft.is_guest)

    def _of_person(self, key: str | None, *, is_guest: bool) -> TrustMetadata:
        if key is None:
            return owner_authority() if self.alone else _pending(UNKNOWN_PRINCIPAL)
        if key == self.owner or (self.alone and self.owner is None and key not in self.paired and not is_guest):
            return owner_authority()
        if key in self.paired:
            return TrustMetadata(TrustState.TRUSTED, "human", key, Tier.PAIRED)
        return _pending(key)


def _pending(principal: str | None) -> TrustMetadata:
    return TrustMetadata(TrustState.PENDING, "human", principal or UNKNOWN_PRINCIPAL, None)


def _with_kind(metadata: TrustMetadata, kind: str) -> TrustMetadata:
    return TrustMetadata(metadata.trust_state, kind, metadata.principal_id, metadata.authority_tier)
