"""A process that dies while it erases: the old state, or a state from which the next one finishes."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

import pytest

from gitmem.errors import Conflict
from gitmem.forgetting import carrying_out
from gitmem.forgetting.carrying_out import POINTS
from gitmem.forgetting.forget import Finished
from gitmem.transaction.options import Options
from leaks import SECRET, TURN, Leak, places, remember, spread
from workspaces import reopened, state

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.workspace import Workspace
    from running import Git

STEPS = [f"{when}-{point}" for point in POINTS for when in ("before", "after")]
BEGUN = STEPS.index("after-forget-journal")
FINISHED = STEPS.index("after-forget-finish")


def die_at(workspace: Workspace, step: str, sources: list[str]) -> None:
    """Erase in another process, which is killed at the step."""
    child = os.fork()
    if child == 0:
        try:
            workspace.options = Options(
                on_step=lambda name: os.kill(os.getpid(), signal.SIGKILL) if name == step else None
            )
            workspace.forget(sources)
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status)


def without_objects(folder: Path) -> dict[str, str]:
    return {name: value for name, value in state(folder).items() if "/objects/" not in name}


@pytest.mark.parametrize("step", STEPS)
def test_a_dead_process_leaves_the_old_state_or_one_to_finish(told: Leak, git: Git, step: str) -> None:
    spread(told, git)
    told.workspace.close()
    before = without_objects(told.folder)
    die_at(reopened(told.folder), step, [told.handle, TURN])
    after = reopened(told.folder)
    if STEPS.index(step) < BEGUN:
        now = without_objects(told.folder)
        assert {name: now.get(name) for name in before} == before
        assert after.finish_forgetting() == Finished()
        after.forget([told.handle, TURN])
    else:
        assert bool(after.finish_forgetting().actions) == (STEPS.index(step) < FINISHED)
    assert places(told.folder, SECRET, told.handle) == []
    assert after.finish_forgetting() == Finished()
    assert after.check(all_history=True).findings == ()
    assert remember(after, "Ada sleeps well again since last week.")
    assert git(told.folder, "status", "--porcelain") == ""
    git(told.folder, "fsck", "--strict", "--no-dangling")


def test_what_moved_once_is_not_planned_again(told: Leak, monkeypatch: pytest.MonkeyPatch) -> None:
    die_at(reopened(told.folder), "before-forget-prove", [told.handle])
    monkeypatch.setattr(carrying_out, "Planning", None)
    assert reopened(told.folder).finish_forgetting().actions
    assert places(told.folder, SECRET) == []


def test_a_commit_from_a_stale_index_is_rewritten_too(told: Leak, git: Git) -> None:
    die_at(reopened(told.folder), "before-forget-worktrees", [told.handle])
    git(told.folder, "commit", "-q", "--no-verify", "-m", "everything again")
    reopened(told.folder).finish_forgetting()
    assert places(told.folder, SECRET, told.handle) == []


def test_doctor_finishes_it(told: Leak) -> None:
    die_at(reopened(told.folder), "before-forget-prune", [told.handle])
    answer = reopened(told.folder).doctor()
    assert ("finished", "forget") in {(action.what, action.target) for action in answer.actions}
    assert answer.ok
    assert places(told.folder, SECRET) == []


def test_doctor_says_where_something_still_stands(told: Leak) -> None:
    (told.folder / "note.txt").write_text(SECRET)
    die_at(reopened(told.folder), "before-forget-prune", [told.handle])
    answer = reopened(told.folder).doctor()
    assert not answer.ok
    (finding,) = [one for one in answer.findings if one.check == "forget"]
    assert (finding.code, finding.severity) == ("still-standing", "error")
    assert "note.txt" in finding.message
    assert SECRET not in finding.message


def test_others_do_not_write_before_it_is_finished(told: Leak) -> None:
    die_at(reopened(told.folder), "after-forget-journal", [told.handle])
    after = reopened(told.folder)
    with pytest.raises(Conflict) as caught:
        remember(after, "Ada is writing a book about clocks.")
    assert caught.value.code == "REPOSITORY_BUSY"
    after.finish_forgetting()
    assert remember(after, "Ada is writing a book about clocks.")


def test_a_commit_on_the_old_history_meanwhile_is_rewritten_too(told: Leak, git: Git) -> None:
    die_at(reopened(told.folder), "after-forget-journal", [told.handle])
    (told.folder / "note.txt").write_text("typed meanwhile")
    git(told.folder, "add", "note.txt")
    git(told.folder, "commit", "-q", "--no-verify", "-m", f"a note: {SECRET}")
    after = reopened(told.folder)
    after.finish_forgetting()
    assert places(told.folder, SECRET, told.handle) == []
    assert (told.folder / "note.txt").read_text() == "typed meanwhile"
    assert git(told.folder, "ls-files", "note.txt") == "note.txt"
