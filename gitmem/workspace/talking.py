"""Conversations as they stand: their turns and branches, and what of them is written."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from gitmem.format.layout import GITMEM
from gitmem.format.workspace_file import parse_workspace_file
from gitmem.workspace.base import OpenWorkspace

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitmem.conversations.adding import AddedAnswer
    from gitmem.conversations.listing import BranchesAnswer, Listing, SessionsAnswer, TurnsAnswer
    from gitmem.conversations.model import SessionId
    from gitmem.conversations.store import ConversationStore
    from gitmem.format.model import TrustMetadata
    from gitmem.ids import Oid, SourceId, WorkspaceId
    from gitmem.writer.write import Inbox


class Talking(OpenWorkspace):
    """The ``turn`` commands of ``cli.md``."""

    @cached_property
    def conversations(self) -> ConversationStore:
        """The host's conversation store, else the workspace's own."""
        if self.hosted is not None:
            return self.hosted
        from gitmem.conversations.git import GitConversations  # noqa: PLC0415

        return GitConversations(self.repo, lock_timeout=self.options.lock_timeout)

    def close(self) -> None:
        """Let go of the catalogue, and of the workspace's own conversations; a host closes its store itself."""
        super().close()
        own = self.__dict__.get("conversations")
        if self.hosted is None and own is not None:
            own.close()

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
    ) -> AddedAnswer:
        """Keep one turn of the conversation ``provider/thread``, and go on from it (``cli.md``, ``turn add``).

        ``parent`` is the id of the turn it follows: an earlier one forks the conversation, ``""`` begins it anew, and
        without one it follows the current head. Without ``id`` it gets one from content and place. ``timestamp`` is an
        ISO date or time. ``authority`` is the host's word on who vouches for it; without one the caller does, as far as
        ``gitmem.conversations.vouched`` says. The same turn again is the same turn.

        Raises ``NotFound`` (``SOURCE_NOT_FOUND``), ``InvalidRequest``, ``Refused`` (``COMMIT_REJECTED``) when the id
        belongs to a turn that says something else, and ``Conflict``.
        """
        from gitmem.conversations.adding import NewTurn, add_turn, added_answer  # noqa: PLC0415

        said = NewTurn(
            content, role, id, parent, timestamp, speaker_id, speaker_display, display, source, metadata or {}
        )
        name = session_id(session)
        return added_answer(name, add_turn(self.conversations, name, said, authority or self.caller.authority))

    def turn_sessions(self, *, unwritten: bool = False) -> SessionsAnswer:
        """Every conversation with its live branches; ``unwritten``: those of which something waits."""
        return self._listing().sessions(unwritten=unwritten)

    def turns(self, session: str, *, branch: str | None = None, unwritten: bool = False) -> TurnsAnswer:
        """The turns of one branch, of the current head's by default, oldest first; ``unwritten``: those that wait.

        Raises ``NotFound`` (``SOURCE_NOT_FOUND``) for a conversation or branch that is not there.
        """
        from gitmem.conversations.steering import find_branch, find_session  # noqa: PLC0415

        found = find_session(self.conversations, session_id(session))
        chosen = found.head if branch is None else find_branch(found, branch)
        return self._listing().turns(found.id, chosen, unwritten=unwritten)

    def branches(self, session: str) -> BranchesAnswer:
        """The branches of a conversation, archived ones too. Raises ``NotFound`` (``SOURCE_NOT_FOUND``)."""
        from gitmem.conversations.steering import find_session  # noqa: PLC0415

        return self._listing().branches(find_session(self.conversations, session_id(session)))

    def choose_head(self, session: str, branch: str) -> BranchesAnswer:
        """Let a conversation go on from another branch, which is ``main`` and live from now on.

        Raises ``NotFound`` (``SOURCE_NOT_FOUND``) and ``Conflict``.
        """
        from gitmem.conversations.steering import choose_head  # noqa: PLC0415

        return self._listing().branches(choose_head(self.conversations, session_id(session), branch))

    def archive_branch(self, session: str, branch: str) -> BranchesAnswer:
        """Keep a branch without its being live: what stands on it alone is not written.

        Raises ``NotFound`` (``SOURCE_NOT_FOUND``), ``InvalidRequest`` for the current head, and ``Conflict``.
        """
        from gitmem.conversations.steering import archive_branch  # noqa: PLC0415

        return self._listing().branches(archive_branch(self.conversations, session_id(session), branch))

    def pending_turns(self) -> int:
        """How many turns wait to be written, over all conversations and live branches (12.2)."""
        from gitmem.conversations.pending import count_pending  # noqa: PLC0415

        inbox = self._inbox()
        return count_pending(inbox.store, inbox.standing, inbox.archived)

    # --- what counts as written

    def _listing(self) -> Listing:
        from gitmem.conversations.listing import Listing  # noqa: PLC0415

        inbox = self._inbox()
        return Listing(inbox.store, inbox.standing, inbox.archived)

    def _inbox(self) -> Inbox:
        from gitmem.conversations.marks import Standing  # noqa: PLC0415
        from gitmem.store.head import read_head  # noqa: PLC0415
        from gitmem.store.refs import is_ancestor  # noqa: PLC0415
        from gitmem.writer.write import Inbox  # noqa: PLC0415

        standing = Standing(self._workspace_id(), lambda oid: is_ancestor(self.repo, oid, read_head(self.repo).tip))
        return Inbox(self.conversations, standing, self._written_by_a_writer)

    def _written_by_a_writer(self, handle: SourceId) -> bool:
        """Whether a writer's memory commit on this branch archived the handle, even without a mark (0.16)."""
        if not self._is_archived_thread(handle):
            return False
        link = self.catalog.history().archived(handle)
        return link is not None and self._is_a_writers(link.commit)

    def _is_archived_thread(self, handle: SourceId) -> bool:
        """Whether anything of the handle's thread is archived: most of what waits is of threads that are not."""
        from gitmem.errors import InvalidRequest  # noqa: PLC0415
        from gitmem.format.layout import archive_path  # noqa: PLC0415
        from gitmem.store.snapshot import Snapshot  # noqa: PLC0415

        commit, known = self._archived_threads
        if commit != self.catalog.commit:
            commit, known = self._archived_threads = (self.catalog.commit, {})
        provider, thread, _ = handle.split("/", 2)
        if (provider, thread) not in known:
            try:
                path = archive_path(provider, thread)
            except InvalidRequest:
                return False
            known[provider, thread] = Snapshot.at(self.repo, commit).entry(path) is not None
        return known[provider, thread]

    @cached_property
    def _archived_threads(self) -> tuple[Oid, dict[tuple[str, str], bool]]:
        """Which threads have an archive, at the commit that the catalogue answers for."""
        return self.catalog.commit, {}

    def _is_a_writers(self, commit: Oid) -> bool:
        """Whether a writer made the commit; a batch archives many turns with one, so the answer is kept."""
        from gitmem.format.trailers import WRITER, parse_trailers  # noqa: PLC0415
        from gitmem.request import Surface  # noqa: PLC0415
        from gitmem.store.commits import read_commit  # noqa: PLC0415

        if commit not in self._writers_commits:
            made = read_commit(self.repo, commit)
            trailers = {} if made is None else parse_trailers(made.message)
            self._writers_commits[commit] = Surface.BACKGROUND in trailers.get(WRITER, ())
        return self._writers_commits[commit]

    @cached_property
    def _writers_commits(self) -> dict[Oid, bool]:
        return {}

    def _workspace_id(self) -> WorkspaceId:
        data = self.memory().snapshot.read(GITMEM)
        return parse_workspace_file(data or b"").id


def session_id(text: str) -> SessionId:
    """The name of a conversation as commands take it. Raises ``InvalidRequest``."""
    from gitmem.conversations.model import SessionId  # noqa: PLC0415

    return SessionId.parse(text)
