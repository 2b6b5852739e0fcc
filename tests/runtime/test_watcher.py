"""Writing what is left of conversations that nobody goes on with (`behaviours.md` 0.17, 0.29, 10.9, 10.10, 10.13)."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import filelock
import pytest

from chats import NOON, Notetaker, noted, say
from gitmem.errors import Code, Conflict, Refused, Unavailable, failure
from gitmem.runtime import nightly
from gitmem.runtime.events import Event, IngestEnded, NightEnded
from gitmem.runtime.triggers import Attempt
from gitmem.runtime.watch_state import FILE, load
from gitmem.runtime.watcher import IDLE, LOCK, Busy, Night
from gitmem.transaction.options import Options
from workspaces import reopened, state

if TYPE_CHECKING:
    from collections.abc import Callable

    from gitmem.workspace import Workspace
    from gitmem.writer.base import Batch, WriterResult

CHAT = "team/chat"
NIGHT = NOON.replace(hour=3) + timedelta(days=1)


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now

    def pass_by(self, **time: float) -> None:
        self.now += timedelta(**time)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def memory(workspace: Workspace, clock: Clock) -> Workspace:
    """A memory with a clock, and conversations of noon."""
    workspace.options = Options(now=clock)
    return workspace


@pytest.fixture
def told(memory: Workspace) -> list[Event]:
    """Everything that is told."""
    events: list[Event] = []
    memory.events.subscribe(events.append)
    return events


def looked(memory: Workspace, writer: Notetaker | None = None) -> list[tuple[str, str | None]]:
    """One look: what was done, each conversation with its failure's code, a night as its date."""
    return [_short(done) for done in memory.watch_once(writer=writer)]


def _short(done: Busy | Night | Attempt) -> tuple[str, str | None]:
    if isinstance(done, Busy):
        return "busy", None
    what = done.session if isinstance(done, Attempt) else done.night
    return what, None if done.failure is None else str(done.failure.reason_code)


def failing(error: Exception, *, on: str = "") -> Callable[[Batch], WriterResult]:
    def answer(batch: Batch) -> WriterResult:
        if on in batch.turns[0].content:
            raise error
        return noted(batch)

    return answer


TIMEOUT = failure(Code.MODEL_TIMEOUT, "no answer in 600 s")
REFUSED = Refused(Code.COMMIT_REJECTED, "refused twice")


# --- idle


def test_a_conversation_is_written_when_it_was_idle_for_half_an_hour(  # 0.29
    memory: Workspace, clock: Clock, told: list[Event]
) -> None:
    say(memory, CHAT, "Ada likes tea.")
    clock.pass_by(minutes=29, seconds=59)
    assert looked(memory) == []
    assert memory.pending_turns() == 1
    clock.pass_by(seconds=1)
    assert looked(memory) == [(CHAT, None)]
    assert memory.pending_turns() == 0
    assert [event.ok for event in told] == [True]
    assert looked(memory) == []


def test_what_was_said_long_ago_is_idle_at_once(memory: Workspace) -> None:  # 0.29
    say(memory, CHAT, "Ada likes tea.", at=NOON - timedelta(days=900))
    assert looked(memory) == [(CHAT, None)]


def test_the_last_message_counts_on_whatever_branch(memory: Workspace, clock: Clock) -> None:
    say(memory, CHAT, "Ada likes tea.", at=NOON - timedelta(days=1))
    say(memory, CHAT, "Ada likes rum.", at=NOON, branch="aside")
    clock.pass_by(minutes=20)
    assert looked(memory) == []
    clock.pass_by(minutes=10)
    assert looked(memory) == [(CHAT, None)]


@pytest.mark.parametrize("at", [None, NOON + timedelta(days=30)])
def test_without_a_time_that_counts_idleness_begins_when_the_head_was_first_seen(  # 0.29
    memory: Workspace, clock: Clock, at: datetime | None
) -> None:
    say(memory, CHAT, "Ada likes tea.", at=at)
    clock.pass_by(hours=5)
    assert looked(memory) == []
    clock.pass_by(minutes=20)
    say(memory, CHAT, "Bob likes coffee.", at=at)
    assert looked(memory) == []
    clock.pass_by(minutes=29)
    assert looked(reopened_with(memory, clock)) == []
    clock.pass_by(minutes=1)
    assert looked(reopened_with(memory, clock)) == [(CHAT, None)]


def reopened_with(memory: Workspace, clock: Clock) -> Workspace:
    again = reopened(memory.repo.path)
    again.options = Options(now=clock)
    return again


def test_half_an_hour_is_what_idle_means() -> None:
    assert timedelta(minutes=30) == IDLE


def test_from_an_idle_chat_to_a_cited_topic(memory: Workspace, clock: Clock) -> None:  # 10.13
    say(memory, CHAT, "I moved to Basel in March 2024 and work as a baker there.")
    say(memory, CHAT, "Basel lies on the Rhine.", role="assistant")
    clock.pass_by(hours=1)
    (done,) = memory.watch_once()
    assert isinstance(done, Attempt)
    assert (done.turns, done.failure) == (2, None)
    assert done.claims >= 1
    held = memory.memory()
    assert (done.revision, held.fresh) == (held.revision, True)
    (transaction,) = memory.log(limit=1).transactions
    assert (transaction.writer, transaction.sources_added) == ("background", ("team/chat/main1", "team/chat/main2"))
    assert transaction.claims.added[0].refs[0].startswith("team/chat/")
    assert (memory.repo.path / "timeline").is_dir()
    assert memory.pending_turns() == 0
    assert list(load(memory.repo.gitmem_dir).handled) == [CHAT]


# --- what becomes of it


def test_what_may_pass_is_offered_at_the_next_look(memory: Workspace, clock: Clock, told: list[Event]) -> None:  # 10.9
    say(memory, CHAT, "Ada likes tea.")
    clock.pass_by(hours=1)
    scribe = Notetaker(failing(TIMEOUT))
    assert looked(memory, scribe) == looked(memory, scribe) == [(CHAT, "MODEL_TIMEOUT")]
    assert load(memory.repo.gitmem_dir).failed == {CHAT: 2}
    scribe.answer = noted
    assert looked(memory, scribe) == [(CHAT, None)]
    assert looked(memory, scribe) == []
    assert [(e.ok, e.reason_code, e.retryable) for e in told] == [
        (False, "MODEL_TIMEOUT", True),
        (False, "MODEL_TIMEOUT", True),
        (True, None, False),
    ]


def test_what_is_refused_is_told_once_and_left_alone_until_it_grows(  # 0.17, 10.9
    memory: Workspace, clock: Clock, told: list[Event]
) -> None:
    say(memory, CHAT, "Ada likes tea.")
    clock.pass_by(hours=1)
    scribe = Notetaker(failing(REFUSED))
    assert looked(memory, scribe) == [(CHAT, "COMMIT_REJECTED")]
    clock.pass_by(hours=1)
    assert looked(memory, scribe) == []
    assert looked(reopened_with(memory, clock), scribe) == []
    assert memory.pending_turns() == 1  # no turn is marked
    (event,) = told
    assert isinstance(event, IngestEnded)
    assert (event.session, event.ok, event.reason_code, event.retryable) == (CHAT, False, "COMMIT_REJECTED", False)
    say(memory, CHAT, "Bob likes coffee.", at=clock.now)
    clock.pass_by(hours=1)
    scribe.answer = noted
    assert looked(memory, scribe) == [(CHAT, None)]
    assert memory.pending_turns() == 0


def test_a_refused_conversation_does_not_keep_others_from_being_written(memory: Workspace, clock: Clock) -> None:
    for name in "abc":
        say(memory, f"team/{name}", f"{name} likes tea.")
    clock.pass_by(hours=1)
    scribe = Notetaker(failing(REFUSED, on="b likes"))
    assert looked(memory, scribe) == [("team/a", None), ("team/b", "COMMIT_REJECTED"), ("team/c", None)]


@pytest.mark.parametrize("code", [Code.MODEL_CONTEXT_LENGTH, Code.MODEL_CONTENT_POLICY])
def test_nor_does_one_that_the_model_does_not_take(memory: Workspace, clock: Clock, code: Code) -> None:
    for name in "ab":
        say(memory, f"team/{name}", f"{name} likes tea.")
    clock.pass_by(hours=1)
    scribe = Notetaker(failing(failure(code, "no"), on="a likes"))
    assert looked(memory, scribe) == [("team/a", code), ("team/b", None)]


@pytest.mark.parametrize("code", [Code.MODEL_TRANSPORT, Code.MODEL_AUTHENTICATION])
def test_what_all_would_meet_ends_the_look(memory: Workspace, clock: Clock, code: Code) -> None:
    for name in "abc":
        say(memory, f"team/{name}", f"{name} likes tea.")
    clock.pass_by(hours=1)
    scribe = Notetaker(failing(failure(code, "no")))
    assert looked(memory, scribe) == [("team/a", code)]
    assert len(scribe.shown) == 1


def test_who_keeps_failing_waits_for_the_others(memory: Workspace, clock: Clock) -> None:
    for name in "abc":
        say(memory, f"team/{name}", f"{name} likes tea.")
    clock.pass_by(hours=1)
    scribe = Notetaker(failing(TIMEOUT, on="a likes"))
    assert looked(memory, scribe) == [("team/a", "MODEL_TIMEOUT")]
    assert looked(reopened_with(memory, clock), scribe) == [
        ("team/b", None),
        ("team/c", None),
        ("team/a", "MODEL_TIMEOUT"),
    ]


def test_a_conversation_without_anything_to_write_is_looked_at_once(  # 10.8, 10.9
    memory: Workspace, clock: Clock, told: list[Event]
) -> None:
    say(memory, CHAT, "42", role="tool")
    clock.pass_by(hours=1)
    before = state(memory.repo.path)
    assert looked(memory) == [(CHAT, None)]
    assert looked(memory) == []
    assert told == []
    changed = {name for name, digest in state(memory.repo.path).items() if before.get(name) != digest}
    assert changed == {f".git/gitmem/{FILE}", f".git/gitmem/{LOCK}"}


def test_a_conversation_that_cannot_be_read_is_told_and_left(memory: Workspace, clock: Clock) -> None:
    say(memory, CHAT, "Ada likes tea.")
    say(memory, "team/other", "Bob likes coffee.")
    head = memory.conversations.sessions()[0].head.head
    (memory.repo.common_dir / "objects" / head[:2] / head[2:]).unlink()
    clock.pass_by(hours=1)
    again = reopened_with(memory, clock)
    assert looked(again) == [("team/other", None)]  # the other has no time that can be read
    clock.pass_by(minutes=30)
    assert looked(again) == [(CHAT, "SESSION_NODES_UNAVAILABLE")]
    assert looked(again) == []


def test_a_conversation_that_is_gone_is_forgotten(memory: Workspace, clock: Clock, git: Callable[..., str]) -> None:
    say(memory, CHAT, "Ada likes tea.")
    clock.pass_by(hours=1)
    assert looked(memory) == [(CHAT, None)]
    git(memory.repo.path, "update-ref", "-d", "refs/gitmem/sessions/team/chat/main")
    assert looked(memory) == []
    assert load(memory.repo.gitmem_dir).handled == {}


# --- what is remembered


def test_a_damaged_memory_of_what_was_handled_is_told_and_stays(memory: Workspace, clock: Clock) -> None:  # 10.10
    say(memory, CHAT, "Ada likes tea.")
    clock.pass_by(hours=1)
    (memory.repo.gitmem_dir / FILE).write_text("{")
    scribe = Notetaker()
    with pytest.raises(Unavailable) as raised:
        looked(memory, scribe)
    assert raised.value.code is Code.STORAGE_UNAVAILABLE
    assert (memory.repo.gitmem_dir / FILE).read_text() == "{"
    assert scribe.shown == []


def test_what_was_done_is_remembered_before_the_next_is_begun(memory: Workspace, clock: Clock) -> None:  # 10.10
    for name in "abc":
        say(memory, f"team/{name}", f"{name} likes tea.")
    clock.pass_by(hours=1)
    look = memory.watch_once(writer=Notetaker(failing(REFUSED, on="a likes")))
    handled = [sorted(json.loads((memory.repo.gitmem_dir / FILE).read_bytes())["handled"]) for _ in look]
    assert handled == [["team/a"], ["team/a", "team/b"], ["team/a", "team/b", "team/c"]]


def test_who_stops_listening_ends_the_look(memory: Workspace, clock: Clock) -> None:
    for name in "ab":
        say(memory, f"team/{name}", f"{name} likes tea.")
    clock.pass_by(hours=1)
    look = memory.watch_once()
    next(look)
    look.close()  # type: ignore[attr-defined]
    assert memory.pending_turns() == 1
    assert looked(memory) == [("team/b", None)]


_DIES = """
import os, signal, sys
from datetime import timedelta
from pathlib import Path
from gitmem.errors import Code, Refused
from gitmem.transaction.options import Options
from workspaces import reopened
from chats import NOON, Notetaker

def answer(batch):
    print(batch.turns[0].content, flush=True)
    if "b likes" in batch.turns[0].content:
        os.kill(os.getpid(), signal.SIGKILL)
    raise Refused(Code.COMMIT_REJECTED, "no")

memory = reopened(Path(sys.argv[1]))
memory.options = Options(now=lambda: NOON + timedelta(hours=1))
list(memory.watch_once(writer=Notetaker(answer)))
"""


def test_a_killed_watcher_repeats_no_call_that_was_answered(memory: Workspace, clock: Clock) -> None:  # 10.10
    for name in "abc":
        say(memory, f"team/{name}", f"{name} likes tea.")
    paths = os.pathsep.join(path for path in sys.path if path)
    command = [sys.executable, "-c", _DIES, str(memory.repo.path)]
    env = {**os.environ, "PYTHONPATH": paths}
    died = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert (died.returncode, died.stdout) == (-signal.SIGKILL, "a likes tea.\nb likes tea.\n"), died.stderr
    clock.pass_by(hours=1)
    scribe = Notetaker()
    assert looked(memory, scribe) == [("team/b", None), ("team/c", None)]
    assert [path.name for path in memory.repo.gitmem_dir.glob(f"{FILE}*")] == [FILE]


def test_one_process_looks_at_a_time(memory: Workspace, clock: Clock) -> None:  # 10.10
    say(memory, CHAT, "Ada likes tea.")
    clock.pass_by(hours=1)
    with filelock.FileLock(memory.repo.gitmem_dir / LOCK):
        assert looked(memory) == [("busy", None)]
    assert not (memory.repo.gitmem_dir / FILE).exists()
    look = memory.watch_once()
    next(look)
    assert looked(reopened_with(memory, clock)) == [("busy", None)]
    assert list(look) == []
    assert looked(reopened_with(memory, clock)) == []


def test_every_conversation_is_considered(memory: Workspace, clock: Clock) -> None:  # 10.10
    for number in range(120):
        say(memory, f"team/{number:03}", "42", role="tool")
    clock.pass_by(hours=1)
    assert len(looked(memory)) == 120


# --- nights


def slept(memory: Workspace, clock: Clock, reorganize: Callable[[], object]) -> list[tuple[str, str | None]]:
    clock.pass_by(minutes=5)
    return [_short(done) for done in memory.watch_once(reorganize=reorganize)]


def test_by_night_everything_is_written_and_then_reorganized(
    memory: Workspace, clock: Clock, told: list[Event]
) -> None:
    say(memory, "team/refused", "Eve likes rum.")
    assert slept(memory, clock, lambda: 1 / 0) == []  # no night was missed before the first look
    clock.now = NOON + timedelta(hours=1)
    assert looked(memory, Notetaker(failing(REFUSED))) == [("team/refused", "COMMIT_REJECTED")]
    clock.now = NIGHT - timedelta(seconds=1)
    say(memory, CHAT, "Ada likes tea.", at=clock.now)
    assert looked(memory) == []
    clock.now = NIGHT
    calls = []
    done = [_short(one) for one in memory.watch_once(reorganize=lambda: calls.append(memory.pending_turns()))]
    assert done == [(CHAT, None), ("2024-08-11", None)]
    assert calls == [1]  # after the conversations; what was refused stays as it is (0.17)
    assert slept(memory, clock, lambda: 1 / 0) == []
    assert told[-1] == NightEnded(NIGHT.isoformat(), "2024-08-11", ok=True, reason_code=None, retryable=False)


def test_a_night_that_was_missed_is_made_up_for_once(memory: Workspace, clock: Clock) -> None:
    assert looked(memory) == []
    clock.now = NIGHT + timedelta(days=3, hours=7)
    assert looked(memory) == [("2024-08-14", None)]
    assert looked(reopened_with(memory, clock)) == []


def test_a_night_that_fails_for_good_is_over(memory: Workspace, clock: Clock, told: list[Event]) -> None:
    assert looked(memory) == []
    clock.now = NIGHT
    assert slept(memory, clock, lambda: 1 / 0) == [("2024-08-11", "TRANSACTION_FAILURE_UNKNOWN")]
    assert slept(memory, clock, lambda: 1 / 0) == []
    (event,) = told
    assert (event.ok, event.reason_code, event.retryable) == (False, "TRANSACTION_FAILURE_UNKNOWN", False)
    assert memory.status().writer.last_outcome == "failure"


def test_a_night_that_may_succeed_later_is_tried_again_for_an_hour(memory: Workspace, clock: Clock) -> None:
    assert looked(memory) == []
    clock.now = NIGHT

    def busy() -> None:
        raise Conflict(Code.CONCURRENT_UPDATE, "somebody writes")

    tries = []
    for number in range(20):
        say(memory, f"team/{number}", "Ada likes tea.", at=clock.now)
        tries.append(slept(memory, clock, busy))
    assert tries[0] == [("team/0", None), ("2024-08-11", "CONCURRENT_UPDATE")]  # all are written once, not each time
    nights = [what for look in tries for what, _ in look if what == "2024-08-11"]
    assert len(nights) == nightly.TRIES == 12
    assert sum(len(look) for look in tries[1:12]) - 11 == 6  # those that have been idle for half an hour meanwhile


def test_a_night_that_kills_the_watcher_is_not_tried_for_ever(memory: Workspace, clock: Clock) -> None:
    assert looked(memory) == []
    clock.now = NIGHT
    calls = []

    def die() -> None:
        calls.append(1)
        raise KeyboardInterrupt

    for _ in range(20):
        clock.pass_by(minutes=5)
        try:
            list(reopened_with(memory, clock).watch_once(reorganize=die))
        except KeyboardInterrupt:
            continue
    assert len(calls) == nightly.TRIES


def test_nights_go_by_the_clock_on_the_wall(memory: Workspace, clock: Clock) -> None:
    from zoneinfo import ZoneInfo  # noqa: PLC0415  (as a host's clock would have it)

    clock.now = datetime(2024, 8, 10, 20, tzinfo=ZoneInfo("Asia/Tokyo"))
    assert looked(memory) == []
    clock.now = datetime(2024, 8, 11, 2, 59, tzinfo=ZoneInfo("Asia/Tokyo"))
    assert looked(memory) == []
    clock.now = datetime(2024, 8, 11, 3, tzinfo=ZoneInfo("Asia/Tokyo"))
    assert looked(memory) == [("2024-08-11", None)]
