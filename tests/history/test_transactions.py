"""A commit as it is told, whoever made it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gitmem.errors import Code, NotFound
from gitmem.history.log import show
from gitmem.history.transactions import moment, origin_of
from gitmem.ids import Oid
from gitmem.request import Person
from gitmem.store.commits import Stamp
from stories import claim
from workspaces import reopened

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.workspace import Workspace
    from running import Git
    from stories import Story

ME = Person("Test", "test@example.invalid")


@pytest.mark.parametrize(
    ("stamp", "wanted"),
    [
        (Stamp(ME, 0, 90), "1970-01-01T01:30:00+01:30"),
        (Stamp(ME, 1_785_000_000, -300), "2026-07-25T12:20:00-05:00"),
        (Stamp(ME, 10**15, 0), "1970-01-01T00:00:00+00:00"),
        (Stamp(ME, 0, 10**6), "1970-01-01T00:00:00+00:00"),
    ],
)
def test_a_time_is_told_in_its_own_offset(stamp: Stamp, wanted: str) -> None:
    assert moment(stamp) == wanted


def test_a_commit_that_is_not_here_has_no_origin(story: Story) -> None:
    assert origin_of(story.workspace.repo, Oid("1" * 40)) is None
    with pytest.raises(NotFound) as caught:
        show(story.workspace.memory(), Oid("1" * 40))
    assert caught.value.code is Code.REVISION_NOT_FOUND


def test_a_shallow_history_begins_where_it_is_cut(workspace: Workspace, tmp_path: Path, git: Git) -> None:
    block = claim(workspace, "Ada lives in Basel.")
    git(tmp_path, "clone", "-q", "--depth", "2", f"file://{workspace.repo.path}", "shallow")
    shallow = reopened(tmp_path / "shallow")
    (told,) = shallow.log().transactions
    assert [added.id for added in told.claims.added] == [block]
    (explained,) = shallow.why(block).results
    assert explained.written_by == told.revision
    assert explained.evidence[0].sources[0].text == "Ada lives in Basel."
    assert [version.event for version in shallow.history(block).versions] == ["added"]
    (blamed,) = shallow.blame(block).claims
    assert blamed.by is not None
    assert blamed.by.revision == told.revision
