"""A REV is whatever git accepts, else autosave/N, else a date (cli.md)."""

from __future__ import annotations

from datetime import timedelta, timezone
from typing import TYPE_CHECKING

import pytest

from gitmem.errors import Code, InvalidRequest, NotFound
from gitmem.format.model import Tier
from gitmem.history.revisions import (
    memory_commit_of,
    memory_named,
    resolve_revision,
    since_moment,
    until_moment,
)
from gitmem.store.head import read_head
from stories import Clock, claim, revision
from workspaces import make

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.workspace import Workspace
    from running import Git


@pytest.fixture
def clock(workspace: Workspace) -> Clock:
    return three_claims(workspace)


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> tuple[Workspace, Clock]:
    """The same history, for tests that only look."""
    workspace = make(tmp_path_factory.mktemp("told") / "workspace")
    return workspace, three_claims(workspace)


def three_claims(workspace: Workspace) -> Clock:
    """On Monday the 3rd at ten, on Friday the 7th late in the evening, on Sunday the 9th."""
    clock = Clock(workspace)
    claim(workspace, "The first.")
    clock.forward(days=4, hours=13, minutes=30)
    claim(workspace, "The second.")
    clock.forward(days=2)
    claim(workspace, "The third.")
    clock.set("2026-08-12T09:00:00")
    return clock


def named(workspace: Workspace, clock: Clock, text: str) -> str:
    """The subject of the memory commit that a text names."""
    return workspace.show(memory_named(workspace.repo, text, now=clock.now)).subject.removeprefix("memory: ")


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("HEAD", "The third."),
        ("main", "The third."),
        ("HEAD~2", "The second."),
        ("2026-08-09", "The third."),
        ("2026-08-08", "The second."),
        ("2026-08-07", "The second."),
        ("2026-08-06", "The first."),
        ("last friday", "The second."),
        ("last thursday", "The first."),
        ("yesterday", "The third."),
        ("2026-08-07T23:29:59Z", "The first."),
        ("2026-08-07T23:30:00Z", "The second."),
        ("2026-07", "nothing"),
        ("2027", "The third."),
    ],
)
def test_a_date_names_the_last_revision_by_the_end_of_that_day(
    told: tuple[Workspace, Clock], text: str, subject: str
) -> None:
    workspace, clock = told
    if subject == "nothing":
        with pytest.raises(NotFound) as caught:
            named(workspace, clock, text)
        assert caught.value.code is Code.REVISION_NOT_FOUND
    else:
        assert named(workspace, clock, text) == subject


def test_the_day_is_the_callers(workspace: Workspace, clock: Clock) -> None:
    clock.now = clock.now.astimezone(timezone(timedelta(hours=2)))  # there the second came on Saturday
    assert named(workspace, clock, "2026-08-07") == "The first."
    assert named(workspace, clock, "2026-08-08") == "The second."


def test_git_comes_first(workspace: Workspace, clock: Clock, tmp_path: Path, git: Git) -> None:
    git(tmp_path / "workspace", "branch", "yesterday", "HEAD~4")
    git(tmp_path / "workspace", "branch", "autosave/1", "HEAD~4")
    assert named(workspace, clock, "yesterday") == "The first."
    assert named(workspace, clock, "autosave/1") == "The first."


def test_the_newest_autosave_is_number_one(workspace: Workspace, clock: Clock) -> None:
    workspace.undo()
    before = revision(workspace)
    workspace.undo()
    assert memory_named(workspace.repo, "autosave/1", now=clock.now) == before
    assert named(workspace, clock, "autosave/2") == "The third."


@pytest.mark.parametrize(
    "text", ["autosave/1", "autosave/0", "autosave/x", "nope", "", "HEAD..main", "0" * 40, "HEAD:"]
)
def test_what_names_nothing_is_not_found(told: tuple[Workspace, Clock], text: str) -> None:
    workspace, clock = told
    with pytest.raises(NotFound) as caught:
        resolve_revision(workspace.repo, text, now=clock.now)
    assert caught.value.code is Code.REVISION_NOT_FOUND
    assert caught.value.details["revision"] == text


@pytest.mark.parametrize("reader", [Tier.PAIRED, None])
def test_others_than_the_owner_name_commits_of_the_current_history_only(
    workspace: Workspace, clock: Clock, tmp_path: Path, git: Git, reader: Tier | None
) -> None:
    # behaviours.md part 8, "visibility": neither what is kept aside nor the words of a message can be found by guessing
    folder = tmp_path / "workspace"
    workspace.undo()
    empty = git(folder, "mktree", stdin="")
    git(folder, "branch", "aside", git(folder, "commit-tree", empty, "-m", "elsewhere"))
    kept = git(folder, "rev-parse", "HEAD^{tree}")
    hidden = git(folder, "commit-tree", kept, "-p", "HEAD", "-m", "kept")
    for text in (
        "autosave/1",
        "autosave/7",
        "aside",
        hidden,
        hidden[:12],
        ":/The second",
        "HEAD^{/The second}",
        "nope",
    ):
        with pytest.raises(NotFound) as caught:
            resolve_revision(workspace.repo, text, now=clock.now, reader=reader)
        assert caught.value.message == f"there is no revision {text!r}; `gitmem log` lists them"
        assert (caught.value.code, caught.value.details) == (Code.REVISION_NOT_FOUND, {"revision": text})
    for text in ("HEAD", "HEAD~2", "main", "2026-08-07", "yesterday"):
        expected = resolve_revision(workspace.repo, text, now=clock.now)
        assert resolve_revision(workspace.repo, text, now=clock.now, reader=reader) == expected
    assert resolve_revision(workspace.repo, ":/The second", now=clock.now)


def test_a_derive_commit_stands_for_its_memory_commit(told: tuple[Workspace, Clock]) -> None:
    workspace, clock = told
    tip = read_head(workspace.repo).tip
    memory = memory_commit_of(workspace.repo, tip)
    assert tip != memory == revision(workspace)
    assert memory_commit_of(workspace.repo, memory) == memory
    assert memory_named(workspace.repo, "HEAD", now=clock.now) == memory


def test_a_commit_without_memory_is_no_revision(workspace: Workspace, clock: Clock, tmp_path: Path, git: Git) -> None:
    empty = git(tmp_path / "workspace", "mktree", stdin="")
    alien = git(tmp_path / "workspace", "commit-tree", empty, "-m", "a turn")
    assert resolve_revision(workspace.repo, alien, now=clock.now) == alien
    with pytest.raises(NotFound) as caught:
        memory_named(workspace.repo, alien, now=clock.now)
    assert caught.value.code is Code.REVISION_NOT_FOUND


def test_since_begins_and_until_ends_with_the_day(told: tuple[Workspace, Clock]) -> None:
    _, clock = told
    assert since_moment("yesterday", clock.now).isoformat() == "2026-08-11T00:00:00+00:00"
    assert until_moment("yesterday", clock.now).isoformat() == "2026-08-11T23:59:59.999999+00:00"
    with pytest.raises(InvalidRequest) as caught:
        since_moment("HEAD", clock.now)
    assert caught.value.code is Code.INVALID_ARGUMENT
