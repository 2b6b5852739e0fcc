"""What the writer last did, kept in ``.git/gitmem/status.json`` (``behaviours.md`` part 12).

Best effort: what cannot be written is not recorded, what cannot be read was not recorded, and neither ever changes what
becomes of a write (12.7). Nothing but times and codes of the closed list reaches the file (12.3).
"""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from gitmem.errors import Code
from gitmem.store.state_files import read_state, write_state

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FILE = "status.json"
LOCK = "status.json.lock"
VERSION = 1
"""The file's own version; a file of another is one in which nothing is recorded (12.6)."""

SUCCESS, FAILURE = "success", "failure"
_LOCK_SECONDS = 1.0
_POLL_SECONDS = 0.002


class FailureStatus(NamedTuple):
    """The last failure of a writer: when (ISO time with offset), and its stable code (12.3)."""

    at: str
    reason_code: str
    retryable: bool


class WriterRecord(NamedTuple):
    """What is recorded: ``last_outcome`` is ``success`` or ``failure``; ``None`` where nothing is (12.1)."""

    last_outcome: str | None = None
    last_success_at: str | None = None
    last_failure: FailureStatus | None = None


def read_record(folder: Path) -> WriterRecord:
    """What is recorded in a memory's runtime folder. Reads only; nothing is recorded in a file that is none (12.6)."""
    try:
        data = read_state(folder / FILE)
        found = None if data is None else json.loads(data)
    except (OSError, ValueError, RecursionError):
        return WriterRecord()
    if not isinstance(found, dict) or found.get("version") != VERSION:
        return WriterRecord()
    success, failure = _moment(found.get("last_success_at")), _failure(found.get("last_failure"))
    known = [name for name, of in ((SUCCESS, success), (FAILURE, failure)) if of is not None]
    outcome = found.get("last_outcome")
    return WriterRecord(outcome if outcome in known else None, success, failure)


def record_success(folder: Path, at: datetime) -> None:
    """Record that a batch was installed at an aware moment; an earlier one never replaces a later one."""
    moment = _text(at)
    _change(folder, SUCCESS, moment, lambda record: record._replace(last_success_at=moment))


def record_failure(folder: Path, at: datetime, code: str, *, retryable: bool) -> None:
    """Record that a batch failed; a code that is none of the closed list is an unknown failure of the writer (12.3)."""
    failure = FailureStatus(_text(at), _code(code), retryable)
    _change(folder, FAILURE, failure.at, lambda record: record._replace(last_failure=failure))


def _change(folder: Path, outcome: str, at: str, changed: Callable[[WriterRecord], WriterRecord]) -> None:
    """Change one field under a lock, so that what another process records at the same time stays (12.5)."""
    import filelock  # noqa: PLC0415  (whoever only reads the status needs no lock)

    lock = filelock.FileLock(folder / LOCK, mode=0o600, fallback_to_soft=False)
    with suppress(OSError, filelock.Timeout), lock.acquire(timeout=_LOCK_SECONDS, poll_interval=_POLL_SECONDS):
        record = read_record(folder)
        before = {SUCCESS: record.last_success_at, FAILURE: record.last_failure and record.last_failure.at}
        if not _earlier(at, before[outcome]):
            record = changed(record)
        if not any(_earlier(at, moment) for moment in before.values()):
            record = record._replace(last_outcome=outcome)  # inside one second the later word counts
        write_state(folder / FILE, _bytes(record))


def _earlier(at: str, other: str | None) -> bool:
    return other is not None and datetime.fromisoformat(at) < datetime.fromisoformat(other)


def _bytes(record: WriterRecord) -> bytes:
    failure = None if record.last_failure is None else record.last_failure._asdict()
    return json.dumps({"version": VERSION, **record._asdict(), "last_failure": failure}, indent=1).encode() + b"\n"


def _text(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="seconds")


def _code(code: str) -> str:
    return code if code in Code.__members__ else Code.WRITER_FAILURE_UNKNOWN


def _moment(value: object) -> str | None:
    """A time as it is written here; anything else was not recorded (12.4)."""
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
    return None if moment is None or moment.tzinfo is None else str(value)


def _failure(value: object) -> FailureStatus | None:
    if not isinstance(value, dict):
        return None
    at, code, retryable = _moment(value.get("at")), value.get("reason_code"), value.get("retryable")
    if at is None or not isinstance(code, str) or not isinstance(retryable, bool):
        return None
    return FailureStatus(at, str(_code(code)), retryable)
