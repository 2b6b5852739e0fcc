"""Conversations in, topics out."""

from __future__ import annotations

from contextlib import closing, contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

from gitmem.errors import Code, NotFound
from gitmem.workspace.rights import Capability, needs
from gitmem.workspace.talking import Talking, session_id

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from gitmem.conversations.model import Session
    from gitmem.ids import SourceId
    from gitmem.interop.report import IngestReport
    from gitmem.runtime.events import EventBus
    from gitmem.writer.base import Writer
    from gitmem.writer.folding import Desk
    from gitmem.writer.session_batches import Trigger
    from gitmem.writer.write import BatchAnswer, Folded, WriteAnswer


class Conversing(Talking):
    """The commands about conversations and writing of ``cli.md``."""

    @needs(Capability.RECORD)
    def ingest(  # noqa: PLR0913  (the options of the command)
        self,
        files: Sequence[Path],
        *,
        format: str = "auto",  # noqa: A002  (the option's name)
        session: str | None = None,
        owner: str | None = None,
        paired: Iterable[str] = (),
        progress: Callable[[int, int, str], None] | None = None,
    ) -> IngestReport:
        """Read conversations or exports into conversation graphs; again: nothing new (``cli.md``, ``ingest``).

        ``progress`` is told bytes read, bytes in all and the file.
        """
        from gitmem.interop.ingest import ingest  # noqa: PLC0415

        return ingest(
            self.conversations,
            files,
            format=format,
            session=session,
            owner=owner,
            paired=paired,
            progress=progress,
            is_archived=self._archived_by_now(),
            is_forgotten=self._is_forgotten,
            memory=self.memory,
        )

    @needs(Capability.DISTILL)
    def write(  # noqa: PLR0913  (the options of the command)
        self,
        sessions: Sequence[str] = (),
        *,
        force: bool = False,
        all_branches: bool = False,
        writer: str | Writer | None = None,
        model: str | None = None,
        dry_run: bool = False,
        on_batch: Callable[[BatchAnswer], None] | None = None,
    ) -> WriteAnswer:
        """Fold pending turns into topics, all conversations or the named ones (``cli.md``, ``write``).

        ``writer`` names a kind, or is a host's own; ``on_batch`` is told of every batch that was folded. Raises
        ``NotFound`` (``SOURCE_NOT_FOUND``) for a conversation that is not there, and ``InvalidRequest`` for a writer
        that is not; what goes wrong with a batch is in the answer.
        """
        from gitmem.runtime.recorded import recorded  # noqa: PLC0415
        from gitmem.writer.write import Pass, write  # noqa: PLC0415

        chosen = self._chosen(sessions)
        trigger, inbox = self._trigger(force=force, all_branches=all_branches), self._inbox()
        share = self.config.writer_max_removed_share
        how = Pass(self.writer(writer, model), trigger, share, on_batch or (lambda _batch: None))
        with self.desk(dry_run=dry_run) as desk:
            answer = write(desk, inbox, chosen, how)
        recorded(answer, self.repo.gitmem_dir, self.events, self.options.now())
        return answer

    @needs(Capability.DISTILL)
    def fold(self, session: str, *, force: bool = False, writer: str | Writer | None = None) -> Folded:
        """Fold what is due of one conversation; at a cost that does not depend on the others.

        The writer is not looked for, and costs nothing, unless something is due (10.2, 10.8). Raises as ``write``
        does, also for turns that cannot be read.
        """
        from gitmem.writer.session_batches import due_batches  # noqa: PLC0415
        from gitmem.writer.write import Folded, Pass, fold  # noqa: PLC0415

        (chosen,) = self._chosen([session])
        trigger, inbox = self._trigger(force=force, all_branches=False), self._inbox()
        for branch in chosen.branches:
            inbox.store.turn(branch.head)
        due = next(due_batches(inbox.store, chosen, inbox.standing, inbox.archived, trigger), None)
        if due is None:
            return Folded(self.config.writer_kind, dry_run=False, derived_commit=None, batches=(), failures=())
        with self.desk() as desk:
            how = Pass(self.writer(writer), trigger, self.config.writer_max_removed_share)
            return fold(desk, inbox, (chosen,), how)

    @cached_property
    def events(self) -> EventBus:
        """Where it is told what writers did, also to ``.git/gitmem/events.jsonl`` (10.9)."""
        from gitmem.runtime.events import EventBus  # noqa: PLC0415
        from gitmem.runtime.events_log import EventsLog  # noqa: PLC0415

        bus = EventBus()
        bus.subscribe(EventsLog(self.repo.gitmem_dir))
        return bus

    def extract_before_discard(self, messages: Iterable[object]) -> str:
        """What of the messages belongs into the summary that takes their place; ``""`` for nothing.

        Writes nothing and never raises (``gitmem.writer.extract``).
        """
        from gitmem.writer.extract import extract_before_discard  # noqa: PLC0415

        return extract_before_discard(messages)

    def writer(self, kind: str | Writer | None = None, model: str | None = None) -> Writer:
        """The writer of a kind, the configured one by default; a host's own is given back.

        Raises ``InvalidRequest`` for a kind that is not, and ``Unavailable`` or ``Refused`` for one that is not set up.
        """
        from gitmem.writer.choosing import choose_writer  # noqa: PLC0415

        if kind is not None and not isinstance(kind, str):
            return kind
        chosen = kind or self.config.writer_kind
        return choose_writer(chosen, self.config, self.environment, self.repo.gitmem_dir, model)

    @needs(Capability.DISTILL)
    @contextmanager
    def desk(self, *, dry_run: bool = False) -> Iterator[Desk]:
        """Where a writer's results go: into the memory, or into a rehearsal that is thrown away."""
        from gitmem.transaction.rehearsal import Rehearsal  # noqa: PLC0415
        from gitmem.writer.desks import MemoryDesk, RehearsalDesk  # noqa: PLC0415
        from gitmem.writer.proposals import KeptProposals  # noqa: PLC0415

        authority = self.authority
        if not dry_run:
            marks, workspace = self.conversations, self._workspace_id()
            desk = MemoryDesk(self.repo, self.catalog, self.options, marks, workspace, authority)
            with self.catalog.deferring(), closing(desk):
                yield desk
            return
        revision, blocks = self.memory().revision, self.catalog.statistics().blocks
        with Rehearsal(self.repo, self.catalog, self.options.secrets) as rehearsal:
            yield RehearsalDesk(rehearsal, revision, authority, blocks, KeptProposals(self.repo.gitmem_dir))

    def _chosen(self, sessions: Sequence[str]) -> tuple[Session, ...]:
        if not sessions:
            return self.conversations.sessions()
        found = {name: self.conversations.session(session_id(name)) for name in sessions}
        missing = [name for name, session in found.items() if session is None]
        if missing:
            message = f"there is no conversation {missing[0]}; `gitmem ingest` reads conversations in"
            raise NotFound(Code.SOURCE_NOT_FOUND, message, details={"sessions": missing})
        return tuple(session for session in found.values() if session is not None)

    def _trigger(self, *, force: bool, all_branches: bool) -> Trigger:
        from gitmem.tokens import count  # noqa: PLC0415
        from gitmem.writer.session_batches import Trigger  # noqa: PLC0415

        return Trigger(self.config.writer_trigger_tokens, count, force, all_branches, self.options.now())

    def _archived_by_now(self) -> Callable[[SourceId], bool]:
        """As ``_written_by_a_writer``, for a command that needs no memory until it is asked."""
        looked: list[object] = []

        def is_archived(handle: SourceId) -> bool:
            if not looked:
                looked.append(self.memory())
            return self._written_by_a_writer(handle)

        return is_archived
