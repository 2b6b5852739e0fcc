"""What people say whom nobody vouches for: archived, within limits, and never distilled (behaviours.md 8.18, 8.22)."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from gitmem.authority import PAIRED
from gitmem.errors import Code, Disabled, NotAllowed, Refused
from gitmem.runtime import unpaired
from gitmem.runtime.unpaired import FILE, Quota
from gitmem.workspace import Workspace
from untouched import byte_identical
from workspaces import ME, QUICK, make, reopened

if TYPE_CHECKING:
    from pathlib import Path

ROOM = "telegram/room"
NOON = datetime(2026, 8, 10, 12, tzinfo=UTC)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return at(make(tmp_path / "w"), NOON)


def at(workspace: Workspace, now: datetime) -> Workspace:
    workspace.options = replace(workspace.options, now=lambda: now)
    return workspace


def said(workspace: Workspace, text: str, **more: str) -> str:
    return workspace.archive_unpaired(ROOM, text, speaker_id="666", speaker_display="Eve", **more)


def test_it_is_archived_as_pending_found_when_searched_for_and_never_distilled(workspace: Workspace) -> None:  # 8.18
    handle = said(workspace, "Ada has a cat called Turing.", id="m1")
    assert handle == "telegram/room/m1"
    (hit,) = workspace.search("Turing").results
    assert (hit.id, hit.trust_state, hit.speaker_id) == (handle, "pending", "666")
    assert workspace.recall("Turing").text == ""
    assert workspace.write(force=True).batches == ()
    assert workspace.backfill().candidates == 0
    assert [one.id for one in workspace.waiting().sources] == [handle]
    with pytest.raises(Refused):
        workspace.remember("Ada has a cat.", "people/ada.md", source=handle)
    workspace.promote([handle])
    assert "Turing" in workspace.recall("Turing").text


def test_the_same_message_again_is_the_same_handle_and_takes_no_slot(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unpaired, "MOST_AN_HOUR", 2)
    first = said(workspace, "Hello.")
    assert first.startswith("telegram/room/")
    assert [said(workspace, "Hello.") for _ in range(3)] == [first] * 3
    assert said(workspace, "Hello again.") not in {"", first}
    assert said(workspace, "One too many.") == ""


@pytest.mark.parametrize(
    "message",
    [
        {"content": ""},
        {"content": " \n"},
        {"content": "x" * (unpaired.MOST_BYTES + 1)},
        {"content": "é" * (unpaired.MOST_BYTES // 2 + 1)},
        {"content": "Hello.", "speaker_display": "E" * (unpaired.MOST_IDENTITY_BYTES + 1)},
    ],
)
def test_what_is_empty_or_too_large_leaves_nothing(workspace: Workspace, message: dict[str, str]) -> None:  # 8.22
    with byte_identical(workspace.repo.path):
        assert workspace.archive_unpaired(ROOM, **message) == ""
    assert not (workspace.repo.gitmem_dir / FILE).exists()


def test_a_message_at_the_limit_passes(workspace: Workspace) -> None:
    assert said(workspace, "x" * unpaired.MOST_BYTES)


def test_an_hour_has_so_many_and_rolls_on(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:  # 8.22
    monkeypatch.setattr(unpaired, "MOST_AN_HOUR", 3)
    times = [NOON + timedelta(minutes=20 * place) for place in range(7)]
    told = [said(at(workspace, now), f"Message at {now}.") for now in times]
    assert [bool(handle) for handle in told] == [True] * 7
    assert said(at(workspace, times[-1]), "One more.") == ""
    assert said(at(workspace, times[-1] + timedelta(minutes=21)), "One more.")


def test_there_is_an_end_to_all_of_it(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:  # 8.22
    monkeypatch.setattr(unpaired, "MOST_BYTES_IN_ALL", 100)
    assert said(workspace, "x" * 60)
    assert said(workspace, "y" * 60) == ""
    assert said(workspace, "z" * 40)


def test_a_lost_record_is_counted_anew(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpaired, "MOST_BYTES_IN_ALL", 100)
    assert said(workspace, "x" * 60)
    for broken in (b"{", b"[]", b'{"version": 9}', b'{"version": 1, "times": "x"}'):
        (workspace.repo.gitmem_dir / FILE).write_bytes(broken)
        assert said(workspace, "y" * 60) == ""


def test_a_message_that_the_memory_refuses_gives_its_slot_back(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:  # 8.22
    monkeypatch.setattr(unpaired, "MOST_AN_HOUR", 1)
    said(workspace, "Hello.", id="m1")
    workspace.forget(["telegram/room/m1"])
    at(workspace, NOON + timedelta(hours=2))
    assert said(workspace, "Hello.", id="m1") == ""  # it was erased for good
    assert said(workspace, "Good evening.", id="m2")


ARCHIVING = """
import sys
from pathlib import Path
from gitmem.config import Config
from gitmem.request import Person
from gitmem.runtime import unpaired
from gitmem.workspace import Caller, Workspace

unpaired.MOST_AN_HOUR = 5
folder, first = Path(sys.argv[1]), int(sys.argv[2])
memory = Workspace.open(folder, Caller(Person("Test", "test@example.invalid")), Config(fsync=False, lock_timeout=60.0))
for number in range(first, first + 3):
    print(memory.archive_unpaired("telegram/room", f"Message {number}.", speaker_id="666"))
"""


def test_the_limit_holds_over_processes(workspace: Workspace) -> None:  # 8.22
    commands = [[sys.executable, "-c", ARCHIVING, str(workspace.repo.path), str(first)] for first in range(0, 12, 3)]
    started = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for command in commands]
    told = [line for one in started for line in one.communicate()[0].splitlines()]
    assert (len(told), sum(map(bool, told))) == (12, 5)
    assert len(reopened(workspace.repo.path).waiting().sources) == 5


def test_it_is_the_owners_host_that_archives(workspace: Workspace) -> None:  # part 8, "capabilities"
    paired = Workspace.open(workspace.repo.path, replace(ME, authority=PAIRED), QUICK)
    with pytest.raises(NotAllowed):
        paired.archive_unpaired(ROOM, "Hello.")
    with pytest.raises(Disabled) as caught:
        Workspace.open(workspace.repo.path, ME, replace(QUICK, backend="none"))
    assert caught.value.code is Code.MEMORY_DISABLED


def test_slots_are_given_back_once(tmp_path: Path) -> None:
    quota = Quota(tmp_path, lambda: 0)
    slot = quota.take("Hello.", "", 1000.0)
    assert slot is not None
    quota.give_back(slot)
    quota.give_back(slot)
    assert quota.take("Hello.", "", 1000.0) is not None
