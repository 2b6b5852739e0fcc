"""A host lets memory write, and goes on whatever becomes of it (`behaviours.md` 10.1 to 10.5, 10.8)."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import filelock
import pytest

from chats import NOON, Notetaker, noted, say
from gitmem.errors import RETRYABLE, Code, Refused, failure
from gitmem.runtime import triggers
from gitmem.runtime.events import Event, IngestEnded
from gitmem.runtime.triggers import failure_of
from gitmem.transaction.options import Options
from gitmem.writer.base import WriterResult
from workspaces import QUICK, reopened, state

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from gitmem.workspace import Workspace
    from gitmem.writer.base import Batch

CHAT = "team/chat"
CLOSED = {  # behaviours.md, failure codes
    True: (
        *("CONCURRENT_UPDATE", "REPOSITORY_BUSY", "MODEL_TRANSPORT", "MODEL_RATE_LIMIT", "MODEL_PROVIDER_INTERNAL"),
        *("MODEL_TIMEOUT", "WRITER_UNAVAILABLE"),
    ),
    False: (
        *("MISSING_SESSION_ID", "SESSION_NODES_UNAVAILABLE", "WRITER_NO_PROGRESS", "WRITER_PRECONDITION_FAILED"),
        *("WRITER_BUDGET_EXCEEDED", "MODEL_RESOLUTION_FAILED", "MODEL_AUTHENTICATION", "MODEL_AUTHORIZATION"),
        *("MODEL_INVALID_REQUEST", "MODEL_CONTEXT_LENGTH", "MODEL_CONTENT_POLICY", "MODEL_FAILURE_UNKNOWN"),
        *("COMMIT_REJECTED", "APPEND_ONLY_REQUIRED", "GIT_COMMIT_FAILED", "GIT_UNAVAILABLE", "INVALID_ARGUMENT"),
        *("INVALID_TOPIC_FORMAT", "MISSING_SOURCE", "MEMORY_NOT_FOUND", "PATCH_CONFLICT", "PATH_OUTSIDE_WORKSPACE"),
        *("READ_ONLY_PATH", "MEMORY_DISABLED", "NOT_ALLOWED", "SECRET_FOUND", "FORGOTTEN_SOURCE"),
        *("TRANSACTION_FAILURE_UNKNOWN", "WRITER_FAILURE_UNKNOWN"),
    ),
}


@pytest.fixture
def memory(workspace: Workspace) -> Workspace:
    """A memory at noon; eight tokens are enough for a batch."""
    workspace.config = replace(QUICK, writer_trigger_tokens=8)
    workspace.options = Options(now=lambda: NOON + timedelta(minutes=1))
    return workspace


@pytest.fixture
def told(memory: Workspace) -> list[Event]:
    """Everything that is told."""
    events: list[Event] = []
    memory.events.subscribe(events.append)
    return events


def raising(error: Exception) -> Callable[[Batch], WriterResult]:
    def fail(_batch: Batch) -> WriterResult:
        raise error

    return fail


def test_below_the_threshold_nothing_is_said_and_no_writer_looked_for(  # 10.1, 10.2
    memory: Workspace, told: list[Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    say(memory, CHAT, "Ada likes tea.")
    monkeypatch.setattr(memory, "writer", lambda _kind: 1 / 0)
    before = state(memory.repo.path)
    assert memory.after_turn(CHAT, None) is None
    assert memory.pending_turns() == 1
    assert told == []
    assert memory.status().writer == (None, None, None, 1)
    assert state(memory.repo.path) == before


def test_past_the_threshold_the_leading_turns_are_written(memory: Workspace, told: list[Event]) -> None:  # 10.2, 9.6
    say(memory, CHAT, "Ada likes tea very much.", "Bob likes coffee more.", "Eve has left.")
    scribe = Notetaker()
    assert memory.after_turn(CHAT, writer=scribe) is None
    assert scribe.shown == [("Ada likes tea very much.", "Bob likes coffee more.")]
    assert memory.pending_turns() == 1
    revision = memory.memory().revision
    at = (NOON + timedelta(minutes=1)).isoformat()
    ended = IngestEnded(
        at, CHAT, ok=True, reason_code=None, retryable=False, revision=revision, turns=2, claims=2, writer="notes"
    )
    assert told == [ended]
    assert memory.status().writer == ("success", at, None, 1)


def test_an_hour_of_silence_is_enough(memory: Workspace) -> None:  # 10.2, 0.29
    say(memory, CHAT, "Ada likes tea.", at=NOON - timedelta(hours=1))
    assert memory.after_turn(CHAT) is None
    assert memory.pending_turns() == 0


def test_at_a_boundary_everything_is_written_batch_by_batch(memory: Workspace) -> None:  # 10.3
    say(memory, CHAT, *(f"Number {n} of six likes tea with milk." for n in range(6)))
    scribe = Notetaker()
    assert memory.boundary(CHAT, writer=scribe) is None
    assert len(scribe.shown) == 6
    assert memory.pending_turns() == 0


def test_short_side_branches_stay_pending(memory: Workspace) -> None:  # 0.18, 9.8
    say(memory, CHAT, "Ada likes tea.")
    say(memory, CHAT, "Ada likes rum.", branch="aside")
    assert memory.boundary(CHAT) is None
    assert memory.pending_turns() == 1


def test_one_conversation_is_written_and_no_other(memory: Workspace, told: list[Event]) -> None:
    say(memory, CHAT, "Ada likes tea.")
    say(memory, "team/other", "Bob likes coffee.")
    assert memory.boundary(CHAT) is None
    assert [event.session for event in told if isinstance(event, IngestEnded)] == [CHAT]
    assert memory.pending_turns() == 1


def test_a_conversation_in_which_nothing_was_said_is_no_failure(memory: Workspace, told: list[Event]) -> None:  # 10.8
    say(memory, CHAT, "42", role="tool")
    scribe = Notetaker()
    assert memory.boundary(CHAT, writer=scribe) is None
    assert (scribe.shown, told) == ([], [])


def test_no_progress_is_final(memory: Workspace, told: list[Event]) -> None:  # 10.4
    say(memory, CHAT, "Ada likes tea.")
    failed = memory.boundary(CHAT, writer=Notetaker(lambda _batch: WriterResult()))
    assert failed is not None
    assert (failed.reason_code, failed.retryable) == ("WRITER_NO_PROGRESS", False)
    (event,) = told
    assert isinstance(event, IngestEnded)
    assert (event.ok, event.reason_code, event.retryable, event.revision) == (False, "WRITER_NO_PROGRESS", False, None)
    assert memory.pending_turns() == 1


def test_a_held_lock_is_waited_for_a_second_and_retryable(  # 10.5
    memory: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert triggers.LOCK_SECONDS == 1
    monkeypatch.setattr(triggers, "LOCK_SECONDS", 0.01)
    say(memory, CHAT, "Ada likes tea.")
    with filelock.FileLock(memory.repo.gitmem_dir / "write.lock"):
        failed = memory.boundary(CHAT)
    assert failed is not None
    assert (failed.reason_code, failed.retryable) == ("CONCURRENT_UPDATE", True)
    assert memory.options.lock_timeout == 5
    assert memory.boundary(CHAT) is None


@pytest.mark.parametrize(("retryable", "code"), [(kind, code) for kind, codes in CLOSED.items() for code in codes])
def test_every_code_of_the_table_comes_back_as_it_is(code: str, *, retryable: bool) -> None:  # failure codes
    failed = failure_of(failure(Code(code), "why"))
    assert (failed.reason_code, failed.message, failed.retryable) == (code, "why", retryable)


def test_the_table_is_closed() -> None:  # failure codes
    assert set(CLOSED[True]) == set(RETRYABLE)
    assert set(CLOSED[False]) <= set(Code) - RETRYABLE


class Busy(RuntimeError):
    retryable = True


class Odd(RuntimeError):
    retryable = "perhaps"


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (ValueError("secret"), ("TRANSACTION_FAILURE_UNKNOWN", False)),
        (RuntimeError("secret"), ("TRANSACTION_FAILURE_UNKNOWN", False)),
        (Busy("secret"), ("TRANSACTION_FAILURE_UNKNOWN", True)),
        (Odd("secret"), ("TRANSACTION_FAILURE_UNKNOWN", False)),
        (OSError(28, "No space left on device", "/secret"), ("STORAGE_UNAVAILABLE", False)),
        (OSError("secret"), ("STORAGE_UNAVAILABLE", False)),
    ],
)
def test_whatever_nobody_foresaw_becomes_a_failure(  # 10.5, 12.3
    memory: Workspace,
    told: list[Event],
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
    expected: tuple[str, bool],
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(type(memory), "fold", fail)
    for call in (memory.after_turn, memory.boundary):
        failed = call(CHAT)
        assert failed is not None
        assert (failed.reason_code, failed.retryable) == expected
        assert "secret" not in failed.message
    assert [(event.ok, event.reason_code, event.retryable) for event in told] == [(False, *expected)] * 2
    last: Any = memory.status().writer.last_failure
    assert (last.reason_code, last.retryable) == expected


@pytest.mark.parametrize("session", ["", None])
def test_a_turn_without_a_conversation_is_told(memory: Workspace, session: Any) -> None:  # 10.1
    failed = memory.after_turn(session)
    assert failed is not None
    assert (failed.reason_code, failed.retryable) == ("MISSING_SESSION_ID", False)


def test_a_conversation_that_is_not_there_is_told(memory: Workspace) -> None:
    failed = memory.after_turn("team/nobody")
    assert failed is not None
    assert (failed.reason_code, failed.retryable) == ("SESSION_NODES_UNAVAILABLE", False)
    failed = memory.after_turn("nobody")
    assert failed is not None
    assert (failed.reason_code, failed.retryable) == ("INVALID_ARGUMENT", False)


def test_turns_that_cannot_be_read_are_told(memory: Workspace) -> None:
    say(memory, CHAT, "Ada likes tea.")
    say(memory, CHAT, "Bob likes coffee.")
    head = memory.conversations.sessions()[0].head.head
    (memory.repo.common_dir / "objects" / head[:2] / head[2:]).unlink()
    failed = reopened(memory.repo.path).boundary(CHAT)
    assert failed is not None
    assert (failed.reason_code, failed.retryable) == ("SESSION_NODES_UNAVAILABLE", False)


def test_what_a_writer_raises_takes_nobody_down(memory: Workspace) -> None:
    say(memory, CHAT, "Ada likes tea.")
    for error in (ZeroDivisionError("secret"), RecursionError("secret")):
        failed = memory.boundary(CHAT, writer=Notetaker(raising(error)))
        assert failed is not None
        assert (failed.reason_code, failed.retryable) == ("WRITER_FAILURE_UNKNOWN", False)
        assert "secret" not in failed.message


def test_a_writer_that_is_not_set_up_fails_only_when_it_is_needed(memory: Workspace) -> None:  # 10.8
    memory.config = replace(memory.config, writer_kind="nobody")
    say(memory, CHAT, "Ada likes tea.")
    assert memory.after_turn(CHAT) is None
    failed = memory.boundary(CHAT)
    assert failed is not None
    assert (failed.reason_code, failed.retryable) == ("INVALID_ARGUMENT", False)


def test_nothing_that_was_said_or_raised_reaches_a_file(memory: Workspace) -> None:  # 12.3
    say(memory, CHAT, "The password is swordfish.")
    memory.boundary(CHAT, writer=Notetaker(raising(Refused(Code.COMMIT_REJECTED, "swordfish is uncited"))))
    memory.boundary(CHAT, writer=Notetaker(raising(RuntimeError("swordfish"))))
    memory.boundary(CHAT)
    folder = memory.repo.gitmem_dir
    kept = [(folder / name).read_text() for name in ("status.json", "events.jsonl")]
    assert not any("swordfish" in text for text in kept)
    assert [json.loads(line)["reason_code"] for line in kept[1].splitlines()] == [
        "COMMIT_REJECTED",
        "WRITER_FAILURE_UNKNOWN",
        None,
    ]


def test_files_that_cannot_be_kept_change_nothing(memory: Workspace) -> None:  # 12.7
    for name in ("status.json", "events.jsonl"):
        (memory.repo.gitmem_dir / name).mkdir()
    say(memory, CHAT, "Ada likes tea.")
    assert memory.boundary(CHAT) is None
    assert memory.pending_turns() == 0
    assert memory.write(force=True).ok


def test_the_command_records_each_conversation_and_a_dry_run_none(memory: Workspace, told: list[Event]) -> None:  # 12.1
    say(memory, "team/a", "Ada likes tea.")
    say(memory, "team/b", "Bob likes coffee.")
    say(memory, "team/c", "Eve likes rum.")

    def refuse_b(batch: Batch) -> WriterResult:
        return WriterResult() if "Bob" in batch.turns[0].content else noted(batch)

    memory.write(force=True, dry_run=True, writer=Notetaker(refuse_b))
    assert (told, memory.status().writer.last_outcome) == ([], None)
    answer = memory.write(force=True, writer=Notetaker(refuse_b))
    assert [(e.session, e.ok, e.turns) for e in told if isinstance(e, IngestEnded)] == [
        ("team/a", True, 1),
        ("team/c", True, 1),
        ("team/b", False, 0),
    ]
    assert not answer.ok
    writer = memory.status().writer
    assert (writer.last_outcome, writer.pending_turns) == ("failure", 1)
    assert writer.last_success_at is not None
    assert writer.last_failure is not None
    assert writer.last_failure.reason_code == "WRITER_NO_PROGRESS"


def test_a_writer_that_stays_silent_by_request_is_a_success(memory: Workspace, tmp_path: Path) -> None:  # 0.16
    assert tmp_path.exists()
    say(memory, CHAT, "Hello.")
    assert memory.boundary(CHAT, writer=Notetaker(lambda _batch: WriterResult(nothing_to_record=True))) is None
    assert memory.pending_turns() == 0
