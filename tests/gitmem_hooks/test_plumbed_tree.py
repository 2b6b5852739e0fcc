"""Trees through git's own programs are those of libgit2."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from gitmem.errors import Code, GitmemError
from gitmem.ids import Oid
from gitmem.store.repository import open_repository
from gitmem.store.snapshot import Snapshot
from gitmem_hooks.plumbed_tree import PlumbedTree
from gitmem_hooks.plumbing import EMPTY_TREE, Plumbing
from gitmem_hooks.staged import read_staged, tree_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conftest import Hooked
    from gitmem.store.tree import Tree

ADA = "topics/people/ada.md"
PATHS = ["", ADA, "topics", "topics/people", "topics/nobody", f"{ADA}/x", "odd\nname", "é", ".gitmem", "link"]


@pytest.fixture
def git(hooked: Hooked, monkeypatch: pytest.MonkeyPatch) -> Iterator[Plumbing]:
    monkeypatch.chdir(hooked.root)
    with closing(Plumbing()) as plumbing:
        yield plumbing


def told(tree: Tree) -> list[object]:
    """Everything a tree answers."""
    topics = [tree.topic(path) for path in PATHS if path.endswith(".md")]
    archives = [tree.archive(entry.path) for entry in tree.entries("sources")]
    return [
        list(tree.entries()),
        [(tree.entry(path), sorted(tree.names(path)), list(tree.entries(path))) for path in PATHS],
        [tree.read(path) for path in PATHS],
        topics,
        archives,
    ]


def test_they_answer_the_same_and_differ_in_the_same_paths(hooked: Hooked, git: Plumbing) -> None:
    for name in ("odd\nname", "é", "topics.md"):
        hooked.write(name, name)
    (hooked.root / "link").symlink_to("é")
    hooked.git("rm", "-q", "recent_events.jsonl")
    hooked.replace(ADA, "lives in Basel", "lives in Bern")
    hooked.git("add", ".")
    hooked.git("commit", "-q", "-n", "-m", "odd")
    repo = open_repository(hooked.root, fsync=False)
    commits = [Oid(oid) for oid in hooked.git("log", "--format=%H").split()]
    real = [Snapshot.at(repo, oid) for oid in commits]
    plumbed = [tree_of(git, oid) for oid in commits]
    for snapshot, tree in zip(real, plumbed, strict=True):
        assert tree is not None
        assert told(tree) == told(snapshot)
        for other, old in zip(real, plumbed, strict=True):
            assert old is not None
            assert tree.changes(old) == snapshot.changes(other)
    assert PlumbedTree(git, EMPTY_TREE).changes(PlumbedTree(git, EMPTY_TREE)) == ()
    assert tree_of(git, Oid("1" * 40)) is None


def test_what_was_lost_is_said_and_never_taken_for_empty(hooked: Hooked, git: Plumbing) -> None:
    hooked.replace(ADA, "lives in Basel", "lives in Bern")
    hooked.git("add", ADA)
    oid = hooked.git("rev-parse", f":{ADA}")
    staged = read_staged(git)
    (hooked.root / ".git" / "objects" / oid[:2] / oid[2:]).unlink()
    with pytest.raises(GitmemError) as failed:
        staged.after.read(ADA)
    assert (failed.value.code, failed.value.path) == (Code.STORAGE_UNAVAILABLE, ADA)
    git.close()
    with pytest.raises(GitmemError) as failed:
        git.ask("write-tree", "--nonsense")
    assert failed.value.code is Code.GIT_UNAVAILABLE


def test_a_damaged_missing_or_older_catalogue_changes_no_verdict(hooked: Hooked) -> None:
    hooked.append(ADA, "\nAda is [Bo's friend](bo.md#^nobody).[^e1] ^abc\n\n[^e1]: Time: `2026`; Sources: [x](y.md)\n")
    hooked.git("add", ADA)
    (catalogue,) = (hooked.root / ".git" / "gitmem").glob("index.sqlite")
    said = set()
    for data in (None, b"no database", b""):
        if data is not None:
            catalogue.write_bytes(data)
            for suffix in ("-wal", "-shm"):
                catalogue.with_name(f"{catalogue.name}{suffix}").unlink(missing_ok=True)
        done = hooked.run("commit", "-q", "-m", "friend")
        assert done.returncode == 1
        said.add(done.stderr)
    catalogue.unlink()
    said.add(hooked.run("commit", "-q", "-m", "friend").stderr)
    assert len(said) == 1
    assert "[broken-block-link]" in said.pop()
