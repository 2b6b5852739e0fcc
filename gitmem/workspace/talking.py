"""Conversations as they stand: their turns and branches, and what of them is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.workspace.keeping import Keeping
from gitmem.workspace.rights import Capability, needs

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitmem.conversations.added import AddedAnswer
    from gitmem.conversations.listing import BranchesAnswer, Listing, SessionsAnswer, TurnsAnswer
    from gitmem.conversations.model import SessionId
    from gitmem.format.model import TrustMetadata


class Talking(Keeping):
    """The ``turn`` commands of ``cli.md``."""

    @needs(Capability.RECORD)
    def add_turn(  # noqa: PLR0913  (what a turn is made of)
        self,
        session: str,
        content: str,
        *,
        id: str | None = None,  # noqa: A002  (the option's name)
        parent: str | None = None,
        role: str = "user",
        speaker_id: str | None = None,
        speaker_display: str | None = None,
        timestamp: str | None = None,
        display: str | None = None,
        source: str | None = None,
        metadata: Mapping[str, object] | None = None,
        authority: TrustMetadata | None = None,
        pending: bool = False,
    ) -> AddedAnswer:
        """Keep one turn of the conversation ``provider/thread``, and go on from it (``cli.md``, ``turn add``).

        ``parent`` is the id of the turn it follows: an earlier one forks the conversation, ``""`` begins it anew, and
        without one it follows the current head. Without ``id`` it gets one from content and place. ``timestamp`` is an
        ISO date or time, ``""`` leaves it undated, and without one it is said now. ``authority`` is the host's word on
        who vouches for it; without one the caller does, as far as ``gitmem.conversations.vouched`` says; ``pending``:
        nobody does. The same id again is the same turn.

        Raises ``NotFound`` (``SOURCE_NOT_FOUND``), ``InvalidRequest``, ``Refused`` (``COMMIT_REJECTED``) when the id
        belongs to a turn that says something else, ``Refused`` (``FORGOTTEN_SOURCE``) for one that was erased for good,
        and ``Conflict``.
        """
        from gitmem.conversations.added import added_answer  # noqa: PLC0415
        from gitmem.conversations.adding import NewTurn, add_turn  # noqa: PLC0415

        said = NewTurn(
            content=content,
            role=role,
            id=id,
            parent=parent,
            timestamp=timestamp or None,
            speaker_id=speaker_id,
            speaker_display=speaker_display,
            display=display,
            source=source,
            metadata=metadata or {},
            now=None if timestamp == "" else self.options.now().isoformat(timespec="seconds"),
            pending=pending,
        )
        name = session_id(session)
        by = authority or self.authority
        return added_answer(name, add_turn(self.conversations, name, said, by, self._is_forgotten))

    @needs(Capability.AUDIT)
    def turn_sessions(self, *, unwritten: bool = False) -> SessionsAnswer:
        """Every conversation with its live branches; ``unwritten``: those of which something waits."""
        return self._listing().sessions(unwritten=unwritten)

    @needs(Capability.AUDIT)
    def turns(self, session: str, *, branch: str | None = None, unwritten: bool = False) -> TurnsAnswer:
        """The turns of one branch, of the current head's by default, oldest first; ``unwritten``: those that wait.

        Raises ``NotFound`` (``SOURCE_NOT_FOUND``) for a conversation or branch that is not there.
        """
        from gitmem.conversations.steering import find_branch, find_session  # noqa: PLC0415

        found = find_session(self.conversations, session_id(session))
        chosen = found.head if branch is None else find_branch(found, branch)
        return self._listing().turns(found.id, chosen, unwritten=unwritten)

    @needs(Capability.AUDIT)
    def branches(self, session: str) -> BranchesAnswer:
        """The branches of a conversation, archived ones too. Raises ``NotFound`` (``SOURCE_NOT_FOUND``)."""
        from gitmem.conversations.steering import find_session  # noqa: PLC0415

        return self._listing().branches(find_session(self.conversations, session_id(session)))

    @needs(Capability.RECORD)
    def choose_head(self, session: str, branch: str) -> BranchesAnswer:
        """Let a conversation go on from another branch, which is ``main`` and live from now on.

        Raises ``NotFound`` (``SOURCE_NOT_FOUND``) and ``Conflict``.
        """
        from gitmem.conversations.steering import choose_head  # noqa: PLC0415

        return self._listing().branches(choose_head(self.conversations, session_id(session), branch))

    @needs(Capability.RECORD)
    def archive_branch(self, session: str, branch: str) -> BranchesAnswer:
        """Keep a branch without its being live: what stands on it alone is not written.

        Raises ``NotFound`` (``SOURCE_NOT_FOUND``), ``InvalidRequest`` for the current head, and ``Conflict``.
        """
        from gitmem.conversations.steering import archive_branch  # noqa: PLC0415

        return self._listing().branches(archive_branch(self.conversations, session_id(session), branch))

    @needs(Capability.READ)
    def pending_turns(self) -> int:
        """How many turns wait to be written, over all conversations and live branches (12.2)."""
        from gitmem.conversations.pending import count_pending  # noqa: PLC0415

        inbox = self._inbox()
        return count_pending(inbox.store, inbox.standing, inbox.archived)

    def _listing(self) -> Listing:
        from gitmem.conversations.listing import Listing  # noqa: PLC0415

        inbox = self._inbox()
        return Listing(inbox.store, inbox.standing, inbox.archived)


def session_id(text: str) -> SessionId:
    """The name of a conversation as commands take it. Raises ``InvalidRequest``."""
    from gitmem.conversations.model import SessionId  # noqa: PLC0415

    return SessionId.parse(text)
