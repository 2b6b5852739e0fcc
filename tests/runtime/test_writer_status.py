"""What the writer last did, in `.git/gitmem/status.json` (`behaviours.md` part 12)."""

from __future__ import annotations

import json
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

import filelock
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.runtime import writer_status
from gitmem.runtime.writer_status import (
    FILE,
    LOCK,
    FailureStatus,
    WriterRecord,
    read_record,
    record_failure,
    record_success,
)

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.workspace import Workspace

NOON = datetime(2026, 8, 10, 12, tzinfo=UTC)
NOON_TEXT = "2026-08-10T12:00:00+00:00"
LATER = NOON + timedelta(minutes=1)
LATER_TEXT = "2026-08-10T12:01:00+00:00"


def test_nothing_is_recorded_at_first(tmp_path: Path) -> None:  # 12.1
    assert read_record(tmp_path) == (None, None, None)
    assert list(tmp_path.iterdir()) == []


def test_a_success_and_a_failure_are_kept_side_by_side(tmp_path: Path) -> None:  # 12.1
    record_failure(tmp_path, NOON, "MODEL_TIMEOUT", retryable=True)
    assert read_record(tmp_path) == ("failure", None, (NOON_TEXT, "MODEL_TIMEOUT", True))
    record_success(tmp_path, LATER)
    assert read_record(tmp_path) == ("success", LATER_TEXT, (NOON_TEXT, "MODEL_TIMEOUT", True))


def test_the_file_holds_times_and_codes_and_nothing_else(tmp_path: Path) -> None:  # 12.3
    record_failure(tmp_path, NOON, "the key sk-123 was refused", retryable=False)
    record_success(tmp_path, NOON)
    assert json.loads((tmp_path / FILE).read_bytes()) == {
        "version": 1,
        "last_outcome": "success",
        "last_success_at": NOON_TEXT,
        "last_failure": {"at": NOON_TEXT, "reason_code": "WRITER_FAILURE_UNKNOWN", "retryable": False},
    }


def test_a_code_that_this_version_does_not_know_is_not_shown(tmp_path: Path) -> None:  # 12.3
    failure = {"at": NOON_TEXT, "reason_code": "\x1b[31mred", "retryable": True}
    (tmp_path / FILE).write_text(json.dumps({"version": 1, "last_outcome": "failure", "last_failure": failure}))
    assert read_record(tmp_path).last_failure == (NOON_TEXT, "WRITER_FAILURE_UNKNOWN", True)


def test_times_have_an_offset_and_the_file_is_whole_and_private(tmp_path: Path) -> None:  # 12.4
    record_success(tmp_path, NOON.astimezone(timezone(timedelta(hours=-8))))
    record_failure(tmp_path, LATER, "COMMIT_REJECTED", retryable=False)
    record = read_record(tmp_path)
    assert record.last_success_at is not None
    assert record.last_failure is not None
    for text in (record.last_success_at, record.last_failure.at):
        assert datetime.fromisoformat(text).tzinfo is not None
    assert record.last_success_at == NOON_TEXT
    assert {path.name for path in tmp_path.iterdir()} == {FILE, LOCK}
    assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o600}


def test_recording_does_not_move_the_revision(workspace: Workspace) -> None:  # 12.4
    before = workspace.memory().revision
    record_success(workspace.repo.gitmem_dir, NOON)
    assert workspace.memory().revision == before
    assert workspace.status().dirty == ()


def _record(folder: Path, number: int) -> None:
    at = NOON + timedelta(seconds=number)
    if number % 2:
        record_failure(folder, at, "CONCURRENT_UPDATE", retryable=True)
    else:
        record_success(folder, at)


def test_success_and_failure_at_the_same_time_keep_both_fields(tmp_path: Path) -> None:  # 12.5
    spawn = multiprocessing.get_context("forkserver")
    with ProcessPoolExecutor(2, mp_context=spawn) as pool:
        for _ in pool.map(_record, [tmp_path] * 60, range(60), chunksize=1):
            pass
    record = read_record(tmp_path)
    assert record.last_success_at == (NOON + timedelta(seconds=58)).isoformat()
    assert record.last_failure == ((NOON + timedelta(seconds=59)).isoformat(), "CONCURRENT_UPDATE", True)
    assert record.last_outcome == "failure"


@pytest.mark.parametrize("last", ["success", "failure"])
def test_the_last_outcome_breaks_ties_inside_one_time(tmp_path: Path, last: str) -> None:  # 12.5
    record_success(tmp_path, NOON)
    record_failure(tmp_path, NOON, "MODEL_TIMEOUT", retryable=True)
    if last == "success":
        record_success(tmp_path, NOON + timedelta(milliseconds=300))
    assert read_record(tmp_path) == (last, NOON_TEXT, (NOON_TEXT, "MODEL_TIMEOUT", True))


OUTCOMES = st.lists(st.tuples(st.booleans(), st.integers(0, 5)), min_size=1, max_size=8)


@given(OUTCOMES)
def test_in_whatever_order_it_is_recorded_the_latest_of_each_kind_stays(  # 12.5
    tmp_path_factory: pytest.TempPathFactory, outcomes: list[tuple[bool, int]]
) -> None:
    folder = tmp_path_factory.mktemp("runtime")
    for good, second in outcomes:
        at = NOON + timedelta(seconds=second)
        if good:
            record_success(folder, at)
        else:
            record_failure(folder, at, "MODEL_TIMEOUT", retryable=True)
    latest = {kind: max((s for good, s in outcomes if good is kind), default=None) for kind in (True, False)}
    record = read_record(folder)
    kept = record.last_success_at, record.last_failure and record.last_failure.at
    assert kept == tuple(None if s is None else (NOON + timedelta(seconds=s)).isoformat() for s in latest.values())
    last = max(second for _, second in outcomes)
    assert record.last_outcome == next("success" if good else "failure" for good, s in outcomes[::-1] if s == last)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no JSON",
        b"\xff",
        b"[" * 100_000,
        b"[1]",
        b'{"version": 2, "last_outcome": "success", "last_success_at": "2026-08-10T12:00:00+00:00"}',
        b'{"last_outcome": "success", "last_success_at": "2026-08-10T12:00:00+00:00"}',
        b'{"version": 1, "last_outcome": "success"}',
        b'{"version": 1, "last_outcome": ["success"], "last_success_at": "noon"}',
        b'{"version": 1, "last_outcome": "success", "last_success_at": "2026-08-10T12:00:00"}',
        b'{"version": 1, "last_outcome": "failure", "last_failure": "MODEL_TIMEOUT"}',
        b'{"version": 1, "last_outcome": "failure", "last_failure": {"at": 3, "reason_code": "X", "retryable": true}}',
    ],
)
def test_another_version_and_what_is_none_read_as_nothing_recorded(tmp_path: Path, content: bytes) -> None:  # 12.6
    (tmp_path / FILE).write_bytes(content)
    assert read_record(tmp_path) == WriterRecord()
    record_success(tmp_path, NOON)
    assert read_record(tmp_path) == ("success", NOON_TEXT, None)


def test_what_cannot_be_recorded_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # 12.7
    record_success(tmp_path / "nowhere", NOON)
    (tmp_path / FILE).mkdir()
    record_success(tmp_path, NOON)
    assert read_record(tmp_path) == WriterRecord()
    (tmp_path / FILE).rmdir()
    monkeypatch.setattr(writer_status, "_LOCK_SECONDS", 0)
    with filelock.FileLock(tmp_path / LOCK):
        record_failure(tmp_path, NOON, "MODEL_TIMEOUT", retryable=True)
    assert read_record(tmp_path) == WriterRecord()


def test_the_status_tells_it(workspace: Workspace) -> None:  # 12.1
    record_failure(workspace.repo.gitmem_dir, NOON, "MODEL_TIMEOUT", retryable=True)
    failure: Any = FailureStatus(NOON_TEXT, "MODEL_TIMEOUT", retryable=True)
    assert workspace.status().writer == ("failure", None, failure, 0)
