"""``gitmem ingest`` and ``gitmem write`` as scripts see them (`cli.md`, Shapes)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from workspaces import make

if TYPE_CHECKING:
    from pathlib import Path

    from running import Gitmem


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    make(tmp_path / "w").close()
    return tmp_path / "w"


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    file = tmp_path / "talk.jsonl"
    lines = [
        {"content": "I moved to Basel in March 2024.", "timestamp": "2024-04-02T10:00:00+00:00"},
        {"content": "Basel lies on the Rhine.", "role": "assistant", "timestamp": "2024-04-02T10:00:05+00:00"},
    ]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return file


def test_ingest_has_the_documented_shape(gitmem: Gitmem, folder: Path, talk: Path) -> None:
    answer = gitmem("ingest", str(talk), "--json", cwd=folder)
    assert (answer.status, answer.err) == (0, "")
    assert set(answer.json) == {"sessions", "turns", "new", "pending", "errors"}
    (session,) = answer.json["sessions"]
    assert set(session) == {"session", "format", "head", "branches", "turns", "new", "skipped", "pending"}
    assert (session["session"], session["turns"], session["new"]) == ("import/talk", 2, 2)
    again = gitmem("ingest", str(talk), "--json", cwd=folder)
    assert (again.status, again.json["new"]) == (0, 0)


def test_a_broken_line_is_reported_and_the_rest_goes_in(gitmem: Gitmem, folder: Path, talk: Path) -> None:
    talk.write_text(talk.read_text() + "{broken\n")
    answer = gitmem("ingest", str(talk), "--json", cwd=folder)
    assert (answer.status, answer.json["turns"]) == (0, 2)
    (error,) = answer.json["errors"]
    assert set(error) == {"file", "line", "item", "code", "message"}
    assert (error["file"], error["line"], error["code"]) == (str(talk), 3, "invalid-json")
    assert "talk.jsonl:3" in answer.err


def test_a_file_of_which_nothing_can_be_read_is_exit_1(gitmem: Gitmem, folder: Path, talk: Path) -> None:
    talk.write_text("{broken\n")
    assert gitmem("ingest", str(talk), cwd=folder).status == 1
    missing = gitmem("ingest", str(talk.with_name("none.jsonl")), "--json", cwd=folder)
    assert (missing.status, missing.code) == (4, "PATH_NOT_FOUND")
    unknown = gitmem("ingest", str(talk), "--format", "nonsense", "--json", cwd=folder)
    assert (unknown.status, unknown.code) == (2, "INVALID_ARGUMENT")


def test_pending_speakers_are_counted_with_the_option_to_use(gitmem: Gitmem, folder: Path, talk: Path) -> None:
    speakers = [{"content": f"I am {name}.", "speaker_id": key} for name, key in (("Ada", "1"), ("Bob", "2"))]
    talk.write_text("".join(json.dumps(line) + "\n" for line in speakers))
    answer = gitmem("ingest", str(talk), cwd=folder)
    assert answer.status == 0
    assert "1 turn of 1 pending; --owner 1 or --paired 1 vouches for them" in answer.out
    written = gitmem("write", "--force", cwd=folder)
    assert written.out.endswith("2 archived messages are pending: nobody vouches for them, so no topic cites them\n"), (
        written.out
    )
    assert "archived" not in gitmem("write", "--force", "--json", cwd=folder).out


def test_an_edited_archive_that_stays_behind_is_named(gitmem: Gitmem, folder: Path, talk: Path) -> None:
    gitmem("ingest", str(talk), "--session", "chat/talk", cwd=folder)
    gitmem("write", "--force", cwd=folder)
    (archive,) = (folder / "sources").rglob("*.md")
    archive.write_text(archive.read_text() + "tampered\n")
    with talk.open("a") as lines:
        lines.write(json.dumps({"role": "user", "content": "I moved to Basel in May."}) + "\n")
    gitmem("ingest", str(talk), "--session", "chat/talk", "--owner", "me", cwd=folder)
    written = gitmem("write", "--force", cwd=folder)
    assert written.status == 0
    assert f"{archive.relative_to(folder)} was edited, but archives are only appended to" in written.err, written.err


def test_write_has_the_documented_shape(gitmem: Gitmem, folder: Path, talk: Path) -> None:
    gitmem("ingest", str(talk), cwd=folder)
    dry = gitmem("write", "--force", "--dry-run", "--json", cwd=folder)
    assert (dry.status, dry.json["dry_run"], dry.json["pending_turns"]) == (0, True, 2)
    answer = gitmem("write", "--force", "--json", cwd=folder)
    assert answer.status == 0
    assert set(answer.json) == {
        "ok",
        "writer",
        "dry_run",
        "revision",
        "derived_commit",
        "batches",
        "claims",
        "pending_turns",
        "failure",
        "failures",
        "warnings",
    }
    assert set(answer.json["claims"]) == {"added", "changed", "moved", "merged", "removed"}
    (batch,) = answer.json["batches"]
    assert set(batch) == {"session", "branch", "turns", "revision", "source_ids", "block_ids"}
    assert answer.json["failure"] is None
    again = gitmem("write", "--force", "--json", cwd=folder)
    assert (again.json["batches"], again.json["revision"]) == ([], answer.json["revision"])


def test_write_tells_people_what_it_wrote_and_what_waits(gitmem: Gitmem, folder: Path, talk: Path) -> None:
    talk.write_text(talk.read_text().replace("2024-04-02T", "9999-04-02T"))  # still going on: nothing is an hour old
    gitmem("ingest", str(talk), cwd=folder)
    assert "2 turns pending" in gitmem("write", cwd=folder).out
    written = gitmem("write", "--force", cwd=folder).out
    assert "wrote 2 turns of import/talk: 2 new claims\n+ ^" in written
    assert gitmem("write", "--force", cwd=folder).out == "nothing to write\n"


def test_write_says_when_only_side_branches_wait(gitmem: Gitmem, folder: Path, talk: Path) -> None:
    lines = [
        {"id": "a", "content": "I moved to Basel in March 2024."},
        {"id": "b", "parent": "a", "content": "I work as a baker."},
        {"id": "c", "parent": "a", "content": "I work as a painter."},
    ]
    talk.write_text("".join(json.dumps(line) + "\n" for line in lines))
    gitmem("ingest", str(talk), cwd=folder)
    assert "1 turn pending on side branches; " in gitmem("write", "--force", cwd=folder).out
    again = gitmem("write", "--force", cwd=folder).out
    assert again.startswith(
        "nothing to write: only side branches wait, which --all-branches writes too\n1 turn pending"
    )
    assert gitmem("write", cwd=folder).out.startswith("nothing is due yet\n1 turn pending; ")
    assert "wrote 1 turn" in gitmem("write", "--force", "--all-branches", cwd=folder).out


def test_a_missing_file_is_not_looked_for_in_the_memory(gitmem: Gitmem, folder: Path) -> None:
    answer = gitmem("ingest", "/nonexistent", cwd=folder)
    assert answer.err == "error: there is no file /nonexistent [PATH_NOT_FOUND]\n"


def test_a_failed_batch_ends_with_the_exit_of_its_code(
    gitmem: Gitmem, folder: Path, talk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gitmem.errors import Code, Conflict, Refused  # noqa: PLC0415

    gitmem("ingest", str(talk), cwd=folder)
    for error, status in ((Conflict(Code.CONCURRENT_UPDATE, "busy"), 3), (Refused(Code.COMMIT_REJECTED, "no"), 1)):

        def fail(*_: object, error: Exception = error) -> None:
            raise error

        monkeypatch.setattr("gitmem.writer.embedded.EmbeddedWriter.distill", fail)
        answer = gitmem("write", "--force", "--json", cwd=folder)
        assert (answer.status, answer.json["failure"]["reason_code"]) == (status, error.code)
    answer = gitmem("write", "--force", cwd=folder)
    assert "COMMIT_REJECTED" in answer.err
    assert answer.out == "2 turns pending\n"


def test_write_refuses_what_is_not_there(gitmem: Gitmem, folder: Path) -> None:
    missing = gitmem("write", "import/none", "--json", cwd=folder)
    assert (missing.status, missing.code) == (4, "SOURCE_NOT_FOUND")
    unknown = gitmem("write", "--writer", "nobody", "--json", cwd=folder)
    assert (unknown.status, unknown.code) == (2, "INVALID_ARGUMENT")
    nameless = gitmem("write", "--writer", "model", "--json", cwd=folder)
    assert (nameless.status, nameless.code) == (7, "MODEL_RESOLUTION_FAILED")
