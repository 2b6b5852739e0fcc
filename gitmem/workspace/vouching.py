"""Vouching for what others said (``behaviours.md`` 0.4, 8.19, 8.20)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gitmem.workspace.maintaining import Maintaining
from gitmem.workspace.rights import Capability, needs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.ids import SourceId
    from gitmem.request import Request
    from gitmem.runtime.waiting import PromoteAnswer, WaitingAnswer
    from gitmem.writer.base import Writer


class Vouching(Maintaining):
    """``promote`` of ``cli.md``, and archiving what nobody vouches for."""

    @needs(Capability.RECORD)
    def archive_unpaired(  # noqa: PLR0913  (a message has these parts)
        self,
        session: str,
        content: str,
        *,
        id: str | None = None,  # noqa: A002  (as in ``add_turn``)
        speaker_id: str | None = None,
        speaker_display: str | None = None,
        timestamp: str | None = None,
    ) -> str:
        """Archive what somebody says whom nobody vouches for, as pending: it can be searched, and is never distilled.

        Gives the message's handle, ``provider/thread/id``; ``""`` when it is not archived, and then nothing is: it is
        empty or too large, 600 came in the last hour, 64 MiB are there, or the memory refuses it (8.22). The same
        message again is the same handle. Raises ``InvalidRequest`` for a session that is none.
        """
        from gitmem.conversations.adding import content_id  # noqa: PLC0415
        from gitmem.errors import GitmemError  # noqa: PLC0415
        from gitmem.ids import SourceId  # noqa: PLC0415
        from gitmem.runtime.unpaired import Quota  # noqa: PLC0415
        from gitmem.workspace.talking import session_id  # noqa: PLC0415

        now = self.options.now()
        at = now.isoformat(timespec="seconds") if timestamp is None else timestamp
        named = session_id(session)
        handle = SourceId(f"{named}/{id or content_id(f'{at} {speaker_id} {content}', 0)}")
        if self.memory().facts.source(handle) is not None:
            return handle
        quota = Quota(self.repo.gitmem_dir, self._pending_bytes)
        slot = quota.take(content, f"{speaker_id or ''}{speaker_display or ''}", now.timestamp())
        if slot is None:
            return ""
        try:
            self.commit(self._unpaired(handle, content, at, speaker_id, speaker_display))
        except GitmemError:
            quota.give_back(slot)
            return ""
        return handle

    def _unpaired(
        self, handle: SourceId, content: str, at: str, speaker_id: str | None, speaker_display: str | None
    ) -> Request:
        from gitmem.conversations.authority import UNKNOWN_PRINCIPAL  # noqa: PLC0415
        from gitmem.format.model import TrustState  # noqa: PLC0415
        from gitmem.request import NewSource, NoEdit, Surface  # noqa: PLC0415

        said = NewSource(
            content,
            "user",
            handle=handle,
            timestamp=at or None,
            speaker_id=speaker_id,
            speaker_display=speaker_display,
            trust_state=TrustState.PENDING,
            principal_id=speaker_id or UNKNOWN_PRINCIPAL,
            speaker_kind="human",
        )
        request = self.request(NoEdit(), [said], subject="memory: archive a message that waits for somebody to vouch")
        return replace(request, surface=Surface.IMPORT)

    def _pending_bytes(self) -> int:
        return sum(record.body_end - record.body_start for record in self.catalog.pending())

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
