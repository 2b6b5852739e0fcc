"""Vouching for what others said (``behaviours.md`` 0.4, 8.19, 8.20)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gitmem.workspace.maintaining import Maintaining
from gitmem.workspace.rights import Capability, needs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.runtime.waiting import PromoteAnswer, WaitingAnswer
    from gitmem.writer.base import Writer


class Vouching(Maintaining):
    """``promote`` of ``cli.md``."""

    @needs(Capability.AUDIT)
    def waiting(self, sources: Sequence[str] = (), *, speaker: str | None = None) -> WaitingAnswer:
        """The pending messages, all or those named, each with the claims that wait on it.

        Raises ``NotFound`` (``SOURCE_NOT_FOUND``) for a speaker or a message of which nothing is archived.
        """
        from gitmem.runtime.waiting import waiting  # noqa: PLC0415

        memory = self.memory()
        chosen = self._named(sources, speaker) if sources or speaker is not None else None
        return waiting(memory, (one for one in self.catalog.pending() if chosen is None or one.handle in chosen))

    @needs(Capability.PROMOTE)
    def promote(
        self,
        sources: Sequence[str] = (),
        *,
        speaker: str | None = None,
        paired: bool = False,
        writer: str | Writer | None = None,
        model: str | None = None,
    ) -> PromoteAnswer:
        """Vouch for pending messages, by their handles or everything of a speaker; then a writer reads them once.

        Frames never change: a promotion is a line of ``sources/promotions.jsonl``. What rests on the messages is
        believed from then on, and shown to paired callers with ``paired``. Messages that are trusted already are left
        as they are. What goes wrong with the writer is in the answer.

        Raises ``NotAllowed`` unless the caller is the owner in person (``interactive``), ``InvalidRequest`` when
        nothing is named, and ``NotFound`` (``SOURCE_NOT_FOUND``).
        """
        from gitmem.format.model import Tier  # noqa: PLC0415
        from gitmem.ids import SourceId  # noqa: PLC0415
        from gitmem.request import PromoteEdit, Surface  # noqa: PLC0415
        from gitmem.runtime.waiting import PromoteAnswer, standing  # noqa: PLC0415

        named = self._named(sources, speaker)
        told = standing(self.memory().facts, named)
        at = self.options.now().isoformat(timespec="seconds")
        edit = PromoteEdit(tuple(SourceId(one) for one in named), Tier.PAIRED if paired else Tier.OWNER, at)
        promoted = sum(one.promoted for one in told)
        what = named[0] if len(named) == 1 else f"{promoted} messages"
        request = self.request(edit, subject=f"memory: promote {what}")
        result = self.commit(replace(request, surface=Surface.PROMOTE))
        written = self.backfill(frozenset(named), writer=writer, model=model)
        failed = written.failure is not None
        return PromoteAnswer(
            ok=not failed,
            revision=written.revision or result.revision,
            derived_commit=result.derived_commit,
            sources=told,
            written=written if written.candidates else None,
        )

    def _named(self, sources: Sequence[str], speaker: str | None) -> Sequence[str]:
        from gitmem.runtime.waiting import said_by  # noqa: PLC0415

        self.memory()
        return sources if speaker is None else (*sources, *said_by(self.catalog.pending(), speaker))
