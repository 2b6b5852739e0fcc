"""Opening, finding and making repositories (``architecture.md`` sections 2 and 7; ``behaviours.md`` 7.17)."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from gitmem.errors import Code, Conflict, InvalidRequest, NotFound, Refused, Unavailable
from gitmem.ids import ZERO_OID, Oid
from gitmem.store.head import Branch, Head, read_head, writable_branch
from gitmem.store.initialize import init_repository
from gitmem.store.repository import discover, open_git, open_repository
from gitmem.store.snapshot import Snapshot
from stores import ROOT, Store, make_store, reopened

if TYPE_CHECKING:
    from running import Git


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


# --- init -------------------------------------------------------------------------------------------------------


def test_init_makes_a_private_repository_without_a_commit(tmp_path: Path, git: Git) -> None:
    repo, created = init_repository(tmp_path / "deep/memory", fsync=False)
    assert created
    assert git(repo.path, "symbolic-ref", "HEAD") == "refs/heads/main"
    assert writable_branch(repo, beginning=True) == Branch("refs/heads/main", ZERO_OID)
    assert git(repo.path, "status", "--porcelain") == ""
    modes = {mode(place) for place in repo.path.rglob("*") if place.is_dir()} | {mode(repo.path)}
    assert modes == {0o700}
    assert {mode(place) for place in repo.path.rglob("*") if place.is_file()} == {0o600}


def test_init_copies_no_template_of_the_user(tmp_path: Path, git: Git, monkeypatch: pytest.MonkeyPatch) -> None:
    template = tmp_path / "template"
    (template / "hooks").mkdir(parents=True)
    (template / "hooks/post-commit").touch(mode=0o755)
    monkeypatch.setenv("GIT_TEMPLATE_DIR", str(template))
    repo, _created = init_repository(tmp_path / "memory", fsync=False)
    assert not (repo.gitdir / "hooks/post-commit").exists()
    assert git(repo.path, "status", "--porcelain") == ""


def test_init_again_opens_what_is_there(store: Store, bare: Store) -> None:
    for existing in (store, bare):
        repo, created = init_repository(existing.path, fsync=False)
        assert not created
        assert writable_branch(repo).tip == existing.tip


def test_an_interrupted_init_is_taken_up(tmp_path: Path) -> None:
    init_repository(tmp_path / "memory", fsync=False)
    repo, created = init_repository(tmp_path / "memory", fsync=False)
    assert not created
    assert writable_branch(repo, beginning=True).tip == ZERO_OID
    assert discover(tmp_path / "memory", fsync=False).path == repo.path


@pytest.mark.parametrize("place", ["inside", "inside/deep", ".git/inside"])
def test_init_inside_a_larger_repository_is_refused(place: str, tmp_path: Path, git: Git) -> None:
    git(tmp_path, "init", "-q")
    with pytest.raises(Refused) as caught:
        init_repository(tmp_path / place, fsync=False)
    assert caught.value.code is Code.NESTED_REPOSITORY
    assert not (tmp_path / place).exists()


@pytest.mark.parametrize("commits", [False, True])
def test_init_on_a_repository_of_something_else_is_refused(commits: bool, tmp_path: Path, git: Git) -> None:
    git(tmp_path, "init", "-q")
    if commits:
        git(tmp_path, "commit", "-q", "--allow-empty", "-m", "code")
    with pytest.raises(Refused) as caught:
        init_repository(tmp_path, fsync=False)
    assert caught.value.code is Code.NESTED_REPOSITORY
    assert not (tmp_path / ".git/gitmem").exists()


def test_the_root_of_the_file_system_is_no_place_for_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pygit2.init_repository", None)  # whatever happens, nothing is made there
    with pytest.raises(InvalidRequest) as caught:
        init_repository(Path("/"), fsync=False)
    assert caught.value.code is Code.INVALID_ARGUMENT


def test_init_on_a_folder_with_files_keeps_them(tmp_path: Path) -> None:
    (tmp_path / "topics").mkdir()
    (tmp_path / "topics/a.md").write_bytes(b"mine\n")
    repo, created = init_repository(tmp_path, fsync=False)
    assert created
    assert (repo.path / "topics/a.md").read_bytes() == b"mine\n"


# --- open and discover ------------------------------------------------------------------------------------------


def test_a_workspace_is_found_from_any_folder_in_it(store: Store) -> None:
    assert discover(store.path / "topics/deep/er", fsync=False).path == store.path
    assert discover(store.path / "none/yet", fsync=False).path == store.path


def test_a_repository_without_memory_on_the_way_is_passed_by(store: Store, git: Git) -> None:
    (store.path / "code").mkdir()
    git(store.path / "code", "init", "-q")
    assert discover(store.path / "code", fsync=False).path == store.path


def test_outside_of_any_workspace_there_is_none(tmp_path: Path, git: Git) -> None:
    git(tmp_path, "init", "-q")
    for path in (tmp_path, tmp_path / "below"):
        with pytest.raises(NotFound) as caught:
            discover(path)
        assert caught.value.code is Code.WORKSPACE_NOT_FOUND
        with pytest.raises(NotFound):
            open_repository(path)
    assert not (tmp_path / ".git/gitmem").exists()


def test_a_bare_repository_is_opened_by_its_folder(bare: Store) -> None:
    repo = discover(bare.path / "refs", fsync=False)
    assert repo.is_bare
    assert repo.path == repo.gitdir == repo.common_dir == bare.path


def test_a_linked_worktree_shares_all_but_head_and_index(store: Store, git: Git, tmp_path: Path) -> None:
    git(store.path, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    repo = discover(tmp_path / "side/topics", fsync=False)
    assert repo.path == tmp_path / "side"
    assert repo.common_dir == store.repo.gitdir
    assert repo.gitdir == store.repo.gitdir / "worktrees/side"
    assert repo.worktree_name == "side"
    assert store.repo.worktree_name is None


def test_a_readable_workspace_is_closed_when_it_is_opened(store: Store) -> None:
    store.path.chmod(0o755)
    (store.path / ".git/gitmem").chmod(0o750)
    open_repository(store.path, fsync=False)
    assert mode(store.path) == 0o700  # behaviours.md 7.17
    assert mode(store.path / ".git/gitmem") == 0o700


def test_a_workspace_reached_through_a_link_is_closed_too(store: Store, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(store.path)
    store.path.chmod(0o755)
    open_repository(tmp_path / "link", fsync=False)
    assert mode(store.path) == 0o700


def test_a_clone_is_a_workspace_with_runtime_state_of_its_own(store: Store, git: Git, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", str(store.path), "clone")
    clone = reopened(tmp_path / "clone")
    assert clone.tip == store.tip
    assert mode(clone.repo.gitmem_dir) == 0o700


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ("\tobjectFormat = sha256", "SHA-256"),
        ("\trefStorage = reftable", "reftable"),
        ("\tsomething = new", "extension"),
    ],
)
def test_formats_that_gitmem_cannot_read_are_said_plainly(settings: str, says: str, store: Store) -> None:
    config = store.path / ".git/config"
    text = config.read_text("utf-8").replace("repositoryformatversion = 0", "repositoryformatversion = 1")
    config.write_text(f"{text}\n[extensions]\n{settings}\n", encoding="utf-8")
    with pytest.raises(Unavailable, match=says) as caught:
        open_repository(store.path)
    assert caught.value.code is Code.STORAGE_UNAVAILABLE


def test_a_repository_of_another_format_on_the_way_is_passed_by(store: Store, git: Git) -> None:
    code = store.path / "code"
    code.mkdir()
    git(code, "init", "-q", "--object-format=sha256")
    assert discover(code, fsync=False).path == store.path
    (code / ".gitmem").touch()  # it is a workspace, then
    with pytest.raises(Unavailable, match="SHA-256"):
        discover(code)


def test_what_is_being_pushed_is_read_from_its_own_folder(store: Store, git: Git, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", str(store.path), "clone")
    other = reopened(tmp_path / "clone")
    pushed = other.commit({"topics/a.md": b"pushed\n"}).tip
    with pytest.raises(NotFound):
        Snapshot.at(store.repo, pushed)
    store.repo.read_also(other.path / ".git/objects")
    assert Snapshot.at(store.repo, pushed).read("topics/a.md") == b"pushed\n"


def test_a_workspace_that_may_not_be_changed_can_be_read(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_: object, **__: object) -> None:
        raise PermissionError

    store.path.chmod(0o755)
    monkeypatch.setattr("pathlib.Path.chmod", forbidden)
    assert open_repository(store.path, fsync=False).path == store.path


def test_a_bare_repository_of_another_format_is_said_plainly(bare: Store) -> None:
    config = bare.path / "config"
    config.write_text("[core]\nrepositoryformatversion = 1\n[extensions]\nobjectformat = sha256\n", encoding="utf-8")
    with pytest.raises(Unavailable, match="SHA-256"):
        open_git(bare.path)


# --- HEAD -------------------------------------------------------------------------------------------------------


def busy(store: Store) -> str:
    with pytest.raises(Conflict) as caught:
        writable_branch(store.repo.fresh())
    assert caught.value.code is Code.REPOSITORY_BUSY
    assert caught.value.retryable
    return caught.value.message


def test_a_detached_head_is_busy(store: Store, git: Git) -> None:
    git(store.path, "switch", "-q", "--detach")
    assert "detached" in busy(store)
    assert read_head(store.repo) == Head(None, Oid(git(store.path, "rev-parse", "HEAD")))


@pytest.mark.parametrize(
    ("leaves", "does"),
    [
        ("MERGE_HEAD", "merge"),
        ("CHERRY_PICK_HEAD", "cherrypick"),
        ("REVERT_HEAD", "revert"),
        ("BISECT_LOG", "bisect"),
        ("rebase-merge/interactive", "rebase"),
        ("rebase-apply/applying", "mailbox"),
    ],
)
def test_what_git_has_not_finished_is_busy(leaves: str, does: str, store: Store) -> None:
    marker, tip = store.path / ".git" / leaves, store.tip
    marker.parent.mkdir(exist_ok=True)
    marker.write_text(f"{tip}\n", encoding="ascii")
    assert does in busy(store)


@pytest.mark.parametrize("named", ["1" * 40, "no commit", ""])
def test_a_merge_with_what_is_no_commit_is_busy(named: str, store: Store) -> None:
    (store.path / ".git" / "MERGE_HEAD").write_bytes(named.encode() + b"\xff\n")
    assert "merge" in busy(store)


def test_a_branch_checked_out_in_another_worktree_is_busy(store: Store, git: Git, tmp_path: Path) -> None:
    git(store.path, "worktree", "add", "-q", "-f", str(tmp_path / "twin"), "main")
    assert "another worktree" in busy(store)
    assert "another worktree" in busy(reopened(tmp_path / "twin"))
    git(tmp_path / "twin", "switch", "-qc", "side")
    assert writable_branch(store.repo.fresh()).name == "refs/heads/main"
    assert writable_branch(reopened(tmp_path / "twin").repo).name == "refs/heads/side"


def test_the_head_of_a_bare_repository_does_not_occupy_its_branch(bare: Store, git: Git, tmp_path: Path) -> None:
    git(bare.path, "worktree", "add", "-q", "-f", str(tmp_path / "tree"), "main")
    assert writable_branch(reopened(tmp_path / "tree").repo).name == "refs/heads/main"


def test_a_worktree_whose_folder_is_gone_does_not_matter(store: Store, git: Git, tmp_path: Path) -> None:
    git(store.path, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    os.replace(store.path / ".git/worktrees/side/HEAD", store.path / ".git/worktrees/side/gone")  # noqa: PTH105
    assert writable_branch(store.repo.fresh()).tip == store.tip


def test_a_repository_whose_first_commit_lacks_the_workspace_file_holds_no_memory(tmp_path: Path) -> None:
    store = make_store(tmp_path / "memory", {path: data for path, data in ROOT.items() if path != ".gitmem"})
    with pytest.raises(NotFound):
        open_repository(store.path)
