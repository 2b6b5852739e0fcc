"""One connection to a cache's database, and what becomes of it when the file is missing, damaged or read-only."""

from __future__ import annotations

import os
import sqlite3
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

from gitmem.catalog.schema import TABLES, VERSION
from gitmem.errors import Code, Unavailable

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from pathlib import Path

Value = str | int | bytes | None
Row = tuple[Any, ...]
"""What a query gives: SQLite has no static types, the table says what stands in each column."""

PRIVATE_FILE = 0o600
PATIENCE_SECONDS = 600
"""How long to wait for another process that builds the catalogue; building it here would take as long."""

LARGE_LOG = 32 << 20
"""Bytes of a write-ahead log that only a build reaches."""

_DAMAGED = frozenset(
    {
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_NOTADB,
        sqlite3.SQLITE_ERROR,
        sqlite3.SQLITE_FORMAT,
        sqlite3.SQLITE_MISMATCH,
    }
)
_NO_WRITING = frozenset({sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH})
_SETTINGS = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = NORMAL",  # a power cut may lose the last refreshes, never the order of writes
    "PRAGMA wal_autocheckpoint = 4000",
    "PRAGMA temp_store = MEMORY",
    "PRAGMA cell_size_check = ON",
    "PRAGMA cache_size = -24576",
)


_FIRST_LOCKED_BYTE = 0x40000000
_LOCKED_BYTES = 512
"""Where SQLite locks database files (its file format, "the lock-byte page")."""

_OPEN: Counter[str] = Counter()
"""How many connections this process has to each file; its own locks do not tell it."""


class Damaged(Exception):
    """The database cannot be read as what it should be: it is thrown away and built again."""


class ReadOnly(Exception):
    """The database cannot be written where it stands."""


class Reading(Protocol):
    """One state of the database."""

    def rows(self, sql: str, values: Sequence[Value] = ()) -> list[Row]:
        """Everything a query gives."""
        ...

    def row(self, sql: str, values: Sequence[Value] = ()) -> Row | None:
        """The first row of what a query gives."""
        ...


class Database:
    """A connection with explicit transactions; every failure of SQLite leaves as one of three exceptions.

    ``path`` ``None`` keeps everything in memory. Raises ``Damaged``, ``ReadOnly``, and ``Unavailable``
    (``STORAGE_UNAVAILABLE``) for what neither rebuilding nor memory can mend: a full disk, an input/output error, a
    writer that never ends.
    """

    def __init__(self, path: Path | None, tables: str = TABLES, version: int = VERSION) -> None:
        """Connect, and make the tables where there are none, or those of another version.

        ``tables`` are the statements that make them, a table ``meta (name, value)`` among them.
        """
        self.path = path
        self._tables, self._version = tables, version
        if path is not None:
            _make_private(path)
        self._known: dict[str, int] = {}
        self._others = 0
        self._name = str(path)
        _OPEN[self._name] += 1
        try:
            self._connection = sqlite3.connect(
                ":memory:" if path is None else path,
                timeout=PATIENCE_SECONDS,
                isolation_level=None,
                check_same_thread=False,
                cached_statements=256,
            )
        except sqlite3.Error as error:
            _OPEN[self._name] -= 1
            raise self._explained(error) from error
        try:
            self._prepare()
        except BaseException:
            self.close()
            raise

    def _prepare(self) -> None:
        for setting in _SETTINGS:
            self.rows(setting)
        if self.rows("PRAGMA user_version") == [(self._version,)]:
            return
        with self.writing():
            if self.rows("PRAGMA user_version") != [(self._version,)]:  # another process may have been faster
                self.clear()

    def clear(self) -> None:
        """Make empty tables, in place of those of another version."""
        self._known.clear()
        for kind, name in self.rows("SELECT type, name FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'"):
            if kind == "table":
                self.execute(f'DROP TABLE "{name}"')
        for statement in _statements(self._tables):
            self.execute(statement)
        self.execute("INSERT INTO meta VALUES ('epoch', ?)", (os.urandom(8).hex(),))
        self.execute(f"PRAGMA user_version = {self._version}")

    # --- statements

    def rows(self, sql: str, values: Sequence[Value] = ()) -> list[Row]:
        """Everything a query gives; nothing here holds a text that is not Unicode, such as a name of other bytes."""
        try:
            return self._connection.execute(sql, values).fetchall()
        except UnicodeEncodeError:
            return []
        except sqlite3.Error as error:
            raise self._explained(error) from error

    def row(self, sql: str, values: Sequence[Value] = ()) -> Row | None:
        """The first row of what a query gives."""
        found = self.rows(sql, values)
        return found[0] if found else None

    def numbers(self, sql: str, values: Sequence[Value] = ()) -> tuple[int, ...]:
        """The only row of a query for whole numbers. A missing row is ``Damaged``."""
        found = self.row(sql, values)
        if found is None:
            raise Damaged(sql)
        return found

    def number(self, sql: str, values: Sequence[Value] = ()) -> int:
        """The only value of a query for a whole number."""
        return self.numbers(sql, values)[0]

    def execute(self, sql: str, values: Sequence[Value] = ()) -> int:
        """Change something; gives how many rows changed."""
        try:
            return self._connection.execute(sql, values).rowcount
        except sqlite3.Error as error:
            raise self._explained(error) from error

    def many(self, sql: str, values: Collection[Sequence[Value]]) -> None:
        """Change something for each of the values."""
        if not values:
            return
        try:
            self._connection.executemany(sql, values)
        except sqlite3.Error as error:
            raise self._explained(error) from error

    # --- transactions

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the write lock; all of it is done at the end, or nothing."""
        self.unpin()
        self.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.execute("COMMIT")
        except BaseException:
            self._known.clear()
            self.unpin()
            raise
        self._fold()

    def known_ids(self) -> dict[str, int]:
        """Ids that this connection has met, for the length of a write transaction; to be asked for in each one.

        They stay as long as nobody else writes and nothing is undone.
        """
        others = self.number("PRAGMA data_version")
        if others != self._others:
            self._known.clear()
            self._others = others
        return self._known

    def _fold(self) -> None:
        """Give the disk space of a large log back, unless somebody still reads from it."""
        log = None if self.path is None else self.path.with_name(f"{self.path.name}-wal")
        if log is not None and log.exists() and log.stat().st_size > LARGE_LOG:
            self.rows("PRAGMA busy_timeout = 0")
            self.rows("PRAGMA wal_checkpoint(TRUNCATE)")
            self.rows(f"PRAGMA busy_timeout = {1000 * PATIENCE_SECONDS}")

    def pin(self) -> None:
        """See one state of the database from now on, whatever other processes write."""
        self.unpin()
        self.execute("BEGIN")
        self.rows("SELECT 1 FROM meta LIMIT 1")

    def unpin(self) -> None:
        """End the transaction under way, if any, undoing what it wrote."""
        if self._connection.in_transaction:
            self._connection.rollback()

    def close(self) -> None:
        """Let go of the file."""
        if self._name:
            self._connection.close()
            _OPEN[self._name] -= 1
            self._name = ""

    def _explained(self, error: sqlite3.Error) -> Exception:
        primary = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        if primary in _DAMAGED:
            return Damaged(str(error))
        if primary in _NO_WRITING:
            return ReadOnly(str(error))
        where = self.path or "in memory"
        message = f"the catalogue {where} cannot be used: {error}; free the disk or end what holds it"
        return Unavailable(Code.STORAGE_UNAVAILABLE, message)


def wipe(path: Path) -> bool:
    """Empty a damaged database where it stands; ``False`` when somebody has it open, here or in another process.

    SQLite's companions are found by name, so that files which are in use must neither go nor be replaced. Every open
    connection holds a shared lock on the bytes that are locked here.
    """
    if _OPEN[str(path)]:
        return False
    import fcntl  # noqa: PLC0415 - hardly ever needed

    try:
        with path.open("r+b") as file:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, _LOCKED_BYTES, _FIRST_LOCKED_BYTE)
            file.truncate(0)
            for suffix in ("-wal", "-shm"):
                path.with_name(path.name + suffix).unlink(missing_ok=True)
    except OSError:
        return False
    return True


def _make_private(path: Path) -> None:
    """Create the file for its owner alone; SQLite gives its companions the same mode (``behaviours.md`` 0.24).

    A file that exists is not opened: closing it would end the locks of other connections of this process.
    """
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, PRIVATE_FILE))
    except FileExistsError:
        return
    except OSError as error:
        raise ReadOnly(str(error)) from error


def _statements(script: str) -> Iterator[str]:
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
