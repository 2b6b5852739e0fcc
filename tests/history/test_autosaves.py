"""What was kept before something destructive (cli.md, "autosave list")."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.json_form import to_json
from stories import claim, revision

if TYPE_CHECKING:
    from gitmem.workspace import Workspace
    from stories import Story


def test_every_autosave_is_listed_newest_first(story: Story) -> None:
    # left by merge-blocks and rm
    answer = to_json(story.workspace.autosaves())
    assert isinstance(answer, dict)
    assert [list(kept) for kept in answer["autosaves"]] == [["name", "ref", "at", "revision", "subject"]] * 2
    assert [(kept["name"], kept["revision"]) for kept in answer["autosaves"]] == [
        ("autosave/1", story.revisions["merge"]),
        ("autosave/2", story.revisions["move"]),
    ]
    assert answer["autosaves"][1]["subject"] == "memory: move 1 claim"


def test_its_ref_holds_the_state_before(workspace: Workspace) -> None:
    assert workspace.autosaves().autosaves == ()
    block = claim(workspace, "Ada lives in Basel.")
    tip, before = workspace.resolve("HEAD"), revision(workspace)
    result = workspace.remove([block])
    (kept,) = workspace.autosaves().autosaves
    assert (kept.ref, kept.revision) == (result.autosave, before)
    assert workspace.resolve(kept.ref) == workspace.resolve("autosave/1") == tip
