"""Reading one state of the memory: commits, staged changes, the index, the working directory (``store/tree.py``)."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from archives import ARCHIVE, archive
from gitmem.errors import Code, InvalidRequest, NotFound, Refused, Unavailable
from gitmem.ids import ZERO_OID, Oid
from gitmem.store.indexed import IndexTree, WorkdirTree
from gitmem.store.memo import LARGE, Recent
from gitmem.store.overlay import Overlay, blob_id
from gitmem.store.quarantine import Quarantine
from gitmem.store.refs import resolve
from gitmem.store.snapshot import EMPTY_TREE, Snapshot, compare_listings
from gitmem.store.staging import Staging
from gitmem.store.tree import Entry
from stores import CHANGE, ROOT, Store, commit_object

if TYPE_CHECKING:
    from gitmem.store.tree import Change, Tree
    from running import Git

BODY = (
    b"# A\n\nOne.[^e-1175dea39c] ^f888f60e\n\n"
    b"[^e-1175dea39c]: Time: `2024-03-15`; Sources: [D1:1](../sources/D1.md#d1-1)\n"
)


def shown(changes: tuple[Change, ...]) -> list[tuple[str, bool, bool]]:
    return [(change.path, change.old is not None, change.new is not None) for change in changes]


def staged(store: Store, files: dict[str, bytes | None]) -> Staging:
    staging = Staging(store.repo, store.tree)
    for path, data in files.items():
        if data is None:
            staging.delete(path)
        else:
            staging.write(path, data)
    return staging


# --- a commit ---------------------------------------------------------------------------------------------------


def test_a_snapshot_lists_and_reads_what_git_does(store: Store, git: Git) -> None:
    listed = git(store.path, "ls-tree", "-r", "HEAD").splitlines()
    assert [f"{entry.mode:o} blob {entry.oid}\t{entry.path}" for entry in store.tree.entries()] == listed
    assert store.tree.read("topics/deep/er/b.md") == ROOT["topics/deep/er/b.md"]
    assert [entry.path for entry in store.tree.entries("topics/deep")] == ["topics/deep/er/b.md"]
    assert [entry.path for entry in store.tree.entries("topics/a.md")] == ["topics/a.md"]
    assert store.tree.names("topics") == ("a.md", "deep", "other.md")


@pytest.mark.parametrize("path", ["none", "topics/none.md", "topics/a.md/x", "topics", ""])
def test_what_is_absent_or_a_folder_is_no_file(path: str, store: Store) -> None:
    assert store.tree.entry(path) is None
    assert store.tree.read(path) is None
    assert store.tree.topic(path) is None
    assert store.tree.archive(path) is None


def test_an_absent_folder_has_no_names_and_no_entries(store: Store) -> None:
    assert store.tree.names("none") == ()
    assert store.tree.names("topics/a.md") == ()
    assert list(store.tree.entries("none")) == []


def test_the_empty_tree_stands_for_an_unborn_branch(store: Store) -> None:
    assert list(Snapshot(store.repo).entries()) == []
    assert Snapshot.at(store.repo, ZERO_OID).tree == EMPTY_TREE
    assert len(store.tree.changes(Snapshot(store.repo))) == len(ROOT)


def test_an_unknown_commit_is_not_found(store: Store) -> None:
    for oid in (Oid("1" * 40), Oid(store.tree.tree)):
        with pytest.raises(NotFound) as caught:
            Snapshot.at(store.repo, oid)
        assert caught.value.code is Code.REVISION_NOT_FOUND


def test_changes_walk_both_trees_in_step(store: Store) -> None:
    before = store.tree
    store.commit({**CHANGE, "topics/deep": b"a file now\n"})
    expected = [
        ("core.md", True, True),
        ("topics/a.md", True, True),
        ("topics/deep", False, True),
        ("topics/deep/er/b.md", True, False),
        ("topics/new/c.md", False, True),
    ]
    assert shown(store.tree.changes(before)) == expected
    assert store.tree.changes(before) == compare_listings(before, store.tree)
    assert store.tree.changes(store.tree) == ()


def test_a_topic_is_parsed_once_whoever_asks(store: Store) -> None:
    store.commit({"topics/a.md": BODY})
    topic = store.tree.topic("topics/a.md")
    assert topic is not None
    assert [block.id for block in topic.blocks] == ["f888f60e"]
    assert Snapshot.at(store.repo.fresh(), store.tip).topic("topics/a.md") is topic
    assert staged(store, {"topics/a.md": BODY}).topic("topics/a.md") is topic


def test_bytes_that_are_no_text_are_parsed_with_replacement(store: Store) -> None:
    topic = staged(store, {"topics/a.md": b"\xff\n"}).topic("topics/a.md")
    assert topic is not None
    assert topic.text == "\N{REPLACEMENT CHARACTER}\n"


def test_a_legacy_archive_is_scanned_as_one(store: Store) -> None:
    store.commit({"sources/D1.md": b'# D1\n\n<a id="d1-1"></a>\n[2024] user: hello\n'})
    found = store.tree.archive("sources/D1.md")
    assert found is not None
    assert not found.framed


def test_a_submodule_reads_as_nothing(store: Store, git: Git) -> None:
    git(store.path, "update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},topics/sub")
    git(store.path, "commit", "-qm", "submodule")
    assert store.tree.entry("topics/sub") == Entry("topics/sub", Oid("1" * 40), 0o160000)
    assert store.tree.read("topics/sub") == b""


def test_bytes_that_the_repository_lost_are_an_error_and_not_nothing(store: Store) -> None:
    entry = store.tree.entry("topics/a.md")
    assert entry is not None
    path = store.repo.common_dir / "objects" / entry.oid[:2] / entry.oid[2:]
    path.chmod(0o600)
    for damage in (lambda: path.write_bytes(b"damaged"), path.unlink):
        damage()
        lost = Snapshot.at(store.repo.fresh(), store.tree.commit or ZERO_OID)
        for read in (lost.read, lost.topic):
            with pytest.raises(Unavailable) as caught:
                read("topics/a.md")
            assert (caught.value.code, caught.value.path) == (Code.STORAGE_UNAVAILABLE, "topics/a.md")


def test_importing_the_store_loads_no_parser() -> None:
    code = "import sys, gitmem.store.publish, gitmem.store.indexed; sys.exit('mistune' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# --- staging ----------------------------------------------------------------------------------------------------


def test_staging_shows_the_change_before_anything_is_written(store: Store) -> None:
    staging = staged(store, dict(CHANGE))
    expected = {path: data for path, data in {**ROOT, **CHANGE}.items() if data is not None}
    assert {entry.path: staging.read(entry.path) for entry in staging.entries()} == expected
    assert [entry.path for entry in staging.entries("topics/new")] == ["topics/new/c.md"]
    assert staging.names("topics") == ("a.md", "new", "other.md")
    assert staging.names("") == (".gitattributes", ".gitmem", "core.md", "topics")
    assert staging.topic("topics/deep/er/b.md") is None
    assert staging.archive("topics/deep/er/b.md") is None


def test_staged_changes_are_those_of_the_tree_that_is_built(store: Store) -> None:
    staging = staged(store, {**CHANGE, "topics/other.md": ROOT["topics/other.md"]})
    built = staging.snapshot()
    assert staging.changes(store.tree) == built.changes(store.tree)
    assert staging.changes(staging.base) == built.changes(store.tree)
    assert staging.changes(Snapshot(store.repo)) == built.changes(Snapshot(store.repo))


def test_two_stagings_on_one_base_are_compared_by_what_they_lay(store: Store) -> None:
    first = staged(store, {"topics/a.md": b"1\n"})
    second = Staging(store.repo, first.base)
    second.write("topics/other.md", b"2\n")
    assert [change.path for change in first.changes(second)] == ["topics/a.md", "topics/other.md"]


def test_a_quarantine_answers_for_its_own_objects_and_all_others(store: Store) -> None:
    with Quarantine(store.repo) as quarantine:
        built = Oid(Staging(store.repo, store.tree, quarantine).build())
        commit = commit_object(quarantine.repo, store.tip, {"topics/x.md": b"x\n"})
        odb = quarantine.repo.git.odb
        assert odb.exists(commit)
        assert odb.read_header(commit)[1] == len(odb.read(commit)[1])
        assert odb.exists(store.tip)
        assert not odb.exists("1" * 40)
        assert resolve(quarantine.repo, store.tip[:10]) == store.tip
        assert built == store.tree.tree
        assert commit in {str(oid) for oid in quarantine._memory}
    assert not store.repo.fresh().git.odb.exists(commit)


def test_only_the_trees_on_changed_paths_are_written(store: Store) -> None:
    with Quarantine(store.repo) as quarantine:
        staging = Staging(store.repo, store.tree, quarantine)
        staging.write("topics/deep/er/b.md", b"x\n")
        staging.build()
        kinds = [kind for kind, _data in quarantine._memory.objects.values()]
        assert kinds == [3, 2, 2, 2, 2]  # a blob, then the trees from the deepest up


def test_emptying_everything_gives_the_empty_tree(store: Store) -> None:
    assert staged(store, dict.fromkeys(ROOT)).build() == EMPTY_TREE


def test_deleting_what_is_absent_changes_nothing(store: Store) -> None:
    assert staged(store, {"topics/none/none.md": None}).build() == store.tree.tree


def test_a_file_and_a_folder_may_change_places_in_one_change(store: Store) -> None:
    staging = staged(store, {"topics/a.md": None, "topics/a.md/x.md": b"x\n", "topics/deep/er/b.md": None})
    staging.write("topics/deep", b"file\n")
    built = staging.snapshot()
    assert built.read("topics/a.md/x.md") == b"x\n"
    assert built.read("topics/deep") == b"file\n"


@pytest.mark.parametrize("path", ["topics/a.md/below.md", "topics/deep", "topics/deep/er"])
def test_a_file_cannot_stand_where_a_folder_does(path: str, store: Store) -> None:
    with pytest.raises(InvalidRequest) as caught:
        staged(store, {path: b"x"})
    assert caught.value.code is Code.INVALID_ARGUMENT


def test_a_file_cannot_stand_where_a_staged_folder_does(store: Store) -> None:
    with pytest.raises(InvalidRequest):
        staged(store, {"topics/x/y.md": b"y", "topics/x": b"x"})


@pytest.mark.parametrize("path", [".git/config", "topics/.GIT/x", "topics/../x.md", "topics//x.md", "topics/git~1/x"])
def test_names_that_git_forbids_are_refused(path: str, store: Store) -> None:
    with pytest.raises(Refused) as caught:
        staged(store, {path: b"x"}).build()
    assert caught.value.code is Code.PATH_OUTSIDE_WORKSPACE


def test_an_archive_that_grew_is_scanned_from_where_it_ended(store: Store) -> None:
    store.commit({ARCHIVE: archive("m1")})
    grown = staged(store, {ARCHIVE: archive("m2", before=archive("m1"))}).archive(ARCHIVE)
    assert grown is not None
    assert [record.handle for record in grown.records] == ["chat/t1/m1", "chat/t1/m2"]
    assert grown.defect is None
    first = store.tree.archive(ARCHIVE)
    assert first is not None
    assert grown.records[0] is first.records[0]  # not scanned again


# --- the index and the working directory ------------------------------------------------------------------------


def test_the_index_is_what_would_be_committed(store: Store, git: Git) -> None:
    store.write("topics/a.md", b"staged\n")
    store.write("topics/new.md", b"new\n")
    git(store.path, "add", "topics/a.md", "topics/new.md")
    git(store.path, "rm", "-q", "--cached", "topics/other.md")
    store.write("topics/a.md", b"not staged\n")
    tree = IndexTree(store.repo, store.tree)
    assert tree.read("topics/a.md") == b"staged\n"
    assert shown(tree.changes(store.tree)) == [
        ("topics/a.md", True, True),
        ("topics/new.md", False, True),
        ("topics/other.md", True, False),
    ]


def test_another_index_can_be_asked(store: Store) -> None:
    tree = IndexTree(store.repo, store.tree, store.path / "none")
    assert len(tree.changes(store.tree)) == len(ROOT)


def test_the_working_directory_shows_what_is_not_saved(store: Store) -> None:
    store.write("topics/a.md", b"typed\n")
    store.write("topics/new.md", b"new\n")
    (store.path / "topics/other.md").unlink()
    (store.path / "topics/link.md").symlink_to("a.md")
    store.write("ignored.md", b"x\n")
    (store.path / ".git/info").mkdir(exist_ok=True)
    (store.path / ".git/info/exclude").write_text("ignored.md\n", encoding="utf-8")
    tree = WorkdirTree(store.repo, store.tree)
    assert shown(tree.changes(store.tree)) == [
        ("topics/a.md", True, True),
        ("topics/link.md", False, True),
        ("topics/new.md", False, True),
        ("topics/other.md", True, False),
    ]
    assert tree.read("topics/a.md") == b"typed\n"
    assert tree.entry("topics/link.md") == Entry("topics/link.md", blob_id(b"a.md"), 0o120000)


def test_the_working_directory_is_compared_with_any_commit(store: Store) -> None:
    first = store.tree
    store.commit(CHANGE)
    assert WorkdirTree(store.repo, first).changes(first) == store.tree.changes(first)


def test_a_bare_repository_has_no_working_directory(bare: Store) -> None:
    with pytest.raises(Unavailable) as caught:
        WorkdirTree(bare.repo, bare.tree)
    assert caught.value.code is Code.STORAGE_UNAVAILABLE


# --- small parts ------------------------------------------------------------------------------------------------


def test_an_overlay_changes_nothing_below_it(store: Store) -> None:
    tree: Overlay[Tree] = Overlay(store.repo, store.tree)
    assert list(tree.entries()) == list(store.tree.entries())
    assert tree.changes(store.tree) == ()
    assert tree.topic("topics/a.md") is store.tree.topic("topics/a.md")


def test_what_was_used_longest_ago_is_forgotten_first() -> None:
    recent: Recent[int] = Recent(2)
    recent.put(("a", ""), 1)
    recent.put(("b", ""), 2)
    assert recent.get(("a", ""), lambda: 0) == 1
    recent.put(("c", ""), 3)
    assert recent.peek(("b", "")) is None
    assert recent.peek(("a", "")) == 1


def test_a_blob_id_is_gits(store: Store) -> None:
    commit = commit_object(store.repo, store.tip, {"topics/x.md": b"x\n"})
    entry = Snapshot.at(store.repo, commit).entry("topics/x.md")
    assert entry is not None
    assert entry.oid == blob_id(b"x\n")


def test_what_weighs_too_much_together_is_forgotten_but_for_the_last_two() -> None:
    recent: Recent[bytes] = Recent(4, len, 6)
    for name in ("a", "b", "c"):
        recent.put((name, ""), b"xx")
    recent.put(("b", ""), b"xxxx")
    assert [recent.peek((name, "")) for name in ("a", "b", "c")] == [None, b"xxxx", b"xx"]
    recent.put(("d", ""), b"x" * 100)
    assert [recent.peek((name, "")) for name in ("b", "c", "d")] == [None, b"xx", b"x" * 100]
    recent.put(("e", ""), b"")
    assert recent.peek(("d", "")) == b"x" * 100


def test_a_large_blob_is_read_once(store: Store) -> None:
    data = b"x" * LARGE
    commit = commit_object(store.repo, store.tip, {"topics/x.md": data})
    first, second = (Snapshot.at(store.repo, commit).read("topics/x.md") for _ in range(2))
    assert first == data
    assert second is first
