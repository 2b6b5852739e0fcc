"""Installing hooks, and taking them away as if they had never been (`cli.md`, `hooks`)."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from gitmem.errors import Code, InvalidRequest, Refused
from gitmem.store.hook_files import begin_server, hooks_status, install_hooks, uninstall_hooks
from gitmem.store.hook_shims import COMMIT_HOOKS, interpreter_of
from gitmem.store.repository import is_workspace, open_git, open_repository
from workspaces import make

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.store.repository import Repo
    from running import Git

OWN = b"#!/bin/sh\nexit 7\n"


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    make(tmp_path / "w").close()
    return open_repository(tmp_path / "w", fsync=False)


@pytest.fixture
def folder(repo: Repo) -> Path:
    return repo.common_dir / "hooks"


def states(answer: object) -> set[str]:
    return {hook.state for hook in answer.hooks}  # type: ignore[attr-defined]  # what status answers


def everything(folder: Path) -> dict[str, tuple[int, bytes]]:
    files = (path for path in folder.iterdir() if path.suffix != ".sample")
    return {path.name: (path.lstat().st_mode, path.read_bytes()) for path in files}


def test_installed_twice_it_is_installed_once(repo: Repo, folder: Path) -> None:
    before = repo.common_dir.joinpath("config").read_bytes()
    first = install_hooks(repo, folder, sys.executable)
    files, config = everything(folder), repo.common_dir.joinpath("config").read_bytes()
    assert install_hooks(repo, folder, sys.executable) == first == hooks_status(repo, folder)
    assert (everything(folder), repo.common_dir.joinpath("config").read_bytes()) == (files, config)
    assert (first.ok, first.installed, first.server, first.drivers) == (True, True, False, True)
    assert (first.interpreter, states(first)) == (sys.executable, {"installed"})
    assert tuple(hook.name for hook in first.hooks) == COMMIT_HOOKS
    gone = uninstall_hooks(repo, folder)
    assert (gone.ok, gone.installed, gone.interpreter, gone.drivers) == (False, False, None, False)
    assert states(gone) == {"absent"}
    assert everything(folder) == {}
    assert repo.common_dir.joinpath("config").read_bytes() == before.partition(b"[diff")[0]


def test_a_users_own_hooks_are_back_as_they_were(repo: Repo, folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "pre-commit").write_bytes(OWN)
    (folder / "pre-commit").chmod(0o751)
    (folder / "commit-msg").write_bytes(OWN)  # one that git does not run: it is not executable
    (folder / "pre-push").write_bytes(OWN)
    (folder / "post-merge").symlink_to("pre-push")
    before = everything(folder)
    answer = install_hooks(repo, folder, sys.executable)
    assert {hook.name for hook in answer.hooks if hook.own} == {"pre-commit", "commit-msg", "post-merge"}
    install_hooks(repo, folder, "/another/python")
    uninstall_hooks(repo, folder)
    assert everything(folder) == before
    assert (folder / "post-merge").readlink().name == "pre-push"


def test_what_took_the_place_of_the_hook_is_not_lost(repo: Repo, folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "pre-commit").write_bytes(OWN)
    install_hooks(repo, folder, sys.executable)
    (folder / "pre-commit").write_bytes(OWN + b"# newer\n")
    before = everything(folder)
    with pytest.raises(Refused) as refused:
        install_hooks(repo, folder, sys.executable)
    assert refused.value.code is Code.COMMIT_REJECTED
    assert everything(folder) == before
    status = hooks_status(repo, folder)
    assert (status.ok, states(status)) == (False, {"installed", "foreign"})
    uninstall_hooks(repo, folder)
    assert set(everything(folder)) == {"pre-commit", "pre-commit.before-gitmem"}


def test_an_interpreter_that_is_gone_is_told(repo: Repo, folder: Path) -> None:
    odd = "/no such/it's python"
    install_hooks(repo, folder, odd)
    status = hooks_status(repo, folder)
    assert (status.ok, states(status), status.interpreter) == (False, {"broken"}, odd)
    assert interpreter_of(b"#!/bin/sh\npython=/x\n") is None


def test_a_server_has_the_hook_of_a_server(tmp_path: Path) -> None:
    make(tmp_path / "bare.git", bare=True).close()
    repo = open_repository(tmp_path / "bare.git", fsync=False)
    folder = repo.common_dir / "hooks"
    with pytest.raises(InvalidRequest):
        install_hooks(repo, folder, sys.executable)
    answer = install_hooks(repo, folder, sys.executable, server=True)
    assert (answer.ok, answer.server, answer.drivers) == (True, True, False)
    assert [hook.name for hook in answer.hooks] == ["pre-receive"]
    assert uninstall_hooks(repo, folder).installed is False


def test_only_an_empty_bare_repository_is_begun(tmp_path: Path, git: Git) -> None:
    git(tmp_path, "init", "-q", "--bare", "empty.git")
    git(tmp_path, "init", "-q", "other")
    for name in ("empty.git", "other", "nothing"):
        begin_server(tmp_path / name)
    assert is_workspace(open_git(tmp_path / "empty.git"))
    assert not is_workspace(open_git(tmp_path / "other"))
    assert not (tmp_path / "nothing").exists()


def test_hunks_name_their_heading_in_a_new_workspace(tmp_path: Path, git: Git) -> None:
    make(tmp_path / "w").close()
    topic = tmp_path / "w" / "topics" / "long.md"
    topic.parent.mkdir(parents=True, exist_ok=True)
    text = "# Long\n\n## The heading\n\n" + "\n\n".join(f"Line {number}." for number in range(9)) + "\n"
    topic.write_text(text)
    git(tmp_path / "w", "add", "topics")
    topic.write_text(text.replace("Line 8", "Line nine"))
    assert "@@ ## The heading\n" in git(tmp_path / "w", "diff")
