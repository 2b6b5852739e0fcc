"""Every version of a claim, across moves, splits and merges (cli.md, "history")."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gitmem.errors import Code, NotFound
from gitmem.json_form import to_json
from stories import ADA, change, claim, revision, text, write
from workspaces import make

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.workspace import Workspace
    from stories import Story


def told(workspace: Workspace, block: str, at: str | None = None) -> list[tuple[str, str, str]]:
    """Event, file and text of each version."""
    versions = workspace.history(block, at=at).versions
    return [(version.event, version.path.removeprefix("topics/"), version.content) for version in versions]


def test_a_claim_is_followed_through_changes(story: Story) -> None:
    answer = story.workspace.history(story.home)
    assert (answer.id, answer.aliases, answer.present) == (story.home, (story.viola,), True)
    assert told(story.workspace, story.home) == [
        ("added", ADA, "Ada lives in Basel."),
        ("changed", ADA, "Ada lives in Bern."),
        ("changed", ADA, "Ada lives in Bern."),
    ]
    assert [version.revision for version in answer.versions] == [
        story.revisions["home"],
        story.revisions["moved house"],
        story.revisions["merge"],
    ]
    assert [(version.when, len(version.refs)) for version in answer.versions] == [
        ("2024-03-15", 1),
        ("2025-01", 1),
        ("2025-01", 2),
    ]


def test_a_claim_is_followed_to_another_file_and_into_another_block(story: Story) -> None:
    assert told(story.workspace, f"^{story.viola}") == [
        ("added", ADA, "Ada plays the viola."),
        ("moved", "music.md", "Ada plays the viola."),
        ("merged", ADA, "Ada lives in Bern."),
    ]
    answer = story.workspace.history(story.viola)
    assert (answer.id, answer.aliases, answer.present) == (story.home, (story.viola,), True)
    assert answer.versions[0].headings == ("Ada", "Music")


def test_a_gone_claim_has_its_history(story: Story) -> None:
    answer = story.workspace.history(story.cat)
    assert (answer.id, answer.present) == (story.cat, False)
    assert told(story.workspace, story.cat) == [("added", ADA, "Ada has a cat."), ("removed", ADA, "Ada has a cat.")]
    assert [version.when for version in answer.versions] == [None, None]
    assert answer.versions[-1].revision == story.revisions["remove"]


def test_a_history_ends_at_the_revision_that_is_asked(story: Story) -> None:
    assert told(story.workspace, story.home, at="2026-08-05") == [("added", ADA, "Ada lives in Basel.")]
    assert story.workspace.history(story.cat, at="2026-08-08").present
    for block in ("nosuchid", story.bob):
        with pytest.raises(NotFound) as caught:
            story.workspace.history(block, at="2026-08-05")
        assert caught.value.code is Code.MEMORY_NOT_FOUND


def test_a_message_has_no_history_of_a_block(story: Story) -> None:
    handle = story.workspace.history(story.home).versions[0].refs[0]
    with pytest.raises(NotFound) as caught:
        story.workspace.history(handle)
    assert caught.value.code is Code.MEMORY_NOT_FOUND


def test_the_answer_has_the_keys_of_the_document(story: Story) -> None:
    answer = to_json(story.workspace.history(story.home))
    assert isinstance(answer, dict)
    assert list(answer) == ["id", "aliases", "present", "versions"]
    assert list(answer["versions"][0]) == [
        *("revision", "at", "author", "writer", "event", "path", "headings", "when", "content", "refs")
    ]


def test_a_claim_is_followed_out_of_a_merge_again(workspace: Workspace) -> None:
    keep, other = claim(workspace, "Ada lives in Basel."), claim(workspace, "Ada's home is Basel.")
    alone = revision(workspace)
    workspace.merge_blocks(keep, [other])
    change(workspace, keep, "Ada lives in Bern.")
    workspace.restore(alone, block=other)
    change(workspace, keep, "Ada lives in Chur.")
    assert told(workspace, other) == [
        ("added", ADA, "Ada's home is Basel."),
        ("merged", ADA, "Ada lives in Basel."),
        ("changed", ADA, "Ada lives in Bern."),
        ("added", ADA, "Ada's home is Basel."),
    ]
    assert workspace.history(other).id == other


def test_an_id_that_loses_its_block_ends_there(workspace: Workspace) -> None:
    # behaviours.md 5.8
    keep, other = claim(workspace, "Ada lives in Basel."), claim(workspace, "Ada's home is Basel.")
    workspace.merge_blocks(keep, [other])
    workspace.remove([other])
    change(workspace, keep, "Ada lives in Bern.")
    assert told(workspace, other) == [
        ("added", ADA, "Ada's home is Basel."),
        ("merged", ADA, "Ada lives in Basel."),
        ("removed", ADA, "Ada lives in Basel."),
    ]
    assert not workspace.history(other).present
    assert told(workspace, keep)[-1] == ("changed", ADA, "Ada lives in Bern.")


def test_an_alias_that_takes_over_goes_on(workspace: Workspace) -> None:
    keep, other = claim(workspace, "Ada lives in Basel."), claim(workspace, "Ada's home is Basel.")
    workspace.merge_blocks(keep, [other])
    write(workspace, f"topics/{ADA}", text(workspace).replace(f" ^{keep}", ""))
    assert told(workspace, other)[-1] == ("changed", ADA, "Ada lives in Basel.")
    assert [event for event, _, _ in told(workspace, keep)] == ["added", "changed", "removed"]
    assert (workspace.history(other).id, workspace.history(keep).present) == (other, False)


def test_an_id_that_came_inside_a_merged_block_has_that_blocks_history(tmp_path: Path) -> None:
    # a folder that is adopted may hold merged blocks (behaviours.md 1.5)
    first = make(tmp_path / "first")
    keep, other = claim(first, "Ada lives in Basel."), claim(first, "Ada's home is Basel.")
    first.merge_blocks(keep, [other])
    second = make(tmp_path / "second", adopt=tmp_path / "first")
    change(second, keep, "Ada lives in Bern.")
    assert told(second, other) == [("added", ADA, "Ada lives in Basel."), ("changed", ADA, "Ada lives in Bern.")]


def test_a_file_that_is_renamed_moves_its_claims(workspace: Workspace) -> None:
    block = claim(workspace, "Ada lives in Basel.")
    workspace.move([f"topics/{ADA}"], "topics/people/ada-lovelace.md")
    assert [path for _, path, _ in told(workspace, block)] == [ADA, "people/ada-lovelace.md"]
