"""Keeping the repository small while others write (`cli.md`, maintain; `architecture.md` section 7)."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from gitmem.config import Config
from gitmem.errors import Code, Conflict, Unavailable
from gitmem.runtime import maintain
from gitmem.runtime.events_log import EventsLog
from gitmem.store import maintenance, refs
from gitmem.workspace import Workspace
from gitmem.writer.proposals import KEPT_SECONDS
from untouched import byte_identical
from workspaces import ME, reopened

if TYPE_CHECKING:
    from pathlib import Path

    from running import Git

SETTINGS = Config(fsync=False, autosave_keep_days=30, autosave_keep_count=1)


@pytest.fixture
def opened(folder: Path) -> Workspace:
    return Workspace.open(folder, ME, SETTINGS, dict(os.environ))


def test_objects_and_refs_are_packed_and_nothing_is_lost(opened: Workspace, folder: Path, git: Git) -> None:
    for number in range(5):
        opened.remember(f"Ada has {number} cats.", "people/ada.md", time="2024-03-15")
    log, there = git(folder, "log", "--format=%H"), git(folder, "for-each-ref")
    answer = opened.maintain()
    assert answer.ok
    assert [(done.what, done.target) for done in answer.actions] == [
        ("packed", "objects and refs"),
        ("wrote", "commit-graph"),
    ]
    assert answer.before.loose > 30
    assert (answer.after.loose, answer.after.packs) == (0, 1)
    assert (git(folder, "log", "--format=%H"), git(folder, "for-each-ref")) == (log, there)
    assert (folder / ".git/packed-refs").exists()
    assert (folder / ".git/objects/info/commit-graph").exists()
    git(folder, "commit-graph", "verify")
    git(folder, "fsck", "--strict")
    assert reopened(folder).doctor().actions == ()
    opened.remember("Ada likes tea.", "people/ada.md", time="2024")
    assert reopened(folder).check(all_history=True).ok


def test_a_users_settings_cannot_make_it_dangerous(opened: Workspace, folder: Path, git: Git) -> None:
    git(folder, "config", "gc.pruneExpire", "now")
    git(folder, "config", "core.hooksPath", str(folder / "hooks"))
    (folder / "hooks").mkdir()
    (folder / "hooks/pre-auto-gc").write_text("#!/bin/sh\nexit 1\n")
    (folder / "hooks/pre-auto-gc").chmod(0o700)
    unnamed = git(folder, "hash-object", "-w", "--stdin", stdin="about to be named")
    opened.maintain()
    assert git(folder, "cat-file", "-p", unnamed) == "about to be named"


def test_what_is_no_longer_kept_goes(opened: Workspace, folder: Path) -> None:
    now, tip = datetime.now(UTC), opened.resolve("HEAD")
    kept = refs.create_autosave(opened.repo, tip, at=now)
    gone = refs.create_autosave(opened.repo, tip, at=now - timedelta(days=31))
    waiting = folder / ".git/gitmem/proposals"
    waiting.mkdir()
    for name, age in (("a" * 64, KEPT_SECONDS + 60), ("b" * 64, 60)):
        (waiting / f"{name}.json").write_text("{}")
        os.utime(waiting / f"{name}.json", (time.time() - age, time.time() - age))
    events = folder / ".git/gitmem/events.jsonl"
    lines = [f'{{"at": "{(now - timedelta(days=days)).isoformat()}"}}\n' for days in (100, 1)]
    events.write_text("".join(lines))
    told = [(done.what, done.target) for done in opened.maintain().actions[:3]]
    assert told == [("expired", gone), ("expired", f"{'a' * 64}.json"), ("cut", "events.jsonl")]
    assert [ref.name for ref in refs.autosaves(opened.repo)] == [kept]
    assert [path.name for path in waiting.iterdir()] == [f"{'b' * 64}.json"]
    assert events.read_text() == lines[1]
    assert EventsLog(folder / ".git/gitmem").trim(now) is False


def test_one_does_it_at_a_time(opened: Workspace, folder: Path) -> None:
    with maintain._alone(opened.repo), pytest.raises(Conflict) as ours:
        reopened(folder).maintain()
    assert ours.value.code is Code.CONCURRENT_UPDATE
    (folder / ".git/gc.pid").write_text(f"{os.getpid()} {os.uname().nodename}")
    with pytest.raises(Conflict) as gits:
        opened.maintain()
    assert gits.value.code is Code.CONCURRENT_UPDATE


def test_without_git_nothing_is_done(folder: Path, tmp_path: Path) -> None:
    workspace = Workspace.open(folder, ME, SETTINGS, {"PATH": str(tmp_path)})
    with byte_identical(folder), pytest.raises(Unavailable) as caught:
        workspace.maintain()
    assert caught.value.code is Code.GIT_UNAVAILABLE


def test_a_damaged_repository_is_left_to_the_doctor(opened: Workspace, folder: Path, git: Git) -> None:
    opened.remember("Ada likes tea.", "people/ada.md", time="2024")
    oid = git(folder, "rev-parse", "HEAD:topics")
    (folder / ".git/objects" / oid[:2] / oid[2:]).unlink()
    with pytest.raises(Unavailable):
        opened.maintain()


def test_a_bare_memory_and_a_linked_worktree_are_packed(folder: Path, git: Git) -> None:
    git(folder, "worktree", "add", "-q", "-b", "other", str(folder.parent / "linked"))
    linked = Workspace.open(folder.parent / "linked", ME, SETTINGS, dict(os.environ))
    assert linked.maintain().after.loose == 0
    git(folder, "clone", "-q", "--bare", str(folder), str(folder.parent / "bare.git"))
    assert Workspace.open(folder.parent / "bare.git", ME, SETTINGS, dict(os.environ)).maintain().ok


# --- when it is due


def test_loose_objects_are_estimated_from_a_few_folders(opened: Workspace, folder: Path) -> None:
    for name in maintenance.SAMPLE:
        (folder / ".git/objects" / name).mkdir(exist_ok=True)
        for path in (folder / ".git/objects" / name).iterdir():
            path.unlink()
    assert maintenance.estimate_loose(opened.repo) == maintenance.LooseObjects(0, 0)
    (folder / ".git/objects/17" / ("0" * 38)).write_bytes(b"x" * 100)
    assert maintenance.estimate_loose(opened.repo) == maintenance.LooseObjects(64, 6400)
    assert maintenance.LooseObjects(6_700, 0).are_many
    assert maintenance.LooseObjects(10, 200 << 20).are_many
    assert not maintenance.LooseObjects(6_699, 1 << 20).are_many


def test_it_rests_after_a_beginning(opened: Workspace, folder: Path) -> None:
    assert not maintain.rests(opened.repo)
    opened.maintain()
    assert maintain.rests(opened.repo)
    os.utime(folder / ".git/gitmem" / maintain.LOCK, (0, 0))
    assert not maintain.rests(opened.repo)


# --- while others write

WRITER = """
import sys
from pathlib import Path
from gitmem.config import Config
from gitmem.request import Person
from gitmem.workspace import Caller, Workspace

folder, who, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
workspace = Workspace.open(folder, Caller(Person(who, "t@example.invalid")), Config(fsync=False, lock_timeout=60.0))
print("ready", flush=True)
for number in range(count):
    revision = workspace.remember(f"{who} has {number} cats.", f"people/{who}.md", time="2024").revision
    workspace.add_turn(f"chat/{who}", f"turn {number}")
    print(revision, flush=True)
"""


def test_writers_go_on_and_lose_nothing(opened: Workspace, folder: Path, git: Git) -> None:
    command = [sys.executable, "-c", WRITER, str(folder)]
    writers = [
        subprocess.Popen([*command, who, "25"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for who in ("ada", "bob")
    ]
    for writer in writers:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
    rounds = 0
    while any(writer.poll() is None for writer in writers) or not rounds:
        opened.maintain()
        rounds += 1
    outputs = [writer.communicate() for writer in writers]
    assert [err for _, err in outputs] == ["", ""]
    revisions = [line for out, _ in outputs for line in out.split()]
    assert len(revisions) == 50
    assert set(revisions) <= set(git(folder, "log", "--format=%H").split())
    git(folder, "fsck", "--strict", "--no-dangling")
    again = reopened(folder)
    assert again.status().topics.blocks == 50
    assert [len(again.turns(f"chat/{who}").turns) for who in ("ada", "bob")] == [25, 25]
    assert again.doctor().ok
