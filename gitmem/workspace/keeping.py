"""Where the conversations are kept, and what of them this memory has written."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from gitmem.format.layout import GITMEM
from gitmem.format.workspace_file import parse_workspace_file
from gitmem.workspace.base import OpenWorkspace

if TYPE_CHECKING:
    from gitmem.conversations.store import ConversationStore
    from gitmem.ids import Oid, SourceId, WorkspaceId
    from gitmem.writer.write import Inbox


class Keeping(OpenWorkspace):
    """The conversation store, and marks as this memory reads them (``behaviours.md`` 0.16)."""

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

    def _is_forgotten(self, handle: SourceId) -> bool:
        """Whether the message was erased for good, as the current branch remembers."""
        from gitmem.format.promotions import handle_sha256  # noqa: PLC0415

        return handle_sha256(handle) in self._forgotten()

    def _forgotten(self) -> frozenset[str]:
        """The digests that the current branch has forgotten: read again when its ledger is another."""
        from gitmem.format.layout import FORGOTTEN  # noqa: PLC0415
        from gitmem.format.promotions import parse_forgotten  # noqa: PLC0415
        from gitmem.store.head import current_tip  # noqa: PLC0415
        from gitmem.store.snapshot import Snapshot  # noqa: PLC0415

        tip = current_tip(self.repo)
        known_tip, known = self._forgotten_at
        if tip != known_tip:
            ledger = Snapshot.at(self.repo, tip).read(FORGOTTEN)
            known = frozenset(entry.handle_sha256 for entry in parse_forgotten(ledger or b"")[0])
            self._forgotten_at = tip, known
        return known

    _forgotten_at: tuple[str, frozenset[str]] = ("", frozenset())

    def _is_archived_thread(self, handle: SourceId) -> bool:
        """Whether anything of the handle's thread is archived: most of what waits is of threads that are not."""
        commit, known = self._archived_threads
        if commit != self.catalog.commit:
            commit, known = self._archived_threads = (self.catalog.commit, {})
        provider, thread, _ = handle.split("/", 2)
        if (provider, thread) not in known:
            known[provider, thread] = self._has_archive(commit, provider, thread)
        return known[provider, thread]

    def _has_archive(self, commit: Oid, provider: str, thread: str) -> bool:
        from gitmem.errors import InvalidRequest  # noqa: PLC0415
        from gitmem.format.layout import archive_path  # noqa: PLC0415
        from gitmem.store.snapshot import Snapshot  # noqa: PLC0415

        try:
            path = archive_path(provider, thread)
        except InvalidRequest:
            return False
        return Snapshot.at(self.repo, commit).entry(path) is not None

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
