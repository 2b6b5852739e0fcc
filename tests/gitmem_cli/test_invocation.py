"""Which workspace, which settings, whose name (`cli.md`, `architecture.md` section 2)."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from gitmem.authority import IN_PERSON, OWNER, PAIRED
from gitmem.errors import Code, Disabled, GitmemError, InvalidRequest, NotAllowed, NotFound, Unavailable
from gitmem.request import Person
from gitmem_cli.invocation import Invocation, parse_overrides, workspace_around

if TYPE_CHECKING:
    from collections.abc import Callable

    from running import Git

    Invoke = Callable[..., Invocation]


@pytest.fixture
def invoke(home: Path, tmp_path: Path) -> Invoke:
    """Make an invocation with the test's environment."""
    assert home.is_dir()

    def make(directory: Path = tmp_path, *, profile: str | None = None, **environ: str) -> Invocation:
        return Invocation(directory, {}, {**os.environ, **environ}, profile=profile)

    return make


@pytest.fixture
def begin(git: Git) -> Callable[[Path], Path]:
    """Make the smallest thing that is recognized as a workspace: a repository that tracks ``.gitmem``."""

    def make(folder: Path) -> Path:
        folder.mkdir(parents=True)
        git(folder, "init", "-q")
        (folder / ".gitmem").write_text("[gitmem]\n\tformat = 1\n")
        git(folder, "add", ".gitmem")
        git(folder, "commit", "-q", "-m", "memory: begin")
        return folder

    return make


def refusal(act: Callable[[], object], kind: type[GitmemError]) -> GitmemError:
    with pytest.raises(kind) as caught:
        act()
    return caught.value


def test_the_workspace_around_the_folder_wins(invoke: Invoke, begin: Callable[[Path], Path], tmp_path: Path) -> None:
    here, named = begin(tmp_path / "here"), begin(tmp_path / "named")
    (here / "topics" / "people").mkdir(parents=True)
    assert invoke(here / "topics" / "people", GITMEM_WORKSPACE=str(named)).root == here


def test_else_the_one_that_the_variable_names(
    invoke: Invoke, begin: Callable[[Path], Path], tmp_path: Path, home: Path
) -> None:
    named = begin(tmp_path / "named")
    begin(home / ".gitmem" / "memory")
    assert invoke(GITMEM_WORKSPACE=str(named)).root == named


def test_else_the_one_in_the_state_folder(invoke: Invoke, begin: Callable[[Path], Path], home: Path) -> None:
    usual, other = begin(home / ".gitmem" / "memory"), begin(home / ".gitmem-work" / "memory")
    assert invoke().root == usual
    assert invoke(profile="work").root == other


def test_a_repository_without_memory_is_passed_by(
    invoke: Invoke, begin: Callable[[Path], Path], git: Git, tmp_path: Path
) -> None:
    inner = begin(tmp_path / "outer") / "code"
    inner.mkdir()
    git(inner, "init", "-q")
    assert invoke(inner).root == tmp_path / "outer"


def test_a_state_folder_inside_of_a_workspace_is_not_that_workspace(
    invoke: Invoke, begin: Callable[[Path], Path], home: Path, tmp_path: Path
) -> None:
    (begin(home / "all") / ".gitmem-work" / "memory").mkdir(parents=True)
    assert invoke(tmp_path, HOME=str(home / "all"), profile="work").root is None


def test_no_workspace_is_said_with_every_place_that_was_looked_at(invoke: Invoke, tmp_path: Path, home: Path) -> None:
    error = refusal(invoke().require_root, NotFound)
    assert error.code is Code.WORKSPACE_NOT_FOUND
    assert str(tmp_path) in error.message
    assert str(home / ".gitmem" / "memory") in error.message


def test_a_variable_that_names_no_workspace_is_said(invoke: Invoke, tmp_path: Path) -> None:
    error = refusal(invoke(GITMEM_WORKSPACE=str(tmp_path / "gone")).require_root, NotFound)
    assert error.code is Code.WORKSPACE_NOT_FOUND
    assert "GITMEM_WORKSPACE" in error.message


def test_looking_creates_nothing(invoke: Invoke, tmp_path: Path, home: Path) -> None:
    refusal(invoke().require_root, NotFound)
    assert sorted(tmp_path.rglob("*")) == [home]


def test_a_workspace_is_required_and_there(invoke: Invoke, begin: Callable[[Path], Path], tmp_path: Path) -> None:
    assert invoke(begin(tmp_path / "here")).require_root() == workspace_around(tmp_path / "here")


@pytest.mark.parametrize("profile", ["", "../x", ".hidden", "a/b", "a" * 65])
def test_a_profile_cannot_lead_elsewhere(invoke: Invoke, profile: str) -> None:
    assert refusal(lambda: invoke(profile=profile).state, InvalidRequest).code is Code.INVALID_ARGUMENT


def test_home_is_asked_of_the_system_where_the_variable_is_missing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert Invocation(tmp_path, {}, {}).state == tmp_path / ".gitmem"

    def unknown() -> Path:
        raise RuntimeError

    monkeypatch.setattr(Path, "home", unknown)
    assert refusal(lambda: Invocation(tmp_path, {}, {}).state, Unavailable).code is Code.STORAGE_UNAVAILABLE


# --- settings -----------------------------------------------------------------------------------------------------


def test_settings_of_user_and_workspace_are_read_and_the_workspace_wins(
    invoke: Invoke, begin: Callable[[Path], Path], git: Git, tmp_path: Path, home: Path
) -> None:
    here = begin(tmp_path / "here")
    (home / "gitconfig").write_text('[gitmem "search"]\n\ttopK = 3\n[gitmem]\n\tfsync = no\n')
    git(here, "config", "gitmem.search.topK", "4")
    config = invoke(here, GIT_CONFIG_GLOBAL=str(home / "gitconfig")).config
    assert (config.search_top_k, config.fsync) == (4, False)


def test_a_setting_without_a_value_means_true(invoke: Invoke, begin: Callable[[Path], Path], tmp_path: Path) -> None:
    here = begin(tmp_path / "here")
    with (here / ".git" / "config").open("a") as file:
        file.write("[gitmem]\n\tfsync\n")
    assert invoke(here).settings["gitmem.fsync"] == "true"


def test_the_repository_that_a_hook_runs_in_is_not_asked(
    invoke: Invoke, begin: Callable[[Path], Path], git: Git, tmp_path: Path
) -> None:
    here, other = begin(tmp_path / "here"), begin(tmp_path / "other")
    git(here, "config", "gitmem.search.topK", "4")
    git(other, "config", "gitmem.search.topK", "9")
    assert invoke(here, GIT_DIR=str(other / ".git")).config.search_top_k == 4


def test_overrides_win_over_everything(begin: Callable[[Path], Path], git: Git, tmp_path: Path) -> None:
    here = begin(tmp_path / "here")
    git(here, "config", "gitmem.search.topK", "4")
    overrides = parse_overrides(["gitmem.search.topK=7", "gitmem.fsync", "User.Name=Ada"])
    invocation = Invocation(here, overrides, os.environ)
    assert (invocation.config.search_top_k, invocation.config.fsync, invocation.author.name) == (7, True, "Ada")


@pytest.mark.parametrize(
    "argument", ["gitmem.search.topK=0", "gitmem.nothing=1", "core.pager=x", "user.signingkey=x", "="]
)
def test_an_override_that_means_nothing_is_refused(argument: str) -> None:
    assert refusal(lambda: parse_overrides([argument]), InvalidRequest).code is Code.INVALID_ARGUMENT


def test_values_that_are_not_understood_are_warned_about_once(
    begin: Callable[[Path], Path], git: Git, tmp_path: Path
) -> None:
    here = begin(tmp_path / "here")
    git(here, "config", "gitmem.search.topK", "many")
    said: list[str] = []
    invocation = Invocation(here, {}, os.environ, warn=said.append)
    assert invocation.config.search_top_k == invocation.config.search_top_k == 5
    assert len(said) == 1


def test_without_git_defaults_hold_and_it_is_said(begin: Callable[[Path], Path], tmp_path: Path) -> None:  # 0.26
    here = begin(tmp_path / "here")
    said: list[str] = []
    invocation = Invocation(here, {}, {"PATH": "", "HOME": str(tmp_path)}, warn=said.append)
    assert invocation.require_root() == here
    assert "not installed" in said[0]


def test_a_config_that_git_cannot_read_is_said(begin: Callable[[Path], Path], tmp_path: Path) -> None:
    here = begin(tmp_path / "here")
    broken = tmp_path / "gitconfig"
    broken.write_text("[broken\n")
    said: list[str] = []
    invocation = Invocation(here, {}, {**os.environ, "GIT_CONFIG_GLOBAL": str(broken)}, warn=said.append)
    assert invocation.config.search_top_k == 5
    assert "gitconfig" in said[0]


def test_memory_that_is_switched_off_is_refused_before_it_is_looked_for(invoke: Invoke, tmp_path: Path) -> None:  # 14.8
    off = tmp_path / "gitconfig"
    off.write_text("[gitmem]\n\tbackend = none\n")
    error = refusal(invoke(GIT_CONFIG_GLOBAL=str(off)).require_root, Disabled)
    assert error.code is Code.MEMORY_DISABLED


def test_only_the_owner_is_let_in(invoke: Invoke) -> None:
    invoke().require_owner("do it")
    paired = replace(invoke(), tier="paired")
    assert refusal(lambda: paired.require_owner("do it"), NotAllowed).code is Code.NOT_ALLOWED
    assert (paired.authority(in_person=True), paired.authority()) == (PAIRED, PAIRED)
    assert (invoke().authority(in_person=True), invoke().authority()) == (IN_PERSON, OWNER)


# --- author -------------------------------------------------------------------------------------------------------


def test_the_author_is_gits(invoke: Invoke, begin: Callable[[Path], Path], git: Git, tmp_path: Path) -> None:
    here = begin(tmp_path / "here")
    git(here, "config", "user.name", "Ada <L>\n")
    git(here, "config", "user.email", "ada@example.invalid")
    assert invoke(here).author == Person("Ada L", "ada@example.invalid")
    assert invoke(here, GIT_AUTHOR_NAME="Eve", GIT_AUTHOR_EMAIL="e@e").author == Person("Eve", "e@e")


def test_without_an_identity_the_login_stands_in(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("getpass.getuser", lambda: "ada")
    assert invoke().author == Person("ada", "ada@localhost")

    def unknown() -> str:
        raise KeyError

    monkeypatch.setattr("getpass.getuser", unknown)
    assert invoke().author == Person("gitmem", "gitmem@localhost")


@pytest.mark.parametrize("linked", [False, True])
def test_without_git_the_workspace_is_still_switched_off(
    begin: Callable[[Path], Path], git: Git, tmp_path: Path, *, linked: bool
) -> None:
    here = begin(tmp_path / "here")
    git(here, "config", "gitmem.backend", "none")
    if linked:
        git(here, "worktree", "add", "-q", str(tmp_path / "linked"))
    said: list[str] = []
    environ = {"PATH": "", "HOME": str(tmp_path)}
    invocation = Invocation(tmp_path / "linked" if linked else here, {}, environ, warn=said.append)
    assert refusal(invocation.require_enabled, Disabled).code is Code.MEMORY_DISABLED
    assert len(said) == 1
    (here / ".git" / "config").write_bytes(b"\xff")
    assert Invocation(tmp_path, {}, environ).settings == {}
