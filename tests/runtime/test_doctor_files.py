"""What the doctor mends in files: locks, git's index, the catalogue, runtime state (`cli.md`, doctor)."""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING

import pytest

from gitmem.errors import Conflict, GitmemError
from gitmem.ids import Oid
from gitmem.store.journal import Journal
from gitmem.workspace import Workspace
from workspaces import ME, QUICK, reopened

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.runtime.doctor import DoctorAnswer
    from running import Git

ADA = "topics/people/ada.md"


@pytest.fixture
def folder(workspace: Workspace) -> Path:
    workspace.remember("Ada likes tea.", "people/ada.md", time="2024-03-15")
    return workspace.repo.path


def healed(folder: Path) -> DoctorAnswer:
    return Workspace.open(folder, ME, QUICK, recovering=False).doctor()


def done(answer: DoctorAnswer) -> list[tuple[str, str]]:
    return [(action.what, action.target) for action in answer.actions]


def lock(folder: Path, name: str, age: float) -> Path:
    path = folder / ".git" / name
    path.touch()
    os.utime(path, (time.time() - age, time.time() - age))
    return path


# --- locks


def test_an_abandoned_lock_is_removed_and_memory_is_written_again(folder: Path) -> None:
    # architecture.md section 7: kill -9 leaves them
    lock(folder, "refs/heads/main.lock", age=700)
    stuck = reopened(folder)
    stuck.options = stuck.options.__class__(lock_timeout=0.05)
    with pytest.raises(Conflict) as caught:
        stuck.remember("Ada plays chess.", "people/ada.md", time="2024")
    assert caught.value.details["lock"] == "refs/heads/main.lock"
    answer = healed(folder)
    assert answer.ok
    assert done(answer) == [("removed", "refs/heads/main.lock")]
    assert reopened(folder).remember("Ada plays chess.", "people/ada.md", time="2024").memory_committed


def test_a_lock_that_may_be_somebodys_is_told_and_stays(folder: Path) -> None:
    young, index = lock(folder, "refs/heads/other.lock", age=20), lock(folder, "index.lock", age=90_000)
    answer = healed(folder)
    assert answer.ok
    assert [(found.code, found.severity) for found in answer.findings] == [("standing-lock", "warning")] * 2
    assert "index.lock stands there for 90,00" in answer.findings[1].message
    assert "refs/heads/other.lock stands there for 2" in answer.findings[0].message
    assert young.exists()
    assert index.exists()


@pytest.mark.parametrize(("age", "said"), [(5, False), (300, True)])
def test_a_write_that_finds_the_index_locked_for_long_says_what_to_do(folder: Path, *, age: int, said: bool) -> None:
    lock(folder, "index.lock", age=age)
    stuck = reopened(folder)
    stuck.options = stuck.options.__class__(lock_timeout=0.05)
    with pytest.raises(Conflict) as caught:
        stuck.remember("Ada plays chess.", "people/ada.md", time="2024")
    assert caught.value.details == {"lock": "index.lock"}
    assert ("remove it from the git directory" in caught.value.message) is said


def test_what_an_interrupted_signing_left_goes(folder: Path) -> None:
    (folder / ".git/gitmem/signing-abc").mkdir()
    (folder / ".git/gitmem/signing-abc/commit").write_text("half")
    assert done(healed(folder)) == [("removed", "signing-abc")]


# --- views


def test_views_that_somebody_deleted_are_put_back(folder: Path, git: Git) -> None:
    stood = {path: path.read_bytes() for path in [*folder.glob("timeline/**/*.md"), folder / "recent_events.jsonl"]}
    assert len(stood) > 1
    for path in stood:
        path.unlink()
    (folder / "topics/loose.md").write_text("typed\n")
    answer = healed(folder)
    assert done(answer) == [("written", "views")]
    assert {path: path.read_bytes() for path in stood} == stood
    assert git(folder, "status", "--porcelain") == "?? topics/loose.md"


def test_a_view_that_somebody_edits_and_a_topic_that_is_deleted_stay_as_they_are(folder: Path) -> None:
    (folder / "recent_events.jsonl").write_text("mine\n")
    topic = next(folder.glob("topics/**/*.md"))
    topic.unlink()
    healed(folder)
    assert (folder / "recent_events.jsonl").read_text() == "mine\n"
    assert not topic.exists()


# --- git's index


@pytest.mark.parametrize("harm", ["missing", "empty", "cut", "flipped", "garbage"])
def test_a_broken_index_is_made_anew_from_head(folder: Path, git: Git, harm: str) -> None:
    index = folder / ".git/index"
    data = index.read_bytes()
    (folder / "topics/loose.md").write_text("typed\n")
    if harm == "missing":
        index.unlink()
    else:
        broken = {"empty": b"", "cut": data[:-30], "flipped": data[:40] + b"\xff" + data[41:], "garbage": b"garbage"}
        index.write_bytes(broken[harm])
    answer = healed(folder)
    assert done(answer) == [("rebuilt", "index")]
    assert index.stat().st_mode & 0o777 == 0o600
    assert git(folder, "status", "--porcelain") == "?? topics/loose.md"
    assert (folder / ".git/gitmem/index.broken").exists() is (harm != "missing")
    (folder / "topics/loose.md").unlink()
    assert healed(folder).actions == ()
    reopened(folder).remember("Ada plays chess.", "people/ada.md", time="2024")
    assert git(folder, "status", "--porcelain") == ""


def test_an_index_that_somebody_may_be_writing_is_left(folder: Path) -> None:
    (folder / ".git/index").write_bytes(b"garbage")
    lock(folder, "index.lock", age=5)
    answer = healed(folder)
    assert not answer.ok
    assert [found.code for found in answer.findings] == ["not-mended", "standing-lock"]
    assert (folder / ".git/index").read_bytes() == b"garbage"


def test_an_index_without_a_checksum_is_sound(folder: Path, git: Git) -> None:
    data = (folder / ".git/index").read_bytes()
    (folder / ".git/index").write_bytes(data[:-20] + bytes(20))  # index.skipHash
    assert healed(folder).actions == ()
    assert git(folder, "status", "--porcelain") == ""


# --- the catalogue


def test_a_damaged_catalogue_is_said_to_have_been_built_anew(folder: Path) -> None:
    reopened(folder).close()
    (folder / ".git/gitmem/index.sqlite").write_bytes(b"garbage" * 1000)
    for companion in ("-wal", "-shm"):
        (folder / f".git/gitmem/index.sqlite{companion}").unlink(missing_ok=True)
    answer = healed(folder)
    assert answer.ok
    assert [(action.target, action.outcome) for action in answer.actions] == [("index.sqlite", "it was damaged")]


def test_a_missing_catalogue_is_built(workspace: Workspace, folder: Path) -> None:
    workspace.close()
    for path in (folder / ".git/gitmem").glob("index.sqlite*"):
        path.unlink()
    assert done(healed(folder)) == [("built", "index.sqlite")]


@pytest.mark.parametrize(
    "lie",
    [
        "UPDATE claim SET data = replace(data, 'tea', 'rum')",
        "UPDATE total SET value = 9 WHERE name = 'archives'",
        "DELETE FROM record",
    ],
)
def test_a_catalogue_that_lies_is_built_anew(workspace: Workspace, folder: Path, lie: str) -> None:
    workspace.memory()
    database = workspace.catalog._database
    assert database is not None
    with database.writing():
        database.execute(lie)
    workspace.close()
    answer = healed(folder)
    assert done(answer) == [("rebuilt", "index.sqlite")]
    assert answer.actions[0].outcome == "it did not hold what the memory holds"
    assert healed(folder).actions == ()
    assert "tea" in reopened(folder).search("tea").results[0].content


# --- runtime state


def test_runtime_files_that_cannot_be_read_are_set_aside(folder: Path) -> None:
    state = folder / ".git/gitmem"
    (state / "status.json").write_bytes(b"\0\0\0")
    (state / "watch.json").write_text('{"version": 1, "hand')
    (state / "tokens.json").write_text('{"version": 99}')
    (state / "events.jsonl").write_text('{"at": "2999-01-01T00:00:00+00:00"}\nhalf a li\n')
    answer = healed(folder)
    assert done(answer) == [("set aside", "status.json"), ("set aside", "watch.json"), ("cut", "events.jsonl")]
    assert (state / "watch.json.broken").read_text() == '{"version": 1, "hand'
    assert (state / "events.jsonl").read_text() == '{"at": "2999-01-01T00:00:00+00:00"}\n'
    assert healed(folder).actions == ()
    assert reopened(folder).status().writer.last_outcome is None


# --- refs and objects


@pytest.mark.parametrize("content", ["", "garbage\n", "\0" * 41])
def test_a_ref_that_names_nothing_is_found(folder: Path, content: str) -> None:
    (folder / ".git/refs/heads/old").write_text(content)
    answer = healed(folder)
    assert not answer.ok
    assert [(found.code, found.message) for found in answer.findings] == [
        ("broken-ref", "the ref refs/heads/old names no object")
    ]


def test_a_branch_that_names_nothing_is_found(folder: Path) -> None:
    (folder / ".git/refs/heads/main").write_text("")
    answer = healed(folder)
    assert [found.code for found in answer.findings] == ["broken-ref"]
    assert answer.derived == (False, None)


def test_what_cannot_be_finished_yet_is_told_with_what_is_missing(folder: Path, git: Git) -> None:
    repo, head, gone = reopened(folder).repo, git(folder, "rev-parse", "HEAD"), git(folder, "rev-parse", "HEAD~1")
    Journal("refs/heads/main", Oid(gone), Oid(head), None).write(repo)
    (folder / ".git/objects" / gone[:2] / gone[2:]).unlink()
    answer = healed(folder)
    assert not answer.ok
    assert [found.code for found in answer.findings] == ["not-mended", "missing-object"]
    assert json.loads((folder / ".git/gitmem-projection").read_text())["to"] == head


# --- refs of conversations and marks


@pytest.mark.parametrize("harm", ["missing", "a blob", "garbage"])
@pytest.mark.parametrize("ref", ["refs/gitmem/sessions/chat/a/main", "refs/notes/gitmem/written"])
def test_a_ref_that_leads_nowhere_is_named(folder: Path, git: Git, ref: str, harm: str) -> None:
    memory = reopened(folder)
    memory.add_turn("chat/a", "Ada likes tea.")
    memory.write(force=True)
    memory.close()
    blob = git(folder, "hash-object", "-w", "--stdin", stdin="x")
    oid = {"missing": "1" * 40, "garbage": "garbage", "a blob": blob}[harm]
    (folder / ".git" / ref).write_text(f"{oid}\n")
    answer = healed(folder)
    assert [ref in finding.message for finding in answer.findings] == [True]
    assert not answer.ok
    with pytest.raises(GitmemError) as caught:
        reopened(folder).status()
    assert "gitmem doctor" in caught.value.message
