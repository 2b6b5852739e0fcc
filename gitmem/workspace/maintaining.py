"""Putting the memory in order, and writing up what was archived and never written up."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from gitmem.workspace.conversing import Conversing
from gitmem.workspace.rights import Capability, needs

if TYPE_CHECKING:
    from collections.abc import Callable, Container

    from gitmem.runtime.maintain import MaintainAnswer
    from gitmem.writer.backfill import BackfillAnswer
    from gitmem.writer.base import Writer
    from gitmem.writer.organize_base import Organizer
    from gitmem.writer.reorganize import ReorganizeAnswer


class Maintaining(Conversing):
    """``reorganize``, ``backfill`` and ``maintain`` of ``cli.md``."""

    @needs(Capability.MAINTAIN)
    def maintain(self) -> MaintainAnswer:
        """Pack the repository, and let go of what the settings no longer keep; others may write meanwhile.

        Raises ``Conflict`` while another process does it, and ``Unavailable`` (``GIT_UNAVAILABLE``) without git.
        """
        from gitmem.history.retention import Retention  # noqa: PLC0415
        from gitmem.runtime.maintain import maintain  # noqa: PLC0415

        retention = Retention(self.config.autosave_keep_days, self.config.autosave_keep_count)
        now, timeout = self.options.now(), self.options.lock_timeout
        return maintain(self.repo, retention, self.environment, now, lock_timeout=timeout)

    @needs(Capability.DISTILL)
    def reorganize(
        self, *, writer: str | Writer | Organizer | None = None, model: str | None = None, dry_run: bool = False
    ) -> ReorganizeAnswer:
        """Split, merge, move, repair links and drop what is obsolete, in one transaction (0.19).

        ``writer`` names a kind, or is a host's own; ``model`` stands in for the configured one. Raises
        ``InvalidRequest`` for a writer that is not or that cannot do it, and ``Unavailable`` for one that is not set
        up; what goes wrong after that is in the answer.
        """
        from gitmem.runtime.recorded import record_outcome  # noqa: PLC0415
        from gitmem.writer.organizers import organizer_of  # noqa: PLC0415
        from gitmem.writer.reorganize import reorganize  # noqa: PLC0415

        organizer = organizer_of(self.writer(writer, model) if writer is None or isinstance(writer, str) else writer)
        with self.desk(dry_run=dry_run) as desk:
            answer = reorganize(desk, organizer, self.repo.gitmem_dir, self.config.writer_max_removed_share)
        if not dry_run:
            record_outcome(answer.failure, self.repo.gitmem_dir, self.options.now(), did=bool(answer.changed_files))
        return answer

    @needs(Capability.DISTILL)
    def backfill(
        self,
        handles: Container[str] | None = None,
        *,
        writer: str | Writer | None = None,
        model: str | None = None,
        on_batch: Callable[[int, int], None] | None = None,
    ) -> BackfillAnswer:
        """Give every trusted message that no topic cites to a writer, in batches; resumable (part 11).

        ``handles`` are the messages that are meant, all unless given. ``writer`` names a kind, or is a host's own;
        ``on_batch`` is told how many messages were read so far, of how many. Raises ``InvalidRequest`` for a writer
        that is not; what goes wrong after that is in the answer.
        """
        from gitmem.runtime.recorded import record_outcome  # noqa: PLC0415
        from gitmem.tokens import count  # noqa: PLC0415
        from gitmem.writer.backfill import Backfilling, backfill, candidates  # noqa: PLC0415
        from gitmem.writer.backfill_ledger import Ledger  # noqa: PLC0415

        self.memory()
        ledger = Ledger(self.repo.gitmem_dir)
        uncited = self.catalog.uncited()
        chosen = uncited if handles is None else (record for record in uncited if record.handle in handles)
        records = candidates(chosen, ledger)
        how = Backfilling(
            writer=partial(self.writer, writer, model),
            threshold=self.config.writer_trigger_tokens,
            count=count,
            max_removed_share=self.config.writer_max_removed_share,
            on_batch=on_batch or (lambda _done, _of: None),
        )
        with self.desk() as desk:
            answer = backfill(desk, records, ledger, how)
        record_outcome(answer.failure, self.repo.gitmem_dir, self.options.now(), did=bool(answer.processed))
        return answer
