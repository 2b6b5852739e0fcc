"""Commits written a few or many at a time are git's own, to the byte."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gitmem.ids import Oid
from gitmem.request import Person
from gitmem.store.commit_batch import WORTH_A_PACK, CommitBatch
from gitmem.store.commits import Stamp, create_commit, read_commit
from gitmem.store.initialize import init_repository
from gitmem.store.snapshot import EMPTY_TREE

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.store.repository import Repo
    from running import Git

ADA = Stamp(Person("Ada \u00e9", "7391"), 1786240800, 480)


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return init_repository(tmp_path / "memory", bare=True, fsync=False)[0]


def line(batch: CommitBatch, count: int, size: int = 10) -> list[Oid]:
    """Commits one after the other."""
    oids: list[Oid] = []
    for number in range(count):
        oids.append(batch.add(f"{number} {'x' * size}\n\nbody\n\nmore\n", ADA, oids[-1] if oids else None))
    return oids


@pytest.mark.parametrize(
    "author",
    [
        ADA,
        Stamp(Person("", ""), 0, 0),
        Stamp(Person("a<b>\nc", "x\0y"), 1, -570),
        Stamp(Person(" spaced ", "mail"), 4102444800, 845),
    ],
)
def test_a_commit_has_the_id_that_git_gives_it(repo: Repo, author: Stamp) -> None:
    batch = CommitBatch(repo)
    root = batch.add("first\n", author, None)
    second = batch.add("second\u2028 \U0001f600", author, root)
    batch.finish()
    assert root == create_commit(repo, tree=EMPTY_TREE, parents=(), message="first\n", author=author)
    assert second == create_commit(
        repo, tree=EMPTY_TREE, parents=(root,), message="second\u2028 \U0001f600", author=author
    )


@pytest.mark.parametrize("count", [1, WORTH_A_PACK - 1, WORTH_A_PACK, WORTH_A_PACK + 1, 3 * WORTH_A_PACK])
def test_commits_are_read_before_and_after_the_batch_is_finished(repo: Repo, git: Git, count: int) -> None:
    batch = CommitBatch(repo)
    oids = line(batch, count)
    for number, oid in enumerate(oids):
        assert batch.message(oid) == f"{number} {'x' * 10}\n\nbody\n\nmore\n"
        assert batch.parent(oid) == (oids[number - 1] if number else None)
        assert read_commit(repo, oid) is None
    batch.finish()
    found = [read_commit(repo, oid) for oid in oids]
    assert [commit.message for commit in found if commit] == [f"{n} {'x' * 10}\n\nbody\n\nmore\n" for n in range(count)]
    git(repo.path, "update-ref", "refs/heads/main", oids[-1])
    git(repo.path, "fsck", "--strict", "--no-dangling")
    assert git(repo.path, "rev-list", "--count", "main") == str(count)


def test_a_large_batch_is_one_pack_that_git_verifies(repo: Repo, git: Git) -> None:
    batch = CommitBatch(repo)
    for number in range(WORTH_A_PACK):
        batch.add("y" * (number * 700), ADA, None)  # sizes of one, two and three bytes in the pack's own numbers
    repeated = batch.add("y" * 700, ADA, None)
    batch.finish()
    names = sorted(path.suffix for path in (repo.path / "objects" / "pack").iterdir())
    assert names == [".idx", ".pack"]
    assert read_commit(repo, repeated) is not None
    pack = next((repo.path / "objects" / "pack").glob("*.idx"))
    assert git(repo.path, "verify-pack", "-v", str(pack)).count(" commit ") == WORTH_A_PACK


def test_what_is_forgotten_leaves_nothing(repo: Repo) -> None:
    before = sorted(repo.path.rglob("*"))
    for count in (1, WORTH_A_PACK):
        batch = CommitBatch(repo)
        oids = line(batch, count)
        batch.discard()
        assert read_commit(repo, oids[0]) is None
    assert sorted(repo.path.rglob("*")) == before


def test_a_batch_without_commits_writes_nothing(repo: Repo) -> None:
    before = sorted(repo.path.rglob("*"))
    CommitBatch(repo).finish()
    assert sorted(repo.path.rglob("*")) == before


def test_another_commit_is_none_of_the_batch(repo: Repo) -> None:
    batch = CommitBatch(repo)
    assert batch.message(Oid("0" * 40)) is None
    assert batch.parent(Oid("0" * 40)) is None
