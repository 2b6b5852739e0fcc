"""A damaged repository is a plain failure with a way on, never a bug and never a memory without what is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from workspaces import make

if TYPE_CHECKING:
    from pathlib import Path

    from running import Git, Gitmem

COMMANDS = (
    ("status",),
    ("check", "--all"),
    ("get", "topics/people/ada.md"),
    ("browse",),
    ("diff", "HEAD~2"),
    ("remember", "Ada plays chess.", "--topic", "people/ada.md"),
    ("restore", "HEAD~2", "--dry-run"),
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    workspace = make(tmp_path / "w")
    workspace.remember("Ada likes tea.", "people/ada.md", time="2024-03-15")
    workspace.close()
    for path in (tmp_path / "w/.git/gitmem").glob("index.sqlite*"):
        path.unlink()
    return tmp_path / "w"


@pytest.mark.parametrize("harm", ["missing", "garbage"])
@pytest.mark.parametrize(
    "name", ["HEAD", "HEAD^{tree}", "HEAD:topics", "HEAD:topics/people", "HEAD:sources", "HEAD~1^{tree}"]
)
def test_no_command_takes_damage_for_a_bug_or_for_an_empty_memory(
    gitmem: Gitmem, folder: Path, git: Git, name: str, harm: str
) -> None:
    oid = git(folder, "rev-parse", name)
    path = folder / ".git/objects" / oid[:2] / oid[2:]
    path.chmod(0o600)
    if harm == "missing":
        path.unlink()
    else:
        path.write_bytes(b"garbage")
    statuses = {gitmem(*command, cwd=folder).status for command in COMMANDS}
    assert statuses <= {4, 7}
    doctor = gitmem("doctor", "--json", cwd=folder)
    assert doctor.status == 1
    codes = {found["code"] for found in doctor.json["findings"]}
    assert codes <= {"missing-object", "damaged-object"}
    assert any(oid in found["message"] for found in doctor.json["findings"])


def test_a_broken_index_is_a_failure_that_names_the_doctor_who_mends_it(gitmem: Gitmem, folder: Path) -> None:
    (folder / ".git/index").write_bytes(b"garbage")
    answer = gitmem("status", "--json", cwd=folder)
    assert (answer.status, answer.code) == (7, "STORAGE_UNAVAILABLE")
    assert "gitmem doctor" in answer.json["error"]["message"]
    assert "rebuilt  index  " in gitmem("doctor", cwd=folder).out
    assert gitmem("status", cwd=folder).status == 0
