"""Conversations in, topics out."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from gitmem.errors import Code, InvalidRequest, NotFound
from gitmem.format.layout import GITMEM
from gitmem.format.workspace_file import parse_workspace_file
from gitmem.workspace.base import OpenWorkspace

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from gitmem.conversations.git import GitConversations
    from gitmem.conversations.model import Session, SessionId
    from gitmem.ids import Oid, SourceId, WorkspaceId
    from gitmem.interop.report import IngestReport
    from gitmem.writer.session_batches import Trigger
    from gitmem.writer.write import Inbox, WriteAnswer

WRITERS = ("embedded",)
"""The writers there are."""


class Conversing(OpenWorkspace):
    """The commands about conversations and writing of ``cli.md``."""

    @cached_property
    def conversations(self) -> GitConversations:
        """The workspace's own conversation store."""
        from gitmem.conversations.git import GitConversations  # noqa: PLC0415

        return GitConversations(self.repo, lock_timeout=self.options.lock_timeout)

    def ingest(
        self,
        files: Sequence[Path],
        *,
        format: str = "auto",  # noqa: A002  (the option's name)
        session: str | None = None,
        owner: str | None = None,
        paired: Iterable[str] = (),
    ) -> IngestReport:
        """Read conversations or exports into conversation graphs; again: nothing new (``cli.md``, ``ingest``)."""
        from gitmem.interop.ingest import ingest  # noqa: PLC0415

        return ingest(self.conversations, files, format=format, session=session, owner=owner, paired=paired)

    def write(
        self,
        sessions: Sequence[str] = (),
        *,
        force: bool = False,
        all_branches: bool = False,
        writer: str | None = None,
        dry_run: bool = False,
    ) -> WriteAnswer:
        """Fold pending turns into topics, all conversations or the named ones (``cli.md``, ``write``).

        Raises ``NotFound`` (``SOURCE_NOT_FOUND``) for a conversation that is not there, and ``InvalidRequest`` for a
        writer that is not; what goes wrong with a batch is in the answer.
        """
        from gitmem.transaction.rehearsal import Rehearsal  # noqa: PLC0415
        from gitmem.writer.desks import MemoryDesk, RehearsalDesk  # noqa: PLC0415
        from gitmem.writer.embedded import EmbeddedWriter  # noqa: PLC0415
        from gitmem.writer.write import write  # noqa: PLC0415

        if (writer or self.config.writer_kind) not in WRITERS:
            message = f"there is no writer {writer or self.config.writer_kind!r}; there is: {', '.join(WRITERS)}"
            raise InvalidRequest(Code.INVALID_ARGUMENT, message)
        chosen = self._chosen(sessions)
        trigger, inbox = self._trigger(force=force, all_branches=all_branches), self._inbox()
        authority = self.caller.authority
        if dry_run:
            with Rehearsal(self.repo, self.catalog) as rehearsal:
                desk = RehearsalDesk(rehearsal, self.memory().revision, authority)
                return write(desk, inbox, chosen, EmbeddedWriter(), trigger)
        workspace_id = self._workspace_id()
        memory = MemoryDesk(self.repo, self.catalog, self.options, self.conversations, workspace_id, authority)
        return write(memory, inbox, chosen, EmbeddedWriter(), trigger)

    def pending_turns(self) -> int:
        """How many turns wait to be written, over all conversations and branches (12.2)."""
        from gitmem.conversations.pending import count_pending  # noqa: PLC0415

        inbox = self._inbox()
        return count_pending(inbox.store, inbox.standing, inbox.archived)

    def _chosen(self, sessions: Sequence[str]) -> tuple[Session, ...]:
        if not sessions:
            return self.conversations.sessions()
        found = {name: self.conversations.session(_session_id(name)) for name in sessions}
        missing = [name for name, session in found.items() if session is None]
        if missing:
            message = f"there is no conversation {missing[0]}; `gitmem ingest` reads conversations in"
            raise NotFound(Code.SOURCE_NOT_FOUND, message, details={"sessions": missing})
        return tuple(session for session in found.values() if session is not None)

    def _trigger(self, *, force: bool, all_branches: bool) -> Trigger:
        from gitmem.tokens import count  # noqa: PLC0415
        from gitmem.writer.session_batches import Trigger  # noqa: PLC0415

        return Trigger(self.config.writer_trigger_tokens, count, force, all_branches)

    def _inbox(self) -> Inbox:
        from gitmem.conversations.marks import Standing  # noqa: PLC0415
        from gitmem.store.head import read_head  # noqa: PLC0415
        from gitmem.store.refs import is_ancestor  # noqa: PLC0415
        from gitmem.writer.write import Inbox  # noqa: PLC0415

        standing = Standing(self._workspace_id(), lambda oid: is_ancestor(self.repo, oid, read_head(self.repo).tip))
        return Inbox(self.conversations, standing, self._written_by_a_writer)

    def _written_by_a_writer(self, handle: SourceId) -> bool:
        """Whether a writer's memory commit on this branch archived the handle, even without a mark (0.16)."""
        link = self.catalog.history().archived(handle)
        return link is not None and self._is_a_writers(link.commit)

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


def _session_id(text: str) -> SessionId:
    from gitmem.conversations.model import SessionId  # noqa: PLC0415

    return SessionId.parse(text)
