"""Many refs move one after the other, each from its stated old value."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gitmem.errors import Code, Conflict
from gitmem.ids import Oid
from gitmem.request import Person
from gitmem.store.bulk_refs import MANY, WORTH_PACKING, move_together
from gitmem.store.commits import Stamp, create_commit
from gitmem.store.initialize import init_repository
from gitmem.store.refs import RefMove, list_refs
from gitmem.store.snapshot import EMPTY_TREE

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.store.repository import Repo

PREFIX = "refs/gitmem/sessions/"


@pytest.fixture(params=[True, False], ids=["flushed", "unflushed"])
def repo(tmp_path: Path, request: pytest.FixtureRequest) -> Repo:
    return init_repository(tmp_path / "memory", bare=True, fsync=request.param)[0]


def commit(repo: Repo, text: str) -> Oid:
    tree = Oid(str(repo.git.TreeBuilder().write()))
    assert tree == EMPTY_TREE
    return create_commit(repo, tree=tree, parents=(), message=text, author=Stamp(Person("a", "b"), 0))


@pytest.mark.parametrize("count", [1, MANY - 1, MANY])
def test_refs_are_made_moved_and_deleted(repo: Repo, count: int) -> None:
    one, two = commit(repo, "1"), commit(repo, "2")
    names = [f"{PREFIX}p/t/{number:04}" for number in range(count)]
    for old, new in [(None, one), (one, two), (two, None)]:
        move_together(repo, [RefMove(name, old, new) for name in names])
        assert [(ref.name, ref.oid) for ref in list_refs(repo, PREFIX)] == [(name, new) for name in names if new]


def test_very_many_refs_are_packed(repo: Repo) -> None:
    one = commit(repo, "1")
    names = [f"{PREFIX}p/t/{number:04}" for number in range(WORTH_PACKING)]
    move_together(repo, [RefMove(name, None, one) for name in names])
    assert [ref.name for ref in list_refs(repo, PREFIX)] == names
    assert not list((repo.common_dir / PREFIX).rglob("0*"))


def test_a_ref_with_another_value_is_a_conflict(repo: Repo) -> None:
    one, two = commit(repo, "1"), commit(repo, "2")
    move_together(repo, [RefMove(f"{PREFIX}p/t/b", None, one)])
    with pytest.raises(Conflict) as caught:
        move_together(repo, [RefMove(f"{PREFIX}p/t/{name}", None, two) for name in "abc"])
    assert caught.value.code is Code.CONCURRENT_UPDATE
    assert [(ref.name[-1], ref.oid) for ref in list_refs(repo, PREFIX)] == [("a", two), ("b", one)]
