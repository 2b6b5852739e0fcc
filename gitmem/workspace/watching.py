"""Writing without being asked: after turns, at boundaries, when a conversation is idle, and by night."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from gitmem.workspace.maintaining import Maintaining
from gitmem.workspace.rights import Capability, needs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Self

    from gitmem.runtime.triggers import Attempt
    from gitmem.runtime.watcher import Done
    from gitmem.writer.base import Writer
    from gitmem.writer.write import Folded, WriteFailure


class Watching(Maintaining):
    """What hosts and the watcher call. None of it raises because of what a writer does (10.5)."""

    @needs(Capability.DISTILL)
    def after_turn(
        self,
        session_id: str,
        messages: Sequence[object] | None = None,  # noqa: ARG002  (for memories that keep no conversations)
        *,
        writer: str | Writer | None = None,
    ) -> WriteFailure | None:
        """Write what has gathered in a conversation, ``provider/thread``, if it is enough (10.1, 10.2).

        To be called once per turn, after the assistant's answer is stored. ``writer`` names a kind, or is a host's own.
        ``None``: nothing that is due is left.
        """
        return self._attempt(session_id, force=False, writer=writer).failure

    @needs(Capability.DISTILL)
    def boundary(self, session_id: str, *, writer: str | Writer | None = None) -> WriteFailure | None:
        """Write what is left of a conversation, however little: it ends, or pauses (9.8, 10.3).

        ``None``: nothing is left but short side branches (0.18).
        """
        return self._attempt(session_id, force=True, writer=writer).failure

    @needs(Capability.DISTILL)
    def watch_once(
        self, *, writer: str | Writer | None = None, reorganize: Callable[[], object] | None = None
    ) -> Iterator[Done]:
        """Write idle conversations, and have the nightly pass when it is due; tell of each when it is done (10.9).

        ``reorganize`` stands in for the pass itself, and raises when it fails.
        To be called every five minutes or so, on a workspace opened for the look, so that settings are followed.
        ``options.now`` gives the local time. Raises ``Unavailable`` when what was handled before cannot be read.
        """
        from gitmem.runtime.watcher import Watcher  # noqa: PLC0415

        return Watcher(
            store=self.conversations,
            folder=self.repo.gitmem_dir,
            bus=self.events,
            now=self.options.now,
            write=partial(self._attempt, force=True, writer=writer),
            reorganize=reorganize or partial(self._put_in_order, writer),
        ).look()

    def _attempt(self, session: str, *, force: bool, writer: str | Writer | None) -> Attempt:
        from gitmem.runtime.recorded import recorded  # noqa: PLC0415
        from gitmem.runtime.triggers import attempt_of, settled  # noqa: PLC0415

        kind = writer if isinstance(writer, str) else self.config.writer_kind if writer is None else writer.name
        folded = settled(session, partial(self._folded, force=force, writer=writer), kind)
        recorded(folded, self.repo.gitmem_dir, self.events, self.options.now())
        return attempt_of(session, folded)

    def _folded(self, session: str, *, force: bool, writer: str | Writer | None) -> Folded:
        return self._patient().fold(session, force=force, writer=writer)

    def _put_in_order(self, writer: str | Writer | None) -> None:
        """Reorganize by night; raises what went wrong. A writer that can only write leaves it to the embedded one."""
        from gitmem.errors import Code, failure  # noqa: PLC0415
        from gitmem.writer.organizers import nightly_organizer_of  # noqa: PLC0415

        failed = self._patient().reorganize(writer=nightly_organizer_of(self.writer(writer))).failure
        if failed is not None:
            raise failure(Code(failed.reason_code), failed.message)

    def _patient(self) -> Self:
        """This workspace as a background writer uses it, which gives way to people: it waits a second for locks."""
        from gitmem.runtime.triggers import LOCK_SECONDS  # noqa: PLC0415

        catalog = self.catalog  # opened by this one, which closes it
        patient = copy(self)
        patient.__dict__.pop("conversations", None)  # it has a time limit of its own
        patient.__dict__["catalog"] = catalog
        patient.options = replace(self.options, lock_timeout=min(LOCK_SECONDS, self.options.lock_timeout))
        return patient
