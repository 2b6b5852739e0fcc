"""What becomes of the catalogue when its file is missing, damaged, of another version, or cannot be written."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from catalogues import HANDLES, MemoryCommits, built, frame, now, told
from gitmem.catalog import database as module
from gitmem.catalog.catalog import Catalog
from gitmem.catalog.database import Damaged, Database, ReadOnly, wipe
from gitmem.catalog.schema import VERSION
from gitmem.errors import Code, Unavailable
from gitmem.format.frame import HEADER

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from gitmem.ids import Oid

PAGE = 4096
HOLD_OPEN = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
print(connection.execute("SELECT count(*) FROM claim").fetchone(), flush=True)
input()
"""


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE_SECONDS", 1)


@pytest.fixture
def tip(commits: MemoryCommits) -> Oid:
    files = {"sources/chat/_v2/t.md": HEADER + b"".join(frame(handle, "tea") for handle in HANDLES[:3])}
    files |= {f"topics/{n}.md": f"# T\n\nTea {n}.[^e-1] ^a{n}\n\n[^e-1]: Time: `2024`\n".encode() for n in range(40)}
    return commits.add(files)


@pytest.fixture
def path(tmp_path: Path, commits: MemoryCommits, tip: Oid) -> Path:
    """A catalogue's file, at the tip, with nothing left in its log."""
    path = tmp_path / "index.sqlite"
    catalog = Catalog(commits, path)
    catalog.refresh(tip)
    catalog.close()
    return path


def gone(path: Path) -> None:
    path.unlink()


def empty(path: Path) -> None:
    path.write_bytes(b"")


def no_database(path: Path) -> None:
    path.write_bytes(b"This is no database. " * 1000)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: 3 * PAGE + 100])


def page_lost(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[PAGE:] = b"\xa5" * (len(data) - PAGE)
    path.write_bytes(data)


def another_version(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")


def tables_lost(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TABLE claim")


def other_terms(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE meta SET value = 1 WHERE name = 'terms'")
        connection.execute("DELETE FROM posting")
        connection.commit()


@pytest.mark.parametrize("harm", [gone, empty, no_database, cut, page_lost, another_version, tables_lost, other_terms])
def test_a_useless_file_is_built_again(
    harm: Callable[[Path], None], path: Path, commits: MemoryCommits, tip: Oid
) -> None:  # behaviours.md 16.6
    harm(path)
    catalog = Catalog(commits, path)
    catalog.refresh(tip)
    assert told(now(catalog)) == told(now(built(commits, tip)))
    catalog.close()
    with closing(Database(path)) as database:  # on disk, not in memory
        assert database.rows("SELECT oid FROM chain") == [(tip,)]


def test_damage_found_while_reading_is_mended(path: Path, commits: MemoryCommits, tip: Oid) -> None:
    catalog = Catalog(commits, path)
    catalog.refresh(tip)
    facts, corpus = catalog.facts(), catalog.corpus()
    before = facts.claims("a7")
    page_lost(path)
    catalog._database._connection.execute("PRAGMA shrink_memory")
    assert facts.claims("a7") == before
    assert len(corpus.documents(range(100))) == 43


def test_while_others_have_a_damaged_file_open_this_process_does_without(
    path: Path, commits: MemoryCommits, tip: Oid
) -> None:
    command = [sys.executable, "-c", HOLD_OPEN, path]
    other = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    with other, other.stdin, other.stdout:
        other.stdout.readline()
        page_lost(path)
        damaged = path.read_bytes()
        catalog = Catalog(commits, path)
        catalog.refresh(tip)
        assert told(now(catalog)) == told(now(built(commits, tip)))
        assert path.read_bytes() == damaged
        other.stdin.close()


def test_a_file_in_use_by_this_process_is_not_wiped(path: Path) -> None:
    with closing(Database(path)) as database:
        assert not wipe(path)
        assert database.rows("SELECT count(*) FROM claim") == [(40,)]
    assert wipe(path)
    assert path.read_bytes() == b""
    assert not wipe(path.with_name("missing"))


def test_the_file_is_its_owners_alone(path: Path, commits: MemoryCommits, tip: Oid) -> None:  # behaviours.md 0.24
    catalog = Catalog(commits, path)
    catalog.refresh(tip)
    modes = {file.stat().st_mode & 0o777 for file in path.parent.iterdir()}
    assert modes == {0o600}


def test_where_nothing_can_be_written_it_is_kept_in_memory(tmp_path: Path, commits: MemoryCommits, tip: Oid) -> None:
    missing = tmp_path / "no" / "folder" / "index.sqlite"
    catalog = Catalog(commits, missing)
    catalog.refresh(tip)
    assert told(now(catalog)) == told(now(built(commits, tip)))
    assert not missing.parent.exists()


def test_a_file_that_cannot_be_written_is_left_alone(
    path: Path, commits: MemoryCommits, tip: Oid, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect = sqlite3.connect

    def read_only(file: object, **settings: object) -> sqlite3.Connection:
        return connect(file if file == ":memory:" else f"file:{file}?mode=ro", uri=True, **settings)

    monkeypatch.setattr(module.sqlite3, "connect", read_only)
    later = commits.add({"topics/z.md": b"# Z\n"}, tip)
    catalog = Catalog(commits, path)
    catalog.refresh(later)
    assert catalog.statistics().topics == 1
    with closing(connect(path)) as other:
        assert other.execute("SELECT oid FROM chain").fetchall() == [(tip,)]


def test_a_full_disk_is_an_error_and_never_an_empty_answer(path: Path, commits: MemoryCommits, tip: Oid) -> None:
    catalog = Catalog(commits, path)
    catalog.refresh(tip)
    catalog._database.rows("PRAGMA max_page_count = 1")
    words = " ".join(f"word{n}" for n in range(5000))
    big = {f"topics/{n}.md": f"# T\n\n{words} {n}.[^e-1] ^b{n}\n\n[^e-1]: Time: `2024`\n".encode() for n in range(20)}
    with pytest.raises(Unavailable) as caught:
        catalog.refresh(commits.add(big, tip))
    assert caught.value.code is Code.STORAGE_UNAVAILABLE
    with pytest.raises(RuntimeError):
        catalog.facts()


def test_a_writer_that_never_ends_is_an_error(path: Path, commits: MemoryCommits, tip: Oid) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Unavailable) as caught:
            Catalog(commits, path).refresh(commits.add({}, tip))
    assert caught.value.code is Code.STORAGE_UNAVAILABLE


def test_failures_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(ReadOnly):
        Database(tmp_path / "folder")
    with closing(Database(None)) as database:
        with pytest.raises(Damaged):
            database.rows("SELECT nothing FROM nowhere")
        with pytest.raises(Damaged):
            database.number("SELECT 1 FROM meta WHERE name = 'nothing'")
        database.many("no statement at all", [])


def test_what_fails_half_way_is_undone(path: Path) -> None:
    with closing(Database(path)) as database:
        with pytest.raises(Damaged):
            _empty_and_fail(database)
        assert database.number("SELECT count(*) FROM claim") == 40


def _empty_and_fail(database: Database) -> None:
    with database.writing():
        database.execute("DELETE FROM claim")
        database.execute("DELETE FROM nowhere")


def test_a_large_log_is_folded_in_unless_somebody_reads_from_it(
    path: Path, commits: MemoryCommits, tip: Oid, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LARGE_LOG", 0)
    log = path.with_name("index.sqlite-wal")
    reader, writer = Catalog(commits, path), Catalog(commits, path)
    reader.refresh(tip)
    second = commits.add({"topics/z.md": b"# Z\n"}, tip)
    writer.refresh(second)
    assert log.stat().st_size > 0
    assert reader.statistics().topics == 40
    reader.close()
    writer.refresh(commits.add({}, second))
    assert log.stat().st_size == 0
    writer.close()
