"""The views follow what plain git commits, where that is safe (`architecture.md` section 3, step 6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workspaces import reopened

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Hooked

ADA, BO = "topics/people/ada.md", "topics/people/bo.md"


def is_right(root: Path) -> bool:
    """No finding at all: stale views are one."""
    with reopened(root) as workspace:
        return [finding.message for finding in workspace.check().findings] == []


def test_a_commit_by_hand_gets_its_views_on_top(hooked: Hooked) -> None:
    hooked.replace(ADA, "lives in Basel", "lives in Bern")
    hooked.git("commit", "-q", "-a", "-m", "Bern")
    assert hooked.subjects(2) == ["D", "Bern"]
    assert "lives in Bern" in hooked.read("timeline/2026/03.md")
    assert hooked.git("status", "--porcelain") == ""
    assert is_right(hooked.root)


def test_a_commit_of_one_path_leaves_the_other_edit_alone(hooked: Hooked) -> None:
    hooked.replace(ADA, "lives in Basel", "lives in Bern")
    hooked.replace(BO, "plays chess", "plays go")
    hooked.git("commit", "-q", "-m", "Bern", "--", ADA)
    assert hooked.subjects(2) == ["D", "Bern"]
    assert hooked.git("status", "--porcelain") == f" M {BO}"
    assert "lives in Bern" in hooked.read("timeline/2026/03.md")
    assert "plays chess" in hooked.read("timeline/2026/03.md")


def test_nothing_is_derived_on_a_detached_head(hooked: Hooked) -> None:
    hooked.git("checkout", "-q", "--detach")
    hooked.replace(ADA, "lives in Basel", "lives in Bern")
    hooked.git("commit", "-q", "-a", "-m", "Bern")
    assert hooked.subjects() == ["Bern"]


def test_a_merge_gets_the_views_of_both_sides(hooked: Hooked) -> None:
    hooked.git("branch", "other")
    hooked.replace(ADA, "lives in Basel", "lives in Bern")
    hooked.git("commit", "-q", "-a", "-m", "Bern")
    hooked.git("switch", "-q", "other")
    hooked.replace(BO, "plays chess", "plays go")
    hooked.git("commit", "-q", "-a", "-m", "go")
    hooked.git("switch", "-q", "main")
    hooked.git("merge", "-q", "-m", "both", "other")
    assert hooked.subjects(2, "--first-parent") == ["D", "both"]
    timeline = hooked.read("timeline/2026/03.md")
    assert "lives in Bern" in timeline
    assert "plays go" in timeline
    assert hooked.git("status", "--porcelain") == ""
    assert is_right(hooked.root)


def test_a_rebase_is_followed_once_at_its_end(hooked: Hooked) -> None:
    hooked.git("branch", "other")
    hooked.replace(ADA, "lives in Basel", "lives in Bern")
    hooked.git("commit", "-q", "-a", "-m", "Bern")
    hooked.git("switch", "-q", "other")
    hooked.replace(BO, "plays chess", "plays go")
    hooked.git("commit", "-q", "-a", "-m", "go")
    hooked.append(BO, "\n<!-- a note -->\n")
    hooked.git("commit", "-q", "-a", "-m", "note")
    hooked.git("rebase", "-q", "main")
    assert hooked.subjects(5)[1:] == ["D", "note", "go", "D"]  # a D that came along shows the views of elsewhere
    assert hooked.git("branch", "--show-current") == "other"
    assert hooked.git("status", "--porcelain") == ""
    assert is_right(hooked.root)


def test_cherry_picks_are_left_to_the_next_write(hooked: Hooked) -> None:
    hooked.git("switch", "-q", "-c", "other")
    hooked.replace(ADA, "lives in Basel", "lives in Bern")
    hooked.git("commit", "-q", "-a", "-m", "Bern")
    hooked.git("switch", "-q", "main")
    hooked.append(BO, "\n<!-- a note -->\n")
    hooked.git("commit", "-q", "-a", "-m", "note")
    hooked.git("cherry-pick", "other~1")
    assert hooked.subjects(2) == ["Bern", "D"]
    with reopened(hooked.root) as workspace:
        assert workspace.follow().changed_files == ("recent_events.jsonl", "timeline/2026/03.md")
        assert workspace.follow().derived_commit is None
    assert is_right(hooked.root)


def test_a_linked_worktree_is_followed_on_its_own_branch(
    hooked: Hooked, tmp_path: Path, at: Callable[[Path], Hooked]
) -> None:
    hooked.git("worktree", "add", "-q", "-b", "other", str(tmp_path / "linked"))
    linked, main = at(tmp_path / "linked"), hooked.git("rev-parse", "main")
    linked.replace(ADA, "lives in Basel", "lives in Bern")
    linked.git("commit", "-q", "-a", "-m", "Bern")
    assert linked.subjects(2) == ["D", "Bern"]
    assert linked.git("status", "--porcelain") == ""
    assert hooked.git("rev-parse", "main") == main


def test_a_failing_derive_is_one_line_and_the_commit_stands(hooked: Hooked) -> None:
    hooked.replace(ADA, "lives in Basel", "lives in Bern")
    hooked.git("config", "gitmem.lock.timeout", "0.1")
    blocker = hooked.own_hook("post-commit.before-gitmem", ": > .git/index.lock")
    done = hooked.run("commit", "-q", "-a", "-m", "Bern")
    blocker.unlink()
    (hooked.root / ".git" / "index.lock").unlink()
    assert done.returncode == 0
    assert [line[:44] for line in done.stderr.splitlines()] == ["gitmem: committed, but the views were not re"]
    assert hooked.subjects() == ["Bern"]


def test_switched_off_memory_is_not_followed_and_not_complained_about(hooked: Hooked) -> None:
    # behaviours 14.8, 0.12
    hooked.git("config", "gitmem.backend", "none")
    hooked.replace(ADA, "lives in Basel", "lives in Bern")
    done = hooked.run("commit", "-q", "-a", "-m", "Bern")
    assert (done.returncode, done.stderr) == (0, "")
    assert hooked.subjects() == ["Bern"]
