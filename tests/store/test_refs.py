"""Refs move only from a stated old value (``architecture.md`` 7); notes, autosaves and revisions stand on them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING

import pytest

from gitmem.errors import Code, Conflict, NotFound
from gitmem.format.layout import NOTES_REF
from gitmem.ids import ZERO_OID, Oid
from gitmem.request import Person
from gitmem.store.commits import GITMEM, Stamp, create_commit, read_commit
from gitmem.store.left_alone import change_bases, read_bases, save_rescue
from gitmem.store.lock import write_lock
from gitmem.store.notes import Notes, read_note
from gitmem.store.refs import (
    Ref,
    RefMove,
    autosaves,
    create_autosave,
    first_parents,
    is_ancestor,
    list_refs,
    made_at,
    move_ref,
    move_refs,
    read_ref,
    rescues,
    resolve,
)
from gitmem.store.revision import derived_fresh, is_derive_commit, memory_at, revision_of
from gitmem.store.snapshot import EMPTY_TREE
from stores import AUTHOR, CHANGE, Store, append_commits, commit_object, create_refs, publish_many, reopened

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.context import ForkServerContext

    from running import Git

REF = "refs/gitmem/sessions/chat/t1/main"
NOON = datetime(2026, 8, 9, 12, tzinfo=UTC)


def other(store: Store, text: str = "x") -> Oid:
    return commit_object(store.repo, store.tip, {"topics/other.md": text.encode()})


# --- compare and swap -------------------------------------------------------------------------------------------


def test_a_ref_is_made_moved_and_deleted(store: Store) -> None:
    one, two = store.tip, other(store)
    move_ref(store.repo, RefMove(REF, None, one))
    assert read_ref(store.repo, REF) == one
    move_ref(store.repo, RefMove(REF, one, two))
    assert read_ref(store.repo, REF) == two
    move_ref(store.repo, RefMove(REF, two, None))
    assert read_ref(store.repo, REF) is None
    move_ref(store.repo, RefMove(REF, None, None))


@pytest.mark.parametrize("old", [None, Oid("1" * 40)])
def test_a_ref_that_has_another_value_stays(old: Oid | None, store: Store) -> None:
    move_ref(store.repo, RefMove(REF, None, store.tip))
    with pytest.raises(Conflict) as caught:
        move_ref(store.repo, RefMove(REF, old, other(store)))
    assert caught.value.code is Code.CONCURRENT_UPDATE
    assert read_ref(store.repo, REF) == store.tip


def test_a_ref_that_is_gone_does_not_move(store: Store) -> None:
    with pytest.raises(Conflict):
        move_ref(store.repo, RefMove(REF, store.tip, other(store)))


def test_a_ref_whose_lock_somebody_holds_is_a_conflict(store: Store) -> None:
    (store.path / ".git/refs/heads/main.lock").touch()
    with pytest.raises(Conflict):
        move_ref(store.repo, RefMove("refs/heads/main", store.tip, other(store)))


def test_each_ref_of_a_batch_moves_by_itself(store: Store) -> None:
    good, bad = RefMove(REF, None, store.tip), RefMove(f"{REF}2", Oid("1" * 40), store.tip)
    assert move_refs(store.repo, [bad, good]) == (bad.name,)
    assert [ref.name for ref in list_refs(store.repo, "refs/gitmem/sessions/")] == [REF]


def test_racing_processes_lose_no_update(store: Store, processes: ForkServerContext, git: Git) -> None:
    racers = [processes.Process(target=append_commits, args=(str(store.path), REF, 25)) for _ in range(4)]
    for racer in racers:
        racer.start()
    for racer in racers:
        racer.join(120)
    assert [racer.exitcode for racer in racers] == [0] * 4
    assert git(store.path, "rev-list", "--count", REF) == "100"


def test_one_of_many_creators_wins(store: Store, processes: ForkServerContext) -> None:
    rivals, start = 4, processes.Barrier(4)
    won = processes.Queue()
    racers = [processes.Process(target=create_refs, args=(str(store.path), 40, start, won)) for _ in range(rivals)]
    for racer in racers:
        racer.start()
    assert sum(won.get(timeout=120) for _ in racers) == 40
    for racer in racers:
        racer.join()


@pytest.mark.parametrize("name", ["refs/gitmem/x", "refs/gitmem/x/y/z"])
@pytest.mark.parametrize("packed", [False, True])
def test_a_ref_cannot_be_a_folder_of_another(name: str, packed: bool, store: Store, git: Git) -> None:
    move_ref(store.repo, RefMove("refs/gitmem/x/y", None, store.tip))
    if packed:
        git(store.path, "pack-refs", "--all")
    with pytest.raises(Conflict):
        move_ref(store.repo.fresh(), RefMove(name, None, store.tip))
    assert list(store.path.rglob("*.lock")) == [store.path / ".git/gitmem/write.lock"]
    assert git(store.path, "for-each-ref", "--format=%(refname)", "refs/gitmem") == "refs/gitmem/x/y"


def test_racing_writers_publish_everything(store: Store, processes: ForkServerContext, git: Git) -> None:
    writers = [processes.Process(target=publish_many, args=(str(store.path), f"w{n}", 6)) for n in range(3)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(120)
    assert [writer.exitcode for writer in writers] == [0] * 3
    assert len([name for name in store.tree.names("topics") if name.startswith("w")]) == 18
    assert git(store.path, "status", "--porcelain") == ""
    assert git(store.path, "fsck", "--strict", "--no-dangling") == ""


# --- listing ----------------------------------------------------------------------------------------------------


def test_loose_and_packed_refs_are_listed_alike(store: Store, git: Git) -> None:
    for name in ("refs/gitmem/x/b", "refs/gitmem/x/a/c", "refs/gitmem/xy"):
        move_ref(store.repo, RefMove(name, None, store.tip))
    git(store.path, "pack-refs", "--all")
    move_ref(store.repo.fresh(), RefMove("refs/gitmem/x/b", store.tip, newer := other(store)))
    (store.path / ".git/refs/gitmem/x/z.lock").touch()
    assert list_refs(store.repo, "refs/gitmem/x/") == (
        Ref("refs/gitmem/x/a/c", store.tip),
        Ref("refs/gitmem/x/b", newer),
    )
    assert list_refs(store.repo, "refs/gitmem/none/") == ()


def test_autosaves_are_numbered_and_the_newest_comes_first(store: Store) -> None:
    names = [create_autosave(store.repo, store.tip, at=NOON) for _ in range(11)]
    late = create_autosave(
        store.repo, store.tip, at=(NOON + timedelta(seconds=1)).astimezone(timezone(timedelta(hours=8)))
    )
    move_ref(store.repo, RefMove("refs/gitmem/autosave/by-hand", None, store.tip))
    assert names[0] == "refs/gitmem/autosave/20260809T120000Z-1"
    assert [ref.name for ref in autosaves(store.repo)] == [late, *reversed(names)]
    assert made_at(autosaves(store.repo)[0]) == NOON + timedelta(seconds=1)
    with pytest.raises(ValueError, match="main"):
        made_at(Ref("refs/heads/main", store.tip))


# --- revisions --------------------------------------------------------------------------------------------------


def test_revisions_are_whatever_git_accepts(store: Store, git: Git) -> None:
    first = store.tip
    store.commit(CHANGE)
    git(store.path, "tag", "-a", "-m", "tag", "v1", "HEAD~1")
    for spec in ("HEAD~1", "main^", "v1", first, first[:8], "v1^{commit}"):
        assert resolve(store.repo, spec) == first


@pytest.mark.parametrize("spec", ["none", "HEAD~9", "HEAD:core.md", "", "HEAD..main", "2026-08-09", "^"])
def test_what_names_no_commit_is_not_found(spec: str, store: Store) -> None:
    with pytest.raises(NotFound) as caught:
        resolve(store.repo, spec)
    assert caught.value.code is Code.REVISION_NOT_FOUND


def test_ancestors_include_the_commit_itself(store: Store) -> None:
    first = store.tip
    second = store.commit(CHANGE).tip
    assert is_ancestor(store.repo, first, second)
    assert is_ancestor(store.repo, first, first)
    assert not is_ancestor(store.repo, second, first)
    assert not is_ancestor(store.repo, Oid("1" * 40), first)
    assert not is_ancestor(store.repo, first, Oid("1" * 40))


def test_first_parents_are_walked_newest_first(store: Store, git: Git) -> None:
    git(store.path, "switch", "-qc", "aside")
    store.commit({"topics/aside.md": b"a\n"})
    git(store.path, "switch", "-q", "main")
    store.commit(CHANGE)
    git(store.path, "merge", "-q", "-m", "merge", "aside")
    walked = [passed.oid for passed in first_parents(store.repo, store.tip)]
    assert walked == git(store.path, "rev-list", "--first-parent", "HEAD").splitlines()
    assert list(first_parents(store.repo, ZERO_OID)) == []


def test_the_tree_tells_memory_commits_from_derive_commits(store: Store) -> None:
    root = store.tip
    memory = store.commit({"topics/a.md": b"m\n"}).tip
    assert not derived_fresh(store.repo, memory)
    derive = store.commit({"core.md": b"d\n", "timeline/2024.md": b"d\n"}).tip
    empty = store.commit({}).tip
    both = commit_object(store.repo, empty, {"core.md": b"x\n", "topics/a.md": b"x\n"})
    told = {oid: is_derive_commit(store.repo, oid) for oid in (root, memory, derive, empty, both)}
    assert told == {root: False, memory: False, derive: True, empty: True, both: False}
    assert Oid(revision_of(store.repo, empty)) == memory
    assert Oid(revision_of(store.repo, root)) == root
    assert Oid(revision_of(store.repo, ZERO_OID)) == ZERO_OID
    assert derived_fresh(store.repo, empty)
    assert not derived_fresh(store.repo, ZERO_OID)
    assert memory_at(store.repo, empty).commit == memory


def test_a_file_in_the_place_of_a_folder_of_views_is_memory(store: Store) -> None:
    file = store.commit({"timeline": b"mine\n"}).tip
    assert not is_derive_commit(store.repo, file)
    folder = store.commit({"timeline": None, "timeline/2024.md": b"d\n"}).tip
    assert not is_derive_commit(store.repo, folder)
    assert is_derive_commit(store.repo, store.commit({"timeline/2024.md": None, "timeline/2025.md": b"d\n"}).tip)
    assert not is_derive_commit(store.repo, store.commit({"core.shared.md/x": b"x\n"}).tip)


def test_a_merge_is_memory_whatever_it_changes(store: Store, git: Git) -> None:
    git(store.path, "switch", "-qc", "aside")
    store.commit({"core.md": b"d\n"})
    git(store.path, "switch", "-q", "main")
    git(store.path, "merge", "-q", "--no-ff", "-m", "merge", "aside")
    assert not is_derive_commit(store.repo, store.tip)


def test_where_a_shallow_history_ends_is_memory(
    store: Store, git: Git, tmp_path_factory: pytest.TempPathFactory
) -> None:
    store.commit({"core.md": b"d\n"})
    place = tmp_path_factory.mktemp("shallow")
    git(place, "clone", "-q", "--depth", "1", f"file://{store.path}", "clone")
    clone = reopened(place / "clone")
    assert Oid(revision_of(clone.repo, clone.tip)) == clone.tip
    assert not is_derive_commit(clone.repo, clone.tip)


# --- notes ------------------------------------------------------------------------------------------------------


def test_notes_are_gits_own(store: Store, git: Git) -> None:
    assert Notes(store.repo).change([store.tip], lambda _oid, old: f"{old}w-1 {ZERO_OID}\n")
    assert git(store.path, "notes", "--ref", NOTES_REF, "show", store.tip) == f"w-1 {ZERO_OID}"
    assert git(store.path, "ls-tree", "-r", "--name-only", NOTES_REF) == f"{store.tip[:2]}/{store.tip[2:]}"
    assert read_note(store.repo, store.tip) == f"w-1 {ZERO_OID}\n"
    assert read_note(store.repo, Oid("1" * 40)) == ""


@pytest.mark.parametrize("depth", [0, 1, 2, 3])
def test_notes_that_git_wrote_at_any_depth_are_read_and_move(depth: int, store: Store, git: Git) -> None:
    tip = store.tip
    place = "/".join([*(tip[2 * n : 2 * n + 2] for n in range(depth)), tip[2 * depth :]])
    made = commit_object(store.repo, ZERO_OID, {place: b"old\n"})
    git(store.path, "update-ref", NOTES_REF, made)
    notes = Notes(store.repo)
    assert notes.read(tip) == "old\n"
    notes.change([tip], lambda _oid, old: f"{old}new\n")
    assert git(store.path, "notes", "--ref", NOTES_REF, "show", tip) == "old\nnew"
    assert git(store.path, "ls-tree", "-r", "--name-only", NOTES_REF) == f"{tip[:2]}/{tip[2:]}"


def test_a_batch_of_notes_is_one_commit(store: Store, git: Git) -> None:
    targets = [Oid(f"{n:040x}") for n in range(300)]
    notes = Notes(store.repo)
    assert notes.change(targets, lambda oid, _old: oid)
    assert not notes.change(targets, lambda _oid, old: old)
    assert notes.change(targets[:2], lambda _oid, _old: "")
    assert git(store.path, "rev-list", "--count", NOTES_REF) == "2"
    assert Notes(store.repo).read(targets[1]) == ""
    assert Notes(store.repo).read(targets[2]) == targets[2]


def test_notes_that_somebody_else_changed_are_a_conflict(store: Store) -> None:
    mine, theirs = Notes(store.repo), Notes(store.repo.fresh())
    theirs.change([store.tip], lambda *_: "theirs")
    with pytest.raises(Conflict) as caught:
        mine.change([store.tip], lambda *_: "mine")
    assert caught.value.code is Code.CONCURRENT_UPDATE
    assert read_note(store.repo, store.tip) == "theirs"


# --- what was being edited --------------------------------------------------------------------------------------


def test_rescued_text_is_a_plain_commit(store: Store, git: Git) -> None:
    name = save_rescue(store.repo, {"topics/a.md": b"typed\n"}, "why")
    assert [ref.name for ref in rescues(store.repo)] == [name]
    assert git(store.path, "show", f"{name}:topics/a.md") == "typed"
    assert save_rescue(store.repo, {}, "why") is None
    assert save_rescue(store.repo, {"topics/a.md": b"typed\n"}, "again") == name
    assert save_rescue(store.repo, {"topics/a.md": b"more\n"}, "again") != name


def test_bases_are_recorded_and_forgotten(store: Store) -> None:
    change_bases(store.repo, {"topics/a.md": b"a\n", "topics/b.md": b"b\n"})
    assert sorted(read_bases(store.repo)) == ["topics/a.md", "topics/b.md"]
    change_bases(store.repo, {"topics/a.md": None})
    assert sorted(read_bases(store.repo)) == ["topics/b.md"]
    change_bases(store.repo, {"topics/b.md": None, "topics/none.md": None})
    assert read_ref(store.repo, "refs/worktree/gitmem/bases") is None
    change_bases(store.repo, {"topics/none.md": None})
    assert read_bases(store.repo) == {}


# --- commits ----------------------------------------------------------------------------------------------------


def test_a_commit_is_read_back_as_it_was_made(store: Store) -> None:
    author = Stamp.at(Person("Ada <x>\n", ""), datetime(2026, 8, 9, 10, tzinfo=timezone(timedelta(hours=8))))
    oid = create_commit(store.repo, tree=EMPTY_TREE, parents=(store.tip,), message="subject\n\nbody\n", author=author)
    found = read_commit(store.repo, oid)
    assert found is not None
    assert found.author == Stamp(Person("Ada x", "unknown"), 1786240800, 480)
    assert found.committer == Stamp(GITMEM, 1786240800, 480)
    assert (found.parents, found.message, found.tree) == ((store.tip,), "subject\n\nbody\n", EMPTY_TREE)
    assert read_commit(store.repo, EMPTY_TREE) is None
    assert Stamp.at(GITMEM, datetime.fromtimestamp(5)).offset == 0  # noqa: DTZ006 - a moment without a zone


def test_the_same_commit_has_the_same_id_everywhere(store: Store) -> None:
    made = {create_commit(store.repo, tree=EMPTY_TREE, parents=(), message="m\n", author=AUTHOR) for _ in range(2)}
    assert len(made) == 1


# --- the lock ---------------------------------------------------------------------------------------------------


def test_the_lock_is_reentrant_in_a_thread_and_exclusive_between_them(store: Store) -> None:
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - here only

    def enter(timeout: float) -> str:
        with write_lock(store.repo.fresh(), timeout):
            return "in"

    with ThreadPoolExecutor(1) as pool:
        with write_lock(store.repo, 1), write_lock(store.repo.fresh(), 1), pytest.raises(Conflict) as caught:
            pool.submit(enter, 0.02).result()
        assert caught.value.code is Code.CONCURRENT_UPDATE
        assert pool.submit(enter, 5).result() == "in"  # behaviours.md 3.13, 3.14
    assert (store.path / ".git/gitmem/write.lock").stat().st_mode & 0o777 == 0o600


def test_a_dead_holder_does_not_block(store: Store, in_process: Callable[..., int | None]) -> None:
    from stores import commit_and_die  # noqa: PLC0415 - here only

    in_process(commit_and_die, str(store.path), "before-flush", "kill")
    with write_lock(store.repo, 0):
        pass
