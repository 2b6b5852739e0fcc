"""What git may commit, and how (`architecture.md` section 5): the installed hooks under real git."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from gitmem.format.trailers import parse_trailers
from gitmem.store.journal import journal_path
from gitmem.store.left_alone import change_bases
from gitmem.store.repository import open_repository

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Hooked

ADA, BO = "topics/people/ada.md", "topics/people/bo.md"
UNCITED = "\nAda is tall.\n"


@pytest.mark.parametrize("arguments", [("-a",), ("--", ADA), ("-i", "--", ADA)])
def test_an_uncited_paragraph_is_refused_however_it_is_committed(hooked: Hooked, arguments: tuple[str, ...]) -> None:
    hooked.append(ADA, UNCITED)
    done = hooked.run("commit", "-m", "tall", *arguments)
    assert done.returncode == 1
    assert "[missing-citation]" in done.stderr
    assert hooked.subjects() == ["D"]


def test_what_is_not_being_committed_is_not_looked_at(hooked: Hooked) -> None:
    hooked.append(ADA, UNCITED)
    hooked.git("add", ADA)
    hooked.append(BO, "\n<!-- a note -->\n")
    hooked.git("commit", "-q", "-m", "note", "--", BO)
    assert hooked.subjects(2) == ["D", "note"]
    assert hooked.run("commit", "-q", "-m", "tall").returncode == 1
    assert hooked.git("status", "--porcelain") == f"M  {ADA}"


def test_a_linked_worktree_is_checked_by_its_own_index(
    hooked: Hooked, tmp_path: Path, at: Callable[[Path], Hooked]
) -> None:
    hooked.append(ADA, UNCITED)
    hooked.git("add", ADA)
    hooked.git("worktree", "add", "-q", "-b", "other", str(tmp_path / "linked"))
    linked = at(tmp_path / "linked")
    linked.append(BO, UNCITED)
    done = linked.run("commit", "-a", "-m", "tall")
    assert done.returncode == 1
    assert (f"{BO}:" in done.stderr, f"{ADA}:" in done.stderr) == (True, False)


def test_a_file_that_was_left_alone_is_not_committed_over_what_memory_made_of_it(hooked: Hooked) -> None:
    repo = open_repository(hooked.root, fsync=False)
    change_bases(repo, {ADA: b"# Ada, before\n"})
    hooked.replace(ADA, "lives in Basel", "lives in Bern")
    hooked.append(BO, "\n<!-- a note -->\n")
    done = hooked.run("commit", "-a", "-m", "Bern")
    assert done.returncode == 1
    assert "[edit-of-older-text]" in done.stderr
    assert f"gitmem commit {ADA}" in done.stderr
    assert hooked.run("commit", "-q", "-m", "note", "--", BO).returncode == 0


def test_nothing_is_committed_on_an_unfinished_write(hooked: Hooked) -> None:
    journal = journal_path(open_repository(hooked.root, fsync=False))
    journal.write_text("{}")
    hooked.append(BO, "\n<!-- a note -->\n")
    done = hooked.run("commit", "-a", "-m", "note")
    assert (done.returncode, "[unfinished-write]" in done.stderr) == (1, True)
    assert hooked.run("commit", "-q", "-n", "-a", "-m", "note").returncode == 0


def test_a_repository_inside_the_workspace_is_none_of_its_business(
    hooked: Hooked, at: Callable[[Path], Hooked]
) -> None:
    hooked.append(ADA, UNCITED)
    hooked.git("add", ADA)
    inner = hooked.root / "inner"
    inner.mkdir()
    hooked.git("init", "-q", str(inner))
    shutil.copytree(hooked.root / ".git" / "hooks", inner / ".git" / "hooks", dirs_exist_ok=True)
    (inner / "file").write_text("text")
    at(inner).git("add", "file")
    done = at(inner).run("commit", "-q", "-m", "inner")
    assert (done.returncode, done.stderr) == (0, "")
    assert at(inner).git("log", "-1", "--format=%B").strip() == "inner"


# --- messages


def test_the_message_gets_the_trailers_of_what_is_staged(hooked: Hooked) -> None:
    # behaviours 14.6: the subject is the person's
    hooked.replace(ADA, "lives in Basel", "lives in Bern")
    hooked.replace(BO, "plays chess", "plays go")
    hooked.git("commit", "-q", "-m", "Ada moved", "-m", "She said so.", "-s", "--", ADA)
    message = hooked.git("log", "-1", "--skip=1", "--format=%B")
    assert message.startswith(
        "Ada moved\n\nShe said so.\n\nSigned-off-by: Ada <ada@example.invalid>\nGitmem-Writer: hand"
    )
    trailers = parse_trailers(message)
    assert (trailers["Gitmem-Writer"], trailers["Gitmem-Authority"]) == (("hand",), ("owner",))
    assert [value.split()[1] for value in trailers["Block-Changed"]] == [ADA]
    assert hooked.git("log", "--format=%s", "--grep=^Block-Changed: .* topics/people/ada.md") == "Ada moved"


def test_comments_and_the_diff_of_an_editor_come_after_the_trailers(hooked: Hooked, tmp_path: Path) -> None:
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\n{ echo "typed"; cat "$1"; } > "$1.new" && mv "$1.new" "$1"\n')
    editor.chmod(0o755)
    hooked.replace(ADA, "lives in Basel", "lives in Bern")
    hooked.git("-c", f"core.editor={editor}", "commit", "-q", "-a", "-v")
    message = hooked.git("log", "-1", "--skip=1", "--format=%B")
    assert message.startswith("typed\n\nGitmem-Writer: hand\n")
    assert "lives" not in message
    hooked.git("reset", "-q", "--hard", "HEAD~1")
    hooked.git("-c", f"core.editor={editor}", "commit", "-q", "--amend")
    assert hooked.git("log", "-1", "--skip=1", "--format=%B").count("Gitmem-Writer:") == 1


def test_an_empty_message_still_stops_the_commit(hooked: Hooked) -> None:
    hooked.replace(ADA, "lives in Basel", "lives in Bern")
    for arguments in (("-v",), (), ("-m", "")):
        done = hooked.run("commit", "-a", *arguments)
        assert (done.returncode, "empty commit message" in done.stderr) == (1, True)
    assert hooked.subjects() == ["D"]


def test_a_commit_of_views_alone_gets_none(hooked: Hooked) -> None:
    hooked.git("rm", "-q", "recent_events.jsonl")
    hooked.git("commit", "-q", "-m", "views by hand")
    assert hooked.git("log", "-1", "--skip=1", "--format=%B").strip() == "views by hand"


# --- amending


@pytest.mark.parametrize("arguments", [("--amend",), ("--amend", "-m", "x"), ("--ame", "--no-edit", "-n")])
def test_a_derive_commit_is_not_amended(hooked: Hooked, arguments: tuple[str, ...]) -> None:
    before = hooked.git("rev-parse", "HEAD")
    hooked.replace(ADA, "lives in Basel", "lives in Bern")
    done = hooked.run("commit", "-a", *arguments)
    assert done.returncode == 1
    assert "gitmem commit --amend" in done.stderr
    assert hooked.git("rev-parse", "HEAD") == before


def test_other_commits_on_a_derive_commit_go_on(hooked: Hooked) -> None:
    hooked.replace(ADA, "lives in Basel", "lives in Bern")
    hooked.git("commit", "-q", "-a", "-C", "HEAD")
    assert hooked.git("show", "--format=", "--name-only", "HEAD~1") == ADA
