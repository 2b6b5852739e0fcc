"""`gitmem edit` and `gitmem commit` as people and scripts see them (behaviours.md 0.8, 2.9, 14.6, 14.7)."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING

import pytest

from workspaces import make, state

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from running import Git, Gitmem

ADA = "topics/people/ada.md"
R = [
    *("ok", "revision", "derived_commit", "memory_committed", "source_ids", "block_ids", "evidence_ids"),
    *("changed_files", "autosave", "warnings"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    workspace = make(tmp_path / "w")
    workspace.remember("Ada likes tea.", ADA, time="2024")
    workspace.close()
    return tmp_path / "w"


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], Path]:
    """Sets an editor that replaces one text by another; what it was given is in the file that this returns."""

    def use(old: str, new: str, variable: str = "GIT_EDITOR", status: int = 0) -> Path:
        script, seen = tmp_path / "an editor.py", tmp_path / "seen.md"
        script.write_text(
            "import pathlib, sys\n"
            "file = pathlib.Path(sys.argv[1])\n"
            f"pathlib.Path({str(seen)!r}).write_text(file.read_text())\n"
            f"file.write_text(file.read_text().replace({old!r}, {new!r}))\n"
            f"sys.exit({status})\n"
        )
        monkeypatch.setenv(variable, f"{shlex.quote(sys.executable)} {shlex.quote(str(script))}")
        return seen

    for name in ("GIT_EDITOR", "VISUAL", "EDITOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    return use


def copies(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if "/gitmem/edit" in str(path)]


# --- edit


@pytest.mark.parametrize("variable", ["GIT_EDITOR", "VISUAL", "EDITOR"])
def test_the_editor_is_the_one_that_git_would_open(
    gitmem: Gitmem, folder: Path, git: Git, editor: Callable[..., Path], variable: str
) -> None:
    seen = editor("tea", "milk", variable)
    answer = gitmem("edit", "people/ada", "--json", cwd=folder)
    assert (answer.status, list(answer.json)) == (0, R)
    assert answer.json["changed_files"] == [ADA]
    assert "Ada likes tea." in seen.read_text()
    assert "Ada likes milk." in (folder / ADA).read_text()
    assert git(folder, "log", "-1", "--format=%s", "HEAD~1") == f"memory: edit {ADA}"
    assert copies(folder) == []


def test_the_editor_of_the_settings_goes_before_the_variables(
    gitmem: Gitmem, folder: Path, git: Git, editor: Callable[..., Path]
) -> None:
    editor("tea", "milk", "EDITOR")
    git(folder, "config", "core.editor", "true")
    assert gitmem("edit", "people/ada", cwd=folder).out == "unchanged\n"


def test_an_unchanged_text_is_said_to_be_so(gitmem: Gitmem, folder: Path, editor: Callable[..., Path]) -> None:  # 14.7
    editor("nothing", "of it")
    before = state(folder)
    answer = gitmem("edit", "people/ada.md", cwd=folder)
    assert (answer.status, answer.out) == (0, "unchanged\n")
    assert state(folder) == before


def test_refused_text_is_kept_and_opened_again(
    gitmem: Gitmem, folder: Path, git: Git, editor: Callable[..., Path]
) -> None:  # 14.7
    editor("Ada likes tea.", "Loose words.\n\nAda likes milk.")
    before = (folder / ADA).read_bytes()
    answer = gitmem("edit", "people/ada", cwd=folder)
    assert answer.status == 1
    assert "`gitmem edit --retry topics/people/ada.md`" in answer.err
    assert (folder / ADA).read_bytes() == before
    assert copies(folder) == []
    shown = answer.err.split("`git show ")[1].split("`")[0]
    assert "Loose words." in git(folder, "show", shown)
    seen = editor("Loose words.\n\n", "")
    again = gitmem("edit", "--retry", "people/ada", cwd=folder)
    assert again.status == 0
    assert seen.read_text().startswith("<!-- gitmem: ")
    assert "uncited" in seen.read_text() or "without evidence" in seen.read_text()
    assert "Ada likes milk." in (folder / ADA).read_text()
    assert "gitmem:" not in (folder / ADA).read_text()


@pytest.mark.parametrize("act", ["rm", 'sh -c \'mv "$0" "$0.bak"\'', 'sh -c \'rm "$0"; mkdir "$0"\''])
def test_an_editor_that_leaves_no_file_commits_nothing(
    gitmem: Gitmem, folder: Path, git: Git, monkeypatch: pytest.MonkeyPatch, act: str
) -> None:
    before = git(folder, "rev-parse", "HEAD")
    monkeypatch.setenv("GIT_EDITOR", act)
    answer = gitmem("edit", "people/ada", "--json", cwd=folder)
    assert (answer.status, answer.code) == (1, "COMMIT_REJECTED")
    assert "left no file" in answer.json["error"]["message"]
    assert git(folder, "rev-parse", "HEAD") == before


def test_an_editor_that_fails_commits_nothing_and_loses_nothing(
    gitmem: Gitmem, folder: Path, git: Git, editor: Callable[..., Path]
) -> None:
    editor("tea", "milk", status=3)
    before = git(folder, "rev-parse", "HEAD")
    answer = gitmem("edit", "people/ada", "--json", cwd=folder)
    assert (answer.status, answer.code) == (1, "COMMIT_REJECTED")
    assert git(folder, "rev-parse", "HEAD") == before
    assert "milk" in git(folder, "show", f"{answer.json['error']['details']['rescue']}:{ADA}")
    assert copies(folder) == []


def test_a_path_that_is_no_topic_opens_no_editor(gitmem: Gitmem, folder: Path, editor: Callable[..., Path]) -> None:
    seen = editor("a", "b")
    assert gitmem("edit", "sources/x.md", "--json", cwd=folder).code == "READ_ONLY_PATH"
    assert gitmem("edit", "../x", "--json", cwd=folder).code == "PATH_OUTSIDE_WORKSPACE"
    assert gitmem("edit", "--retry", "people/ada", "--json", cwd=folder).code == "PATH_NOT_FOUND"
    assert not seen.exists()


def test_a_detached_head_is_busy_before_anything_is_typed(
    gitmem: Gitmem, folder: Path, git: Git, editor: Callable[..., Path]
) -> None:
    seen = editor("tea", "milk")
    git(folder, "switch", "-q", "--detach")
    answer = gitmem("edit", "people/ada", "--json", cwd=folder)
    assert (answer.status, answer.code) == (3, "REPOSITORY_BUSY")
    assert not seen.exists()


# --- commit


def test_commit_takes_what_was_typed(gitmem: Gitmem, folder: Path, git: Git) -> None:  # 14.6
    (folder / ADA).write_text((folder / ADA).read_text().replace("tea", "milk"))
    answer = gitmem("commit", "--json", cwd=folder)
    assert (answer.status, list(answer.json)) == (0, R)
    assert git(folder, "log", "-1", "--format=%s", answer.json["revision"]) == f"memory: edit {ADA}"
    assert gitmem("commit", cwd=folder).out.startswith("Nothing to do.")


def test_commit_takes_a_subject_and_amends_it(gitmem: Gitmem, folder: Path, git: Git) -> None:
    (folder / ADA).write_text((folder / ADA).read_text().replace("tea", "milk"))
    assert gitmem("commit", "-m", "memory: milk", "people/ada", cwd=folder).status == 0
    answer = gitmem("commit", "--amend", "-m", "memory: no tea", cwd=folder)
    assert answer.status == 0
    assert git(folder, "log", "-2", "--format=%s").split("\n")[1] == "memory: no tea"
    assert "milk" not in git(folder, "log", "--format=%s")
    assert "back  gitmem restore refs/gitmem/autosave/" in answer.out


def test_the_way_back_that_an_amended_commit_names_leads_to_the_old_one(gitmem: Gitmem, folder: Path) -> None:
    (folder / ADA).write_text((folder / ADA).read_text().replace("tea", "milk"))
    gitmem("commit", cwd=folder)
    before = (folder / ADA).read_bytes()
    (folder / ADA).write_text((folder / ADA).read_text().replace("milk", "juice"))
    back = gitmem("commit", "--amend", cwd=folder).out.split("back  gitmem ")[1].split()
    assert gitmem(*back, cwd=folder).status == 0
    assert (folder / ADA).read_bytes() == before


def test_a_refused_commit_leaves_the_file_and_names_the_block(gitmem: Gitmem, folder: Path) -> None:  # 2.9
    text = (folder / ADA).read_text()
    dropped = text.split("] ^")[1].split("\n")[0]
    (folder / ADA).write_text(text.replace(f" ^{dropped}", ""))
    before = (folder / ADA).read_bytes()
    answer = gitmem("commit", cwd=folder)
    assert answer.status == 1
    assert f"^{dropped}" in answer.err
    assert "git show refs/gitmem/rescue/" in answer.err
    assert (folder / ADA).read_bytes() == before
