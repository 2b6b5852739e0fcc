"""The scripts in `.git/hooks`: the user's own hook first, then gitmem's, and what happens without its Python."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from gitmem.store.hook_files import hooks_status, install_hooks, uninstall_hooks
from gitmem.store.repository import open_repository

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Hooked

ADA = "topics/people/ada.md"


def reinstall(hooked: Hooked, interpreter: str = sys.executable, folder: Path | None = None) -> None:
    repo = open_repository(hooked.root, fsync=False)
    install_hooks(repo, folder or repo.common_dir / "hooks", interpreter)


def program(path: Path, script: str) -> str:
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


def edit(hooked: Hooked) -> None:
    hooked.append(ADA, "\n<!-- a note -->\n")


def test_the_users_own_hooks_run_first_and_have_their_say(hooked: Hooked) -> None:
    repo = open_repository(hooked.root, fsync=False)
    uninstall_hooks(repo, repo.common_dir / "hooks")
    hooked.own_hook("pre-commit", 'test ! -e stop || exit 7; echo "before" >> .git/told')
    hooked.own_hook("commit-msg", 'printf "\\nTicket: 7\\n" >> "$1"')
    hooked.own_hook("post-commit", "git log -1 --format=%s >> .git/told")
    hooked.own_hook("post-rewrite", 'echo "$1 $(cut -c1-3 | tr -d 0-9a-f)" >> .git/told')
    reinstall(hooked)
    edit(hooked)
    hooked.write("stop", "")
    assert hooked.run("commit", "-q", "-m", "note", ADA).returncode == 1
    (hooked.root / "stop").unlink()
    assert not (hooked.root / ".git" / "told").exists()
    hooked.git("commit", "-q", "-m", "note", ADA)
    assert "Ticket: 7\nGitmem-Writer: hand" in hooked.git("log", "-1", "--skip=1", "--format=%b")
    assert hooked.subjects(2) == ["D", "note"]
    hooked.git("reset", "-q", "--soft", "HEAD~1")
    hooked.git("commit", "-q", "--amend", "-m", "noted")
    assert hooked.subjects(2) == ["D", "noted"]
    assert (hooked.root / ".git" / "told").read_text() == "before\nnote\nbefore\nnoted\namend \n"


def test_without_its_python_a_commit_fails_and_says_how_to_mend_it(hooked: Hooked, tmp_path: Path) -> None:
    moved = tmp_path / "moved" / "python"
    reinstall(hooked, str(moved))
    edit(hooked)
    done = hooked.run("commit", "-q", "-a", "-m", "note")
    assert done.returncode == 1
    assert str(moved) in done.stderr
    assert "gitmem hooks install" in done.stderr
    assert hooked.subjects() == ["D"]
    done = hooked.run("commit", "-q", "-n", "-a", "-m", "note")
    assert (done.returncode, hooked.subjects()) == (0, ["note"])
    assert "gitmem hooks install" in done.stderr  # the views did not follow
    assert hooks_status(open_repository(hooked.root), hooked.root / ".git" / "hooks").ok is False


def test_a_python_that_lost_gitmem_fails_as_loudly(hooked: Hooked, tmp_path: Path) -> None:
    reinstall(hooked, program(tmp_path / "python", f'exec "{sys.executable}" -S "$@"'))
    edit(hooked)
    done = hooked.run("commit", "-q", "-a", "-m", "note")
    assert (done.returncode, hooked.subjects()) == (1, ["D"])
    assert "has no gitmem any more; run gitmem hooks install" in done.stderr
    assert "Traceback" not in done.stderr
    assert hooked.run("commit", "-q", "-n", "-a", "-m", "note").returncode == 0


@pytest.mark.parametrize("name", ["json.py", "gitmem_hooks.py", "pygit2.py"])
def test_files_of_the_memory_are_never_imported(hooked: Hooked, name: str) -> None:
    hooked.write(name, "raise SystemExit(9)\n")
    edit(hooked)
    done = hooked.run("commit", "-q", "-m", "note", ADA)
    assert (done.returncode, hooked.subjects(2)) == (0, ["D", "note"])


def test_hooks_that_several_repositories_share_look_only_at_workspaces(hooked: Hooked, tmp_path: Path) -> None:
    shared, plain = tmp_path / "shared", type(hooked)(tmp_path / "plain")
    reinstall(
        hooked, program(tmp_path / "python", f'echo ran >> "{tmp_path}/ran"; exec "{sys.executable}" "$@"'), shared
    )
    uninstall_hooks(open_repository(hooked.root), hooked.root / ".git" / "hooks")
    plain.root.mkdir()
    plain.git("init", "-q")
    plain.write("file", "text")
    plain.git("add", "file")
    for place in (plain, hooked):
        place.git("config", "core.hooksPath", str(shared))
    plain.git("commit", "-q", "-m", "plain")
    assert not (tmp_path / "ran").exists()
    edit(hooked)
    hooked.git("commit", "-q", "-a", "-m", "note")
    assert hooked.subjects(2) == ["D", "note"]
    assert (tmp_path / "ran").read_text().count("ran") == 4
