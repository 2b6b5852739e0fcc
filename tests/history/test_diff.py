"""The claim-level difference of two states (cli.md, "diff")."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gitmem.answers import ClaimsAnswer
from gitmem.errors import Code, InvalidRequest, NotFound
from gitmem.history.diff import StatAnswer
from gitmem.json_form import to_json
from stories import ADA, claim, revision
from workspaces import make

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.workspace import Workspace
    from stories import Story


def test_one_revision_is_compared_with_the_current_one(story: Story) -> None:
    answer = story.workspace.diff(story.revisions["cat"])
    assert (answer.from_, answer.to) == (story.revisions["cat"], story.revisions["bob"])
    assert [block.id for block in answer.claims.added] == [story.bob]
    assert [(changed.before, changed.after) for changed in answer.claims.changed] == [
        ("Ada lives in Basel.", "Ada lives in Bern.")
    ]
    assert [(merged.id, merged.into) for merged in answer.claims.merged] == [(story.viola, story.home)]
    assert [block.id for block in answer.claims.removed] == [story.cat]
    assert answer.claims.moved == ()
    assert len(answer.sources_added) == len(("moved house", "bob"))
    assert answer.stat == (
        StatAnswer(f"topics/{ADA}", added=0, changed=1, moved=0, merged=1, removed=1),
        StatAnswer("topics/people/bob.md", added=1, changed=0, moved=0, merged=0, removed=0),
    )


def test_two_revisions_are_compared_either_way(story: Story) -> None:
    there = story.workspace.diff("2026-08-05", "2026-08-07")
    back = story.workspace.diff("2026-08-07", "2026-08-05")
    assert [(moved.id, moved.from_, moved.to) for moved in there.claims.moved] == [
        (story.viola, f"topics/{ADA}", "topics/music.md")
    ]
    assert (back.from_, back.to) == (there.to, there.from_)
    assert [(c.before, c.after) for c in back.claims.changed] == [(c.after, c.before) for c in there.claims.changed]
    assert back.sources_added == ()
    assert story.workspace.diff(after="HEAD").claims == ClaimsAnswer()
    assert [line.path for line in there.stat] == ["topics/music.md", f"topics/{ADA}"]


def test_a_revision_and_its_views_are_the_same(story: Story) -> None:
    answer = story.workspace.diff("HEAD^", "HEAD")
    assert (answer.from_, answer.to) == (story.revisions["bob"],) * 2
    assert (answer.claims, answer.stat, answer.sources_added) == (ClaimsAnswer(), (), ())


def test_the_answer_has_the_keys_of_the_document(story: Story) -> None:
    answer = to_json(story.workspace.diff(story.revisions["cat"]))
    assert isinstance(answer, dict)
    assert list(answer) == ["from", "to", "claims", "sources_added", "stat"]
    assert list(answer["claims"]) == ["added", "changed", "moved", "merged", "removed"]
    assert list(answer["claims"]["changed"][0]) == ["id", "path", "before", "after", "evidence_added"]
    assert list(answer["claims"]["merged"][0]) == ["id", "into"]
    assert list(answer["stat"][0]) == ["path", "added", "changed", "moved", "merged", "removed"]
    moved = to_json(story.workspace.diff("2026-08-05", "2026-08-07").claims.moved[0])
    assert list(moved) == ["id", "from", "to"]  # type: ignore[call-overload]


def test_an_unknown_revision_is_not_found(story: Story) -> None:
    for revisions in (("nope",), ("HEAD", "nope")):
        with pytest.raises(NotFound) as caught:
            story.workspace.diff(*revisions)
        assert caught.value.code is Code.REVISION_NOT_FOUND


def test_nothing_compares_with_the_working_directory(workspace: Workspace) -> None:
    block = claim(workspace, "Ada lives in Basel.")
    assert workspace.diff().claims == ClaimsAnswer()
    folder = workspace.repo.path
    path = folder / "topics" / ADA
    path.write_text(path.read_text().replace("Basel", "Bern"))
    (folder / "topics" / "loose.md").write_text("# Loose\n\nNobody cited this.\n")
    answer = workspace.diff()
    assert (answer.from_, answer.to) == (revision(workspace), "working directory")
    assert [(changed.id, changed.after) for changed in answer.claims.changed] == [(block, "Ada lives in Bern.")]
    assert answer.stat == (
        StatAnswer("topics/loose.md", added=0, changed=0, moved=0, merged=0, removed=0),
        StatAnswer(f"topics/{ADA}", added=0, changed=1, moved=0, merged=0, removed=0),
    )
    path.unlink()
    assert [removed.id for removed in workspace.diff().claims.removed] == [block]


def test_a_bare_workspace_has_no_working_directory(tmp_path: Path) -> None:
    workspace = make(tmp_path / "bare", bare=True)
    with pytest.raises(InvalidRequest) as caught:
        workspace.diff()
    assert caught.value.code is Code.INVALID_ARGUMENT
    assert workspace.diff("HEAD").claims == ClaimsAnswer()
