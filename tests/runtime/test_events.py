"""Telling what happened in the background, and keeping it (`behaviours.md` 10.9, 12.3)."""

from __future__ import annotations

import json
import logging
import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import filelock
import pytest

from gitmem.runtime import events_log
from gitmem.runtime.events import Event, EventBus, IngestEnded, NightEnded
from gitmem.runtime.events_log import FILE, KEPT, LOCK, EventsLog

if TYPE_CHECKING:
    from pathlib import Path

NOON = datetime(2026, 8, 10, 12, tzinfo=UTC)
KEYS = ["event", "at", "session", "ok", "reason_code", "retryable", "revision", "turns", "claims", "writer"]


def ended(at: datetime = NOON, session: str = "team/chat", **fields: Any) -> IngestEnded:
    known = {"reason_code": None, "retryable": False, "revision": "a" * 40, "turns": 2, "claims": 1, "writer": "model"}
    return IngestEnded(at.isoformat(), session, **{"ok": True, **known, **fields})


def lines(folder: Path) -> list[dict[str, Any]]:
    data = (folder / FILE).read_bytes()
    assert data.endswith(b"\n")
    return [json.loads(line) for line in data.splitlines()]


def test_every_subscriber_is_told_until_it_leaves() -> None:
    bus, first, second = EventBus(), list[Event](), list[Event]()
    leave = bus.subscribe(first.append)
    bus.subscribe(second.append)
    bus.publish(ended())
    leave()
    leave()
    bus.publish(ended(session="team/other"))
    assert first == [ended()]
    assert second == [ended(), ended(session="team/other")]


def test_a_subscriber_that_fails_harms_nobody(caplog: pytest.LogCaptureFixture) -> None:
    bus, told = EventBus(), list[Event]()

    def fail(_event: Event) -> None:
        message = "broken"
        raise RuntimeError(message)

    bus.subscribe(fail)
    bus.subscribe(told.append)
    with caplog.at_level(logging.ERROR, "gitmem"):
        bus.publish(ended())
    assert told == [ended()]
    assert len(caplog.records) == 1


def test_a_failing_subscriber_prints_nothing(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    bus = EventBus()
    bus.subscribe(EventsLog(tmp_path / "nowhere"))
    bus.publish(ended())
    assert capfd.readouterr() == ("", "")


def test_events_are_lines_of_a_private_file(tmp_path: Path) -> None:
    log = EventsLog(tmp_path)
    log(ended())
    log(ended(session="team/Zoë\n", ok=False, reason_code="COMMIT_REJECTED", revision=None, turns=0, claims=0))
    log(NightEnded(NOON.isoformat(), "2026-08-10", ok=False, reason_code="MODEL_TIMEOUT", retryable=True))
    first, second, third = lines(tmp_path)
    assert list(first) == KEYS
    assert (first["event"], first["at"]) == ("memory.ingest_ended", "2026-08-10T12:00:00+00:00")
    assert (second["session"], second["ok"], second["reason_code"]) == ("team/Zoë\n", False, "COMMIT_REJECTED")
    assert third == {
        "event": "memory.night_ended",
        "at": NOON.isoformat(),
        "night": "2026-08-10",
        "ok": False,
        "reason_code": "MODEL_TIMEOUT",
        "retryable": True,
    }
    assert {path.name for path in tmp_path.iterdir()} == {FILE, LOCK}
    assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o600}


def test_half_a_line_of_a_dead_process_stays_alone(tmp_path: Path) -> None:
    log = EventsLog(tmp_path)
    log(ended(session="a/1"))
    with (tmp_path / FILE).open("ab") as file:
        file.write(b'{"event": "memory.ing')
    log(ended(session="a/2"))
    assert [line[:16] for line in (tmp_path / FILE).read_bytes().splitlines()][1] == b'{"event": "memor'
    assert json.loads((tmp_path / FILE).read_bytes().splitlines()[2])["session"] == "a/2"


def test_a_write_that_comes_back_short_is_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: write(descriptor, data[:7]))
    EventsLog(tmp_path)(ended())
    assert lines(tmp_path)[0]["session"] == "team/chat"


def test_ninety_days_are_kept(tmp_path: Path) -> None:
    log = EventsLog(tmp_path)
    for days in (0, 1, 2, 89):
        log(ended(NOON + timedelta(days=days), f"a/{days}"))
    log(ended(NOON + KEPT + timedelta(hours=23), "a/slack"))  # cut once a day, not with every event
    assert [line["session"] for line in lines(tmp_path)] == ["a/0", "a/1", "a/2", "a/89", "a/slack"]
    log(ended(NOON + KEPT + timedelta(days=1, hours=1), "a/new"))
    assert [line["session"] for line in lines(tmp_path)] == ["a/2", "a/89", "a/slack", "a/new"]


def test_what_is_no_event_goes_with_the_next_cut(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b'null\n{"at": "noon"}\n{"at": "2026-08-10T12:00:00"}\n\xff\n' + b"[" * 9_999 + b"\n")
    log = EventsLog(tmp_path)
    log(ended())
    log(ended())
    assert [line["session"] for line in lines(tmp_path)] == ["team/chat"] * 2


def test_fifty_megabytes_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert events_log.MOST_BYTES == 50_000_000
    monkeypatch.setattr(events_log, "MOST_BYTES", 10_000)
    monkeypatch.setattr(events_log, "_BYTES_AFTER_A_CUT", 9_000)
    log, sizes = EventsLog(tmp_path), []
    for number in range(200):
        log(ended(session=f"a/{number:03}"))
        sizes.append((tmp_path / FILE).stat().st_size)
    assert max(sizes) <= 10_000
    assert sizes[-1] > 8_000
    kept = [line["session"] for line in lines(tmp_path)]
    assert kept == [f"a/{number:03}" for number in range(200 - len(kept), 200)]


def _add(folder: Path, number: int) -> None:
    EventsLog(folder)(ended(NOON + timedelta(seconds=number), f"a/{number}"))


def test_nothing_is_lost_when_several_processes_add_and_cut(tmp_path: Path) -> None:
    log = EventsLog(tmp_path)
    log(ended(NOON - KEPT - timedelta(days=2), "a/old"))
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("forkserver")) as pool:
        for _ in pool.map(_add, [tmp_path] * 100, range(100), chunksize=1):
            pass
    assert {line["session"] for line in lines(tmp_path)} == {f"a/{number}" for number in range(100)}


def test_a_file_that_stays_locked_is_a_failure_of_the_log_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # 12.7
    monkeypatch.setattr(events_log, "_LOCK_SECONDS", 0)
    with filelock.FileLock(tmp_path / LOCK), pytest.raises(OSError, match=r"lock"):
        EventsLog(tmp_path)(ended())
    bus = EventBus()
    bus.subscribe(EventsLog(tmp_path))
    with filelock.FileLock(tmp_path / LOCK):
        bus.publish(ended())
    assert not (tmp_path / FILE).exists()
