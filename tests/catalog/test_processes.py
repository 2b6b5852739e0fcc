"""One catalogue, several processes and worktrees, over a real repository (``architecture.md`` section 4)."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from catalogues import HANDLES, frame, now, told
from gitmem.catalog.catalog import Catalog
from gitmem.catalog.commits import RepositoryCommits
from gitmem.errors import NotFound
from gitmem.format.frame import HEADER
from gitmem.ids import ZERO_OID, Oid
from gitmem.request import Person
from gitmem.store.commits import Stamp, create_commit
from gitmem.store.initialize import init_repository
from gitmem.store.repository import open_repository
from gitmem.store.snapshot import Snapshot
from gitmem.store.staging import Staging

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from conftest import Git
    from gitmem.store.repository import Repo

FOLLOW = """
import sys
from pathlib import Path
from gitmem.catalog.catalog import Catalog
from gitmem.store.repository import open_repository

catalog = Catalog.open(open_repository(Path(sys.argv[1]), fsync=False))
for commit in sys.argv[2:]:
    catalog.refresh(commit)
    print(commit, catalog.statistics().blocks, len(list(catalog.facts().links())), catalog.facts().created_count())
"""


def topic(number: int, blocks: int) -> bytes:
    link = f"[next](t{number + 1}.md#^b{number + 1}x0)"
    paragraphs = [f"Tea {n} {link}.[^e-1] ^b{number}x{n}\n\n" for n in range(blocks)]
    return f"# T{number}\n\n{''.join(paragraphs)}[^e-1]: Time: `2024`; Sources: chat/t/m1\n".encode()


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return init_repository(tmp_path / "memory", fsync=False)[0]


def commit(repo: Repo, files: Mapping[str, bytes | None], *parents: Oid) -> Oid:
    staging = Staging(repo, Snapshot.at(repo, parents[0]) if parents else Snapshot(repo))
    for path, data in files.items():
        if data is None:
            staging.delete(path)
        else:
            staging.write(path, data)
    stamp = Stamp(Person("Test", "test@example.invalid"), 1_700_000_000)
    return create_commit(repo, tree=staging.build(), parents=parents, message="x", author=stamp)


@pytest.fixture
def line(repo: Repo) -> list[Oid]:
    """Ten commits: each adds a topic of three blocks and an archived message."""
    made: list[Oid] = []
    frames = [frame(f"chat/t/m{n}", f"tea {n}") for n in range(10)]
    for number in range(10):
        files = {
            ".gitmem": b"[gitmem]\n",
            f"topics/t{number}.md": topic(number, 3),
            "sources/chat/_v2/t.md": HEADER + b"".join(frames[: number + 1]),
        }
        made.append(commit(repo, files, *made[-1:]))
    return made


def follow(repo: Repo, commits: list[Oid]) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", FOLLOW, repo.path, *commits], stdout=subprocess.PIPE, text=True)


def said(process: subprocess.Popen[str]) -> list[str]:
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    return out.splitlines()


def expected(commits: list[Oid], line: list[Oid]) -> list[str]:
    return [
        f"{oid} {3 * (line.index(oid) + 1)} {3 * (line.index(oid) + 1)} {3 * (line.index(oid) + 1)}" for oid in commits
    ]


def test_processes_that_build_and_move_it_at_once_all_answer_rightly(repo: Repo, line: list[Oid]) -> None:
    walks = [line, line[::-1], [line[4], line[9], line[0]] * 3]
    processes = [follow(repo, walk) for walk in walks]
    assert [said(process) for process in processes] == [expected(walk, line) for walk in walks]


def test_a_reader_sees_one_state_while_another_process_moves_on(repo: Repo, line: list[Oid]) -> None:
    reader = Catalog.open(repo)
    reader.refresh(line[3])
    before = told(now(reader))
    assert said(follow(repo, [line[9]])) == expected([line[9]], line)
    assert told(now(reader)) == before
    reader.refresh(line[9])
    assert reader.statistics().blocks == 30
    reader.close()


def test_columns_follow_what_other_processes_wrote(repo: Repo, line: list[Oid]) -> None:
    reader = Catalog.open(repo)
    reader.refresh(line[3])
    assert sum(map(bool, reader.corpus().columns().kinds)) == 16
    assert said(follow(repo, [line[9]])) == expected([line[9]], line)
    reader.refresh(line[9])
    assert sum(map(bool, reader.corpus().columns().kinds)) == 40
    reader.close()


def test_each_worktree_has_its_own_file(repo: Repo, line: list[Oid], tmp_path: Path, git: Git) -> None:
    git(repo.path, "update-ref", "refs/heads/main", line[9])
    git(repo.path, "worktree", "add", "-q", "-b", "other", tmp_path / "linked", line[2])
    catalogs = [Catalog.open(repo), Catalog.open(open_repository(tmp_path / "linked"))]
    for catalog, tip in zip(catalogs, (line[9], line[2]), strict=True):
        catalog.refresh(tip)
    assert [catalog.statistics().topics for catalog in catalogs] == [10, 3]
    assert {path.name for path in repo.gitmem_dir.glob("*.sqlite")} == {"index.sqlite", "index-linked.sqlite"}
    for catalog in catalogs:
        catalog.close()


def test_a_file_of_another_workspace_brings_nothing_in(repo: Repo, line: list[Oid], tmp_path: Path) -> None:
    catalog = Catalog.open(repo)
    catalog.refresh(line[9])
    catalog.close()
    other = init_repository(tmp_path / "other", fsync=False)[0]
    tip = commit(other, {"topics/t1.md": topic(1, 2), "sources/chat/_v2/u.md": HEADER + frame(HANDLES[3], "u")})
    copied = (repo.gitmem_dir / "index.sqlite").read_bytes()
    (other.gitmem_dir / "index.sqlite").write_bytes(copied)
    mixed, clean = Catalog.open(other), Catalog(RepositoryCommits(other), None)
    for each in (mixed, clean):
        each.refresh(tip)
    assert told(now(mixed)) == told(now(clean))
    assert mixed.statistics() == clean.statistics()
    mixed.close()


def test_a_runtime_folder_that_cannot_be_made_is_no_obstacle(repo: Repo, line: list[Oid]) -> None:
    for path in repo.gitmem_dir.iterdir():
        path.unlink()
    repo.gitmem_dir.rmdir()
    repo.gitmem_dir.write_bytes(b"a file stands in the way")
    catalog = Catalog.open(repo)
    catalog.refresh(line[9])
    assert catalog.statistics().blocks == 30


def test_commits_of_the_repository(repo: Repo, line: list[Oid]) -> None:
    commits = RepositoryCommits(repo)
    assert commits.parents(line[1]) == (line[0],)
    assert commits.parents(Oid("f" * 40)) is None
    assert list(commits.tree(ZERO_OID).entries()) == []
    with pytest.raises(NotFound):
        commits.tree(Oid("f" * 40))
