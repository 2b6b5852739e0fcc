"""Writing what conversations have left once nobody goes on with them (``behaviours.md`` 0.17, 0.29, 10.9, 10.10)."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, timedelta
from typing import TYPE_CHECKING

from gitmem.errors import GitmemError, Refused
from gitmem.format.instant import instant
from gitmem.runtime import nightly
from gitmem.runtime.events import NightEnded
from gitmem.runtime.triggers import Attempt, failure_of
from gitmem.runtime.watch_state import heads_of, load, save
from gitmem.runtime.writer_status import record_failure
from gitmem.writer.write import OF_THE_BATCH

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import date, datetime
    from pathlib import Path

    from gitmem.conversations.model import Branch, Session
    from gitmem.conversations.store import ConversationStore
    from gitmem.runtime.events import EventBus
    from gitmem.runtime.watch_state import WatchState
    from gitmem.writer.write import WriteFailure

LOCK = "watch.lock"
IDLE = timedelta(minutes=30)


@dataclass(frozen=True, slots=True)
class Busy:
    """Another process is looking just now; nothing was done."""


@dataclass(frozen=True, slots=True)
class Night:
    """The nightly pass of a local date is over; ``failure`` says why it could not do all of it."""

    night: str
    failure: WriteFailure | None


Done = Busy | Night | Attempt
"""One thing that the watcher did."""


@dataclass(frozen=True, slots=True)
class Watcher:
    """What a look needs: the conversations, and the two things there are to do.

    ``write`` writes all that is left of a conversation, and never raises; ``reorganize`` is the rest of the nightly
    pass. ``folder`` is the memory's runtime folder; ``now`` gives the local time.
    """

    store: ConversationStore
    folder: Path
    bus: EventBus
    now: Callable[[], datetime]
    write: Callable[[str], Attempt]
    reorganize: Callable[[], object]

    def look(self) -> Iterator[Done]:
        """Write the conversations that are idle, and by night all of them; tell of each when it is done.

        One process looks at a time. A conversation is done with until it grows, unless its
        failure may pass by itself: then it is offered again, after the others. Raises ``Unavailable`` when what was
        handled cannot be read, and ``OSError`` when it cannot be saved.
        """
        with _alone(self.folder) as alone:
            if alone:
                yield from _Look(self, load(self.folder)).run()
            else:
                yield Busy()


class _Look:
    """One look; what time it is, is asked once, so that a long one takes no conversation for more idle than it was."""

    def __init__(self, watcher: Watcher, state: WatchState) -> None:
        self._watcher, self._state = watcher, state
        self._now = watcher.now()
        self._second = int(self._now.timestamp())

    def run(self) -> Iterator[Done]:
        night, state = nightly.night_of(self._now), self._state
        if state.night is None:  # nobody was there to miss a night
            state.night = state.forced = night
        is_night = nightly.is_due(night, state.night)
        force = is_night and state.forced != night
        try:
            yield from self._write(force=force)
            if force:
                state.forced, state.tries = night, 0
            if is_night:
                yield from self._end(night)
        finally:
            self._save()

    def _write(self, *, force: bool) -> Iterator[Attempt]:
        sessions = {str(session.id): session for session in self._watcher.store.sessions()}
        self._state.keep(set(sessions))
        waiting = [
            (name, heads)
            for name, session in sessions.items()
            if self._state.handled.get(name) != (heads := heads_of(session))
            and (force or self._is_idle(name, session, heads))
        ]
        waiting.sort(key=lambda one: self._state.failed.get(one[0], 0))  # who keeps failing waits for the others
        for name, heads in waiting:
            attempt = self._watcher.write(name)
            self._note(name, heads, attempt)
            yield attempt
            if attempt.failure is not None and not _is_its_own(attempt.failure):
                return

    def _note(self, name: str, heads: str, attempt: Attempt) -> None:
        """Remember what was paid for before anything else happens; what cost nothing is saved with the next."""
        if attempt.is_settled:
            self._state.settle(name, heads)
        else:
            self._state.failed[name] = self._state.failed.get(name, 0) + 1
        if attempt.turns or attempt.failure is not None:
            self._save()

    def _is_idle(self, name: str, session: Session, heads: str) -> bool:
        """Whether the last message is old enough; one without a time, or from the future, when it was first seen."""
        said = [self._said(branch) for branch in session.branches]
        dated = [second for second in said if second is not None]
        if len(dated) < len(said):
            dated.append(self._state.first_seen(name, heads, self._second))
        return self._second - max(dated) >= IDLE.total_seconds()

    def _said(self, branch: Branch) -> int | None:
        try:
            said = instant(self._watcher.store.turn(branch.head).timestamp)
        except GitmemError:  # whoever writes it says why
            return None
        return None if said is None or said.seconds > self._second else said.seconds

    def _end(self, night: date) -> Iterator[Night]:
        """Reorganize; a try is counted before it begins, so that one which brings the process down is not for ever."""
        self._state.tries += 1
        self._save()
        if self._state.tries > nightly.TRIES:
            self._state.night = night
            return
        failure = self._reorganized()
        if failure is None or not failure.retryable:
            self._state.night = night
        if failure is not None:
            record_failure(self._watcher.folder, self._watcher.now(), failure.reason_code, retryable=failure.retryable)
        self._watcher.bus.publish(self._event(night, failure))
        yield Night(night.isoformat(), failure)

    def _reorganized(self) -> WriteFailure | None:
        try:
            self._watcher.reorganize()
        except Exception as error:  # noqa: BLE001  (the watcher goes on whatever becomes of a night)
            return failure_of(error)
        return None

    def _event(self, night: date, failure: WriteFailure | None) -> NightEnded:
        return NightEnded(
            at=self._watcher.now().astimezone(UTC).isoformat(timespec="seconds"),
            night=night.isoformat(),
            ok=failure is None,
            reason_code=None if failure is None else str(failure.reason_code),
            retryable=failure is not None and failure.retryable,
        )

    def _save(self) -> None:
        save(self._watcher.folder, self._state)


def _is_its_own(failure: WriteFailure) -> bool:
    """Whether a failure is about the conversation itself; any other the next conversation would meet too."""
    return failure.reason_code in Refused.codes | OF_THE_BATCH


@contextmanager
def _alone(folder: Path) -> Iterator[bool]:
    """Whether no other process is looking; none is while the block runs (10.10)."""
    import filelock  # noqa: PLC0415  (whoever only triggers needs no lock)

    lock = filelock.FileLock(folder / LOCK, mode=0o600, fallback_to_soft=False)
    try:
        held = lock.acquire(timeout=0)
    except filelock.Timeout:
        yield False
        return
    with held:
        yield True
