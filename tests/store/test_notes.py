"""Notes as git keeps them, in whatever folders; a batch is one commit (architecture.md section 7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gitmem.errors import Conflict
from gitmem.format.layout import NOTES_REF
from gitmem.ids import Oid
from gitmem.store.initialize import init_repository
from gitmem.store.notes import Notes, read_note

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.store.repository import Repo
    from running import Git


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return init_repository(tmp_path / "memory", bare=True, fsync=False)[0]


@pytest.fixture
def targets(repo: Repo, git: Git) -> list[Oid]:
    return [Oid(git(repo.path, "hash-object", "-w", "--stdin", stdin=str(number))) for number in range(8)]


def test_without_notes_every_note_is_empty(repo: Repo, targets: list[Oid]) -> None:
    assert [read_note(repo, target) for target in targets] == [""] * 8


def test_a_batch_of_notes_is_one_commit_that_git_reads(repo: Repo, targets: list[Oid], git: Git) -> None:
    notes = Notes(repo)
    assert notes.change(targets, lambda target, text: f"{text}about {target[:4]}\n")
    assert git(repo.path, "rev-list", "--count", NOTES_REF) == "1"
    for target in targets:
        assert notes.read(target) == read_note(repo, target) == f"about {target[:4]}\n"
        assert git(repo.path, "notes", "--ref", NOTES_REF, "show", target) == f"about {target[:4]}"
    assert set(git(repo.path, "ls-tree", "-r", "--name-only", NOTES_REF).split()) == {
        f"{t[:2]}/{t[2:]}" for t in targets
    }


def test_notes_are_changed_and_removed(repo: Repo, targets: list[Oid]) -> None:
    notes = Notes(repo)
    notes.change(targets, lambda _, text: f"{text}one\n")
    notes.change(targets[:4], lambda _, text: f"{text}two\n" if text else "")
    notes.change(targets[4:6], lambda _target, _text: "")
    assert [notes.read(target) for target in targets] == ["one\ntwo\n"] * 4 + [""] * 2 + ["one\n"] * 2
    assert [read_note(repo, target) for target in targets] == [notes.read(target) for target in targets]


def test_a_change_that_changes_nothing_makes_no_commit(repo: Repo, targets: list[Oid], git: Git) -> None:
    Notes(repo).change(targets, lambda _target, _text: "x")
    assert not Notes(repo).change(targets, lambda _, text: text)
    assert not Notes(repo).change([], lambda _target, _text: "y")
    assert git(repo.path, "rev-list", "--count", NOTES_REF) == "1"


@pytest.mark.parametrize("depth", [0, 1, 2, 3])
def test_notes_in_other_folders_are_read_and_move_when_they_change(
    repo: Repo, targets: list[Oid], git: Git, depth: int
) -> None:
    target = targets[0]
    path = "/".join([*(target[2 * level : 2 * level + 2] for level in range(depth)), target[2 * depth :]])
    content = git(repo.path, "hash-object", "-w", "--stdin", stdin="from elsewhere\n")
    tree = _tree(repo, git, path, content)
    git(repo.path, "update-ref", NOTES_REF, git(repo.path, "commit-tree", "-m", "x", tree))
    notes = Notes(repo)
    assert notes.read(target) == "from elsewhere\n"
    assert notes.read(targets[1]) == ""
    assert notes.change([target], lambda _, text: f"{text}and here\n")
    assert git(repo.path, "ls-tree", "-r", "--name-only", NOTES_REF) == f"{target[:2]}/{target[2:]}"
    assert read_note(repo, target) == "from elsewhere\nand here\n"


def _tree(repo: Repo, git: Git, path: str, blob: str) -> str:
    """The tree that holds one file at the path."""
    *folders, name = path.split("/")
    tree = git(repo.path, "mktree", stdin=f"100644 blob {blob}\t{name}\n")
    for folder in reversed(folders):
        tree = git(repo.path, "mktree", stdin=f"040000 tree {tree}\t{folder}\n")
    return tree


def test_notes_that_somebody_else_changed_meanwhile_are_a_conflict(repo: Repo, targets: list[Oid]) -> None:
    stale = Notes(repo)
    Notes(repo).change(targets[:1], lambda _target, _text: "theirs")
    assert stale.read(targets[0]) == ""
    with pytest.raises(Conflict):
        stale.change(targets[1:], lambda _target, _text: "mine")
    assert (read_note(repo, targets[0]), read_note(repo, targets[1])) == ("theirs", "")
