"""Keeping what a writer did: its status, and one event for each conversation that it touched (10.9, part 12)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from gitmem.runtime.events import IngestEnded
from gitmem.runtime.writer_status import record_failure, record_success

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from gitmem.runtime.events import EventBus
    from gitmem.writer.write import Folded, WriteAnswer, WriteFailure


def recorded(answer: WriteAnswer | Folded, folder: Path, bus: EventBus, now: datetime) -> None:
    """Record a run in the memory's runtime folder and tell of it; a dry run leaves no trace.

    A run in which nothing was due did nothing: the last outcome stays. Never raises; what cannot be kept is lost
    (12.7).
    """
    if answer.dry_run:
        return
    if answer.batches:
        record_success(folder, now)
    for failure in answer.failures[-1:]:
        record_failure(folder, now, failure.reason_code, retryable=failure.retryable)
    for event in _events(answer, now.astimezone(UTC).isoformat(timespec="seconds")):
        bus.publish(event)


def record_outcome(failure: WriteFailure | None, folder: Path, now: datetime, *, did: bool) -> None:
    """Record what became of a pass over the memory; one that ``did`` nothing, and failed at nothing, leaves no trace.

    Never raises (12.7).
    """
    if did:
        record_success(folder, now)
    if failure is not None:
        record_failure(folder, now, failure.reason_code, retryable=failure.retryable)


def _events(answer: WriteAnswer | Folded, at: str) -> Iterator[IngestEnded]:
    failures = {failure.session: failure for failure in answer.failures}
    for session in dict.fromkeys((*(batch.session for batch in answer.batches), *failures)):
        batches = [batch for batch in answer.batches if batch.session == session]
        failure = failures.get(session)
        yield IngestEnded(
            at=at,
            session=session,
            ok=failure is None,
            reason_code=None if failure is None else str(failure.reason_code),
            retryable=failure is not None and failure.retryable,
            revision=batches[-1].revision if batches else None,
            turns=sum(batch.turns for batch in batches),
            claims=sum(len(batch.block_ids) for batch in batches),
            writer=answer.writer,
        )
