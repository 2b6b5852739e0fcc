"""Thousands of refs move inside packed-refs, as git itself reads and writes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gitmem.errors import Code, Conflict
from gitmem.request import Person
from gitmem.store.commits import Stamp, create_commit
from gitmem.store.initialize import init_repository
from gitmem.store.packed_refs import HEADER, move_packed
from gitmem.store.refs import RefMove, list_refs, read_ref
from gitmem.store.snapshot import EMPTY_TREE

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.ids import Oid
    from gitmem.store.repository import Repo
    from running import Git

PREFIX = "refs/gitmem/sessions/"
NAMES = [f"{PREFIX}p/{thread}/main" for thread in ("z", "a", "a-b", "m")]


@pytest.fixture(params=[True, False], ids=["flushed", "unflushed"])
def repo(tmp_path: Path, request: pytest.FixtureRequest) -> Repo:
    return init_repository(tmp_path / "memory", bare=True, fsync=request.param)[0]


def commit(repo: Repo, text: str) -> Oid:
    repo.git.TreeBuilder().write()
    return create_commit(repo, tree=EMPTY_TREE, parents=(), message=text, author=Stamp(Person("a", "b"), 0))


def shown(repo: Repo, git: Git) -> dict[str, str]:
    lines = git(repo.path, "for-each-ref", "--format=%(refname) %(objectname)").split("\n")
    return dict(line.split(" ") for line in lines if line)


def test_refs_are_made_and_moved_without_files_of_their_own(repo: Repo, git: Git) -> None:
    one, two = commit(repo, "1"), commit(repo, "2")
    for old, new in ((None, one), (one, two)):
        assert move_packed(repo, [RefMove(name, old, new) for name in NAMES]) == []
        assert shown(repo, git) == dict.fromkeys(sorted(NAMES), new)
        assert [(ref.name, ref.oid) for ref in list_refs(repo, PREFIX)] == [(name, new) for name in sorted(NAMES)]
        assert read_ref(repo, NAMES[0]) == new
    assert not (repo.common_dir / PREFIX).exists()
    assert not (repo.common_dir / "packed-refs.lock").exists()
    git(repo.path, "fsck", "--strict")
    git(repo.path, "pack-refs", "--all")
    assert shown(repo, git) == dict.fromkeys(sorted(NAMES), two)


def test_what_git_packed_stays_tags_with_what_they_lead_to(repo: Repo, git: Git) -> None:
    one = commit(repo, "1")
    git(repo.path, "tag", "-a", "-m", "t", "v1", one)
    git(repo.path, "update-ref", "refs/heads/other", one)
    git(repo.path, "pack-refs", "--all")
    before = shown(repo, git)
    assert move_packed(repo, [RefMove(NAMES[0], None, one)]) == []
    assert shown(repo, git) == {**before, NAMES[0]: one}
    text = (repo.common_dir / "packed-refs").read_text()
    assert text.split("\n")[0] == HEADER
    assert f"{before['refs/tags/v1']} refs/tags/v1\n^{one}\n" in text
    assert git(repo.path, "rev-parse", "v1^{commit}") == one


def test_a_ref_with_another_value_is_a_conflict_and_nothing_moves(repo: Repo, git: Git) -> None:
    one, two = commit(repo, "1"), commit(repo, "2")
    move_packed(repo, [RefMove(NAMES[0], None, one)])
    before = shown(repo, git)
    for old in (None, two):
        with pytest.raises(Conflict) as caught:
            move_packed(repo, [RefMove(NAMES[1], None, one), RefMove(NAMES[0], old, two)])
        assert caught.value.code is Code.CONCURRENT_UPDATE
        assert shown(repo, git) == before
    assert not (repo.common_dir / "packed-refs.lock").exists()


def test_deletions_and_refs_with_files_are_left(repo: Repo, git: Git) -> None:
    one, two = commit(repo, "1"), commit(repo, "2")
    git(repo.path, "update-ref", NAMES[0], one)
    move_packed(repo, [RefMove(NAMES[1], None, one)])
    moves = [RefMove(NAMES[0], one, two), RefMove(NAMES[1], one, None), RefMove(NAMES[2], None, two)]
    assert move_packed(repo, moves) == moves[:2]
    assert shown(repo, git) == {NAMES[0]: one, NAMES[1]: one, NAMES[2]: two}


def test_a_ref_is_never_made_a_folder_of_another(repo: Repo, git: Git) -> None:
    one = commit(repo, "1")
    git(repo.path, "update-ref", f"{PREFIX}p/t", one)
    move = [RefMove(f"{PREFIX}p/t/main", None, one)]
    assert move_packed(repo, move) == move
    git(repo.path, "pack-refs", "--all")
    assert move_packed(repo, move) == move
    move_packed(repo, [RefMove(f"{PREFIX}p/u/main/x", None, one)])
    below = [RefMove(f"{PREFIX}p/u/main", None, one)]
    assert move_packed(repo, below) == below


def test_where_another_program_holds_the_file_everything_is_left(repo: Repo) -> None:
    one = commit(repo, "1")
    (repo.common_dir / "packed-refs.lock").touch()
    move = [RefMove(NAMES[0], None, one)]
    assert move_packed(repo, move) == move
    assert (repo.common_dir / "packed-refs.lock").exists()
    assert list_refs(repo, PREFIX) == ()


def test_a_file_in_an_older_form_is_left_alone(repo: Repo) -> None:
    one = commit(repo, "1")
    text = f"# pack-refs with: peeled \n{one} refs/heads/other\n"
    (repo.common_dir / "packed-refs").write_text(text)
    move = [RefMove(NAMES[0], None, one)]
    assert move_packed(repo, move) == move
    assert (repo.common_dir / "packed-refs").read_text() == text
