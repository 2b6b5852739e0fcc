"""The index file is rewritten by splicing; real git is the judge of every result (``architecture.md`` section 7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.errors import Code, Unavailable
from gitmem.ids import Oid
from gitmem.store.index_file import EMPTY_INDEX, FileStat, IndexEntry, IndexFile
from gitmem.store.snapshot import Snapshot
from stores import CHANGE, Store, commit_object

if TYPE_CHECKING:
    from pathlib import Path

    from running import Git

BLOB = Oid("e69de29bb2d1d6434b8b29ae775ad8c2e48c5391")
LONG = "topics/" + "n" * 5000 + ".md"


def entry(path: str, **more: object) -> IndexEntry:
    return IndexEntry(path, BLOB, 0o100644, **more)  # type: ignore[arg-type]


def rebuilt(index: IndexFile, changes: dict[str, IndexEntry | None]) -> IndexFile:
    return IndexFile(index.edited(changes).data())


def listing(index: IndexFile) -> list[tuple[str, int]]:
    return [(found.path, found.stage) for found in index.entries()]


def index_of(store: Store) -> IndexFile:
    return IndexFile.load(store.path / ".git/index")


@pytest.mark.parametrize("version", ["2", "3", "4"])
def test_every_version_is_read_and_written_so_that_git_agrees(version: str, store: Store, git: Git) -> None:
    git(store.path, "update-index", "--skip-worktree", "topics/other.md")  # needs version 3
    if version == "2":
        git(store.path, "update-index", "--no-skip-worktree", "topics/other.md")
    git(store.path, "update-index", "--index-version", version)
    before = git(store.path, "ls-files", "-s", "-t")
    (store.path / ".git/index").write_bytes(index_of(store).edited({}).data())
    assert git(store.path, "ls-files", "-s", "-t") == before
    assert git(store.path, "status", "--porcelain") == ""
    store.commit(CHANGE)
    assert git(store.path, "status", "--porcelain") == ""


def test_stat_data_and_flags_survive_a_rewrite(store: Store, git: Git) -> None:
    before = git(store.path, "ls-files", "--debug")
    (store.path / ".git/index").write_bytes(index_of(store).edited({"topics/zz.md": None}).data())
    assert git(store.path, "ls-files", "--debug") == before


def test_an_absent_index_is_empty(tmp_path: Path) -> None:
    assert len(IndexFile.load(tmp_path / "none")) == 0
    assert IndexFile(EMPTY_INDEX).entry("a") is None


def test_entries_are_put_in_replaced_and_taken_out_in_order() -> None:
    index = rebuilt(IndexFile(), {path: entry(path) for path in ("b", "a/x", LONG, "a.md", "ü.md")})
    assert [path for path, _stage in listing(index)] == ["a.md", "a/x", "b", LONG, "ü.md"]
    index = rebuilt(index, {"b": None, "a/x": entry("a/x", stat=FileStat(size=7)), LONG: None})
    assert [path for path, _stage in listing(index)] == ["a.md", "a/x", "ü.md"]
    found = index.entry("a/x")
    assert found is not None
    assert found.stat.size == 7
    assert index.entry("a") is None


@pytest.mark.parametrize("cached", [True, False])
def test_any_of_many_entries_is_found_and_spliced(cached: bool, store: Store, git: Git) -> None:
    files = {f"topics/{n % 7}/{'x' * (n % 90)}{n:03}.md": b"%d\n" % n for n in range(400)}
    store.commit(files)
    if cached:
        git(store.path, "reset", "-q", "--hard")
    index = index_of(store)
    assert [found.path for path in files if (found := index.entry(path)) is not None] == list(files)
    assert [index.entry(f"{path}x") for path in files] == [None] * len(files)
    changed = {path: (None if place % 3 else b"new\n") for place, path in enumerate(files)}
    store.commit({**changed, "topics/3/new.md": b"n\n"})
    assert git(store.path, "status", "--porcelain") == ""
    assert git(store.path, "write-tree") == store.tree.tree


def test_a_folder_named_like_an_extension_is_none(store: Store, git: Git) -> None:
    store.commit({"TREE/TREE/a.md": b"a\n", "topics/TREE": b"x\n", "TREE/TREE00000012.md": b"b\n"})
    git(store.path, "reset", "-q", "--hard")
    store.commit({"TREE/TREE/b.md": b"b\n", "TREE/TREE/a.md": None})
    assert git(store.path, "status", "--porcelain") == ""
    assert git(store.path, "write-tree") == store.tree.tree


def test_resolved_conflicts_and_other_extensions_do_not_disturb(store: Store, git: Git) -> None:
    git(store.path, "config", "core.untrackedCache", "true")
    git(store.path, "config", "index.threads", "2")
    git(store.path, "update-index", "--untracked-cache")
    git(store.path, "status")
    git(store.path, "update-index", "--force-write-index")
    store.commit(CHANGE)
    assert git(store.path, "status", "--porcelain") == ""


def test_a_file_staged_where_memory_needs_a_folder_stays(store: Store, git: Git) -> None:
    store.write("topics/new", b"mine\n")
    git(store.path, "add", "topics/new")
    store.commit(CHANGE)
    assert git(store.path, "ls-files", "topics/new", "topics/new/c.md") == "topics/new"
    git(store.path, "write-tree")


def test_a_folder_staged_where_memory_needs_a_file_stays(store: Store, git: Git) -> None:
    store.write("topics/new.md/mine.md", b"mine\n")
    git(store.path, "add", "topics/new.md/mine.md")
    store.commit({"topics/new.md": b"ours\n"})
    assert git(store.path, "ls-files", "topics/new.md") == "topics/new.md/mine.md"
    git(store.path, "write-tree")


PATHS = st.lists(
    st.text("ab/é", min_size=1, max_size=12).filter(lambda p: "//" not in p and p.strip("/") == p), max_size=8
)


@given(st.lists(st.tuples(PATHS, PATHS), max_size=4))
@settings(max_examples=60)
def test_any_sequence_of_edits_equals_a_mapping(rounds: list[tuple[list[str], list[str]]]) -> None:
    index = IndexFile()
    expected: dict[str, IndexEntry] = {}
    for added, removed in rounds:
        changes = dict.fromkeys(removed) | {path: entry(path) for path in added}
        index = rebuilt(index, changes)
        expected = {path: found for path, found in (expected | changes).items() if found is not None}
    assert {found.path: found for found in index.entries()} == expected
    assert [path for path, _ in listing(index)] == sorted(expected, key=lambda path: path.encode())


def test_a_conflict_is_one_path_with_several_stages(store: Store, git: Git) -> None:
    git(store.path, "switch", "-qc", "aside")
    store.commit({"topics/a.md": b"theirs\n"})
    git(store.path, "switch", "-q", "main")
    store.commit({"topics/a.md": b"ours\n"})
    with pytest.raises(AssertionError, match="git merge"):
        git(store.path, "merge", "aside")
    index = index_of(store)
    found = index.entry("topics/a.md")
    assert found is not None
    assert found.stage == 1
    assert [stage for path, stage in listing(index) if path == "topics/a.md"] == [1, 2, 3]
    after = rebuilt(index, {"topics/a.md": entry("topics/a.md")})
    assert [stage for path, stage in listing(after) if path == "topics/a.md"] == [0]


def test_the_cached_trees_follow_so_that_git_need_not_walk(store: Store, git: Git) -> None:
    git(store.path, "reset", "-q", "--hard")  # git writes the cache
    store.commit(CHANGE)
    store.commit({"topics/deep/er/d.md": b"d\n", "topics/new/c.md": None})
    written = (store.path / ".git/index").read_bytes()
    assert bytes.fromhex(store.tree.tree) in written
    git(store.path, "write-tree")  # would rewrite the index if any folder were unknown
    assert (store.path / ".git/index").read_bytes() == written
    assert git(store.path, "write-tree") == store.tree.tree
    assert git(store.path, "fsck", "--strict", "--no-dangling") == ""


def test_the_cached_trees_are_forgotten_where_something_else_is_staged(store: Store, git: Git) -> None:
    git(store.path, "reset", "-q", "--hard")
    store.write("topics/a.md", b"staged\n")
    git(store.path, "add", "topics/a.md")
    store.commit(CHANGE)
    git(store.path, "fsck", "--cache", "--strict", "--no-dangling")
    assert git(store.path, "ls-files", "-s") == git(store.path, "-c", "core.untrackedCache=false", "ls-files", "-s")
    staged = git(store.path, "write-tree")
    assert git(store.path, "show", f"{staged}:topics/a.md") == "staged"
    assert git(store.path, "show", f"{staged}:topics/new/c.md") == "# C"


def test_a_cached_folder_that_git_did_not_know_stays_unknown(store: Store, git: Git) -> None:
    git(store.path, "reset", "-q", "--hard")
    store.write("topics/deep/er/x.md", b"x\n")
    git(store.path, "add", "topics/deep/er/x.md")  # git forgets the folders above
    git(store.path, "commit", "-qm", "by hand")
    for number in range(3):
        store.commit({f"topics/deep/{number}/{number}.md": b"n\n", "topics/deep/er/x.md": None if number else b"y\n"})
    assert git(store.path, "write-tree") == store.tree.tree
    assert git(store.path, "status", "--porcelain") == ""


def test_a_cache_of_another_tree_is_not_taken_for_ours(store: Store) -> None:
    index = index_of(store)
    elsewhere = Snapshot.at(store.repo, commit_object(store.repo, store.tip, {"topics/z.md": b"z\n"}))
    data = index.edited({"topics/z.md": entry("topics/z.md")}, (elsewhere, elsewhere)).data()
    assert bytes.fromhex(elsewhere.tree) not in data


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("update-index", "--split-index"), "split"),
        (("sparse-checkout", "set", "--cone", "--sparse-index", "topics"), "sparse"),
    ],
)
def test_what_gitmem_cannot_read_is_said_plainly(change: tuple[str, ...], says: str, store: Store, git: Git) -> None:
    store.commit({"timeline/2024/01/01.md": b"x\n"})
    git(store.path, *change)
    with pytest.raises(Unavailable, match=says) as caught:
        index_of(store)
    assert caught.value.code is Code.STORAGE_UNAVAILABLE


@pytest.mark.parametrize("data", [b"", b"DIRC", b"DIRC" + b"\0" * 40, EMPTY_INDEX[:8] + b"\0\0\0\x09" + b"x" * 90])
def test_a_damaged_index_is_said_plainly(data: bytes) -> None:
    with pytest.raises(Unavailable, match="damaged") as caught:
        IndexFile(data)
    assert caught.value.code is Code.STORAGE_UNAVAILABLE


def test_a_mandatory_extension_of_the_future_is_refused() -> None:
    with pytest.raises(Unavailable, match="extension"):
        IndexFile(EMPTY_INDEX[:12] + b"newx\0\0\0\0" + EMPTY_INDEX[12:])
