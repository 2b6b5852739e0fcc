"""Per claim, the commit that made it what it is (cli.md, "blame")."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gitmem.errors import Code, NotFound
from gitmem.json_form import to_json
from stories import ADA, claim, revision

if TYPE_CHECKING:
    from gitmem.workspace import Workspace
    from running import Git
    from stories import Story


def blamed(story: Story, argument: str, at: str | None = None) -> dict[str, str]:
    answer = story.workspace.blame(argument, at=at)
    names = {commit: name for name, commit in story.revisions.items()}
    return {claim.id: names[claim.by.revision] if claim.by else "" for claim in answer.claims}


def test_each_claim_of_a_file_has_the_commit_that_wrote_its_words_or_evidence(story: Story) -> None:
    assert blamed(story, f"topics/{ADA}") == {story.home: "merge"}
    assert blamed(story, "people/bob.md") == {story.bob: "bob"}
    assert blamed(story, "topics") == {story.home: "merge", story.bob: "bob"}


def test_moving_a_claim_does_not_count(story: Story) -> None:
    assert blamed(story, story.viola, at=story.revisions["move"]) == {story.viola: "viola"}


def test_an_earlier_revision_blames_what_came_before(story: Story) -> None:
    assert blamed(story, story.home, at="2026-08-05") == {story.home: "home"}
    assert blamed(story, ADA, at=story.revisions["moved house"]) == {
        story.home: "moved house",
        story.cat: "cat",
        story.viola: "viola",
    }


def test_the_answer_has_the_keys_of_the_document(story: Story) -> None:
    answer = to_json(story.workspace.blame(story.home))
    assert isinstance(answer, dict)
    assert list(answer) == ["revision", "fresh", "claims"]
    block = ["id", "aliases", "path", "line", "headings", "when", "content", "refs", "trust_state", "visibility"]
    assert list(answer["claims"][0]) == [*block, "by"]
    assert answer["claims"][0]["by"] == {
        "revision": story.revisions["merge"],
        "at": "2026-08-08T10:00:00+00:00",
        "author": "Test",
        "writer": "cli",
        "subject": f"memory: merge ^{story.viola} into ^{story.home}",
    }


@pytest.mark.parametrize(
    ("argument", "code"),
    [("topics/no.md", Code.PATH_NOT_FOUND), ("no/where", Code.PATH_NOT_FOUND), ("noid", Code.MEMORY_NOT_FOUND)],
)
def test_what_does_not_stand_is_not_found(story: Story, argument: str, code: Code) -> None:
    with pytest.raises(NotFound) as caught:
        story.workspace.blame(argument)
    assert caught.value.code is code


def test_a_commit_by_plain_git_is_blamed_without_a_writer(workspace: Workspace, git: Git) -> None:
    claim(workspace, "Ada lives in Basel.")
    folder = workspace.repo.path
    path = folder / "topics" / ADA
    path.write_text(path.read_text().replace("Basel", "Bern"))
    git(folder, "commit", "-q", "--no-verify", "-a", "-m", "by hand", "-m", "Signed-off-by: me")
    (found,) = workspace.blame(ADA).claims
    assert found.by is not None
    assert (found.by.revision, found.by.author, found.by.writer) == (revision(workspace), "Test", None)
    assert found.by.subject == "by hand"
