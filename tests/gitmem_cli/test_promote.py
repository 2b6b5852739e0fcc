"""``gitmem promote`` (cli.md; behaviours.md 8.19: only the owner, in person)."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from running import Gitmem

SPEAKERS = Path(__file__).resolve().parents[2] / "fixtures" / "conversations" / "two_speakers.jsonl"


@pytest.fixture
def folder(gitmem: Gitmem, tmp_path: Path) -> Path:
    """A memory with the messages of two people, for whom nobody vouched."""
    folder = tmp_path / "memory"
    assert gitmem("init", str(folder)).status == 0
    assert gitmem("ingest", str(SPEAKERS), cwd=folder).status == 0
    assert gitmem("write", "--force", cwd=folder).status == 0
    return folder


def answered(folder: Path, answer: str, *arguments: str) -> tuple[int, str]:
    """The exit code and output of a command on a terminal, where somebody types an answer."""
    ours, theirs = pty.openpty()
    script = "from gitmem_cli.main import main; main()"
    process = subprocess.Popen(
        [sys.executable, "-c", script, *arguments],
        cwd=folder,
        env={**os.environ, "TERM": "dumb"},
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    os.close(theirs)
    os.write(ours, f"{answer}\n".encode())
    out = process.communicate()[0].decode()
    os.close(ours)
    return process.returncode, out


def test_what_waits_is_listed(gitmem: Gitmem, folder: Path) -> None:
    told = gitmem("promote", "--list", "--json", cwd=folder).json
    assert set(told) == {"revision", "sources"}
    first = told["sources"][0]
    assert list(first) == [
        *("id", "path", "line", "timestamp", "speaker_id", "speaker_display", "text", "claims"),
    ]
    assert len(told["sources"]) == gitmem("status", "--json", cwd=folder).json["sources"]["pending"]
    assert first["text"] in gitmem("promote", "--list", cwd=folder).out
    empty = gitmem("promote", "--list", "--speaker", "nobody", cwd=folder)
    assert (empty.status, "nothing that 'nobody' said waits" in empty.err) == (4, True)


def test_without_a_terminal_nobody_vouches(gitmem: Gitmem, folder: Path) -> None:
    source = gitmem("promote", "--list", "--json", cwd=folder).json["sources"][0]["id"]
    refused = gitmem("promote", source, "--json", cwd=folder)
    assert (refused.status, refused.json["error"]["code"]) == (6, "NOT_ALLOWED")
    assert gitmem("promote", cwd=folder).status == 2


def test_the_owner_is_asked_and_then_a_writer_reads(gitmem: Gitmem, folder: Path) -> None:
    waiting = gitmem("promote", "--list", "--json", cwd=folder).json["sources"]
    speaker = waiting[0]["speaker_id"]
    mine = [source["id"] for source in waiting if source["speaker_id"] == speaker]
    status, out = answered(folder, "n", "promote", "--speaker", speaker)
    assert (status, "nothing was promoted" in out) == (1, True)
    status, out = answered(folder, "y", "promote", "--speaker", speaker)
    assert status == 0, out
    assert f"promoted {len(mine)} message" in out
    left = gitmem("promote", "--list", "--json", cwd=folder).json["sources"]
    assert [source["id"] for source in left] == [s["id"] for s in waiting if s["id"] not in mine]
    again = answered(folder, "", "promote", *mine)
    assert (again[0], "Nothing to do." in again[1]) == (0, True)
    assert gitmem("check", "--all", cwd=folder).status == 0
