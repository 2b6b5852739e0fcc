"""What search needs of every document at once: kind, file, place in the file, and length, as columns by document id."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from gitmem.catalog.postings import Kind
from gitmem.catalog.schema import DOCUMENTS_PER_CHUNK

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gitmem.catalog.database import Database, Reading


class Columns:
    """Arrays indexed by document id; an id that is not in use has kind ``NONE`` and zeros.

    ``kinds`` are bytes (``Kind``); ``files`` (file ids), ``ordinals`` (place in the file from 0) and ``lengths``
    (terms) are unsigned 32-bit integers. A hidden legacy record is not in use.
    """

    __slots__ = ("files", "kinds", "lengths", "ordinals")

    def __init__(self, kinds: bytes = b"", files: bytes = b"", ordinals: bytes = b"", lengths: bytes = b"") -> None:
        """Unpack the bytes of one or more runs."""
        self.kinds = bytearray(kinds)
        self.files = array("I", files)
        self.ordinals = array("I", ordinals)
        self.lengths = array("I", lengths)

    @classmethod
    def blank(cls, documents: int) -> Columns:
        """Columns of so many ids that are not in use."""
        return cls(bytes(documents), bytes(4 * documents), bytes(4 * documents), bytes(4 * documents))

    def pack(self) -> tuple[bytes, bytes, bytes, bytes]:
        """The bytes of the four columns."""
        return bytes(self.kinds), self.files.tobytes(), self.ordinals.tobytes(), self.lengths.tobytes()

    def place(self, run: int, columns: Columns) -> None:
        """Put one run's columns where they belong, growing as needed."""
        first = run * DOCUMENTS_PER_CHUNK
        self.grow(first + DOCUMENTS_PER_CHUNK)
        part = slice(first, first + DOCUMENTS_PER_CHUNK)
        self.kinds[part] = columns.kinds
        self.files[part] = columns.files
        self.ordinals[part] = columns.ordinals
        self.lengths[part] = columns.lengths

    def grow(self, documents: int) -> None:
        """Make room for so many ids."""
        later = Columns.blank(max(documents - len(self.kinds), 0))
        self.kinds.extend(later.kinds)
        self.files.extend(later.files)
        self.ordinals.extend(later.ordinals)
        self.lengths.extend(later.lengths)

    def set(self, place: int, kind: Kind, file: int, ordinal: int, length: int) -> None:
        """Fill in one document."""
        self.kinds[place] = kind
        self.files[place] = file
        self.ordinals[place] = ordinal
        self.lengths[place] = length


class ColumnsWriter:
    """Collects changed documents and writes the runs they stand in."""

    def __init__(self, database: Database, generation: int) -> None:
        """Take the columns of a database in a write transaction that makes it this ``generation``."""
        self._database = database
        self._generation = generation
        self._runs: dict[int, Columns] = {}

    def set(self, document: int, kind: Kind, file: int, ordinal: int, length: int) -> None:
        """Put a document into use, or change where it stands."""
        self._run(document).set(document % DOCUMENTS_PER_CHUNK, kind, file, ordinal, length)

    def move(self, document: int, ordinal: int) -> None:
        """Give a document that is in use another place in its file."""
        self._run(document).ordinals[document % DOCUMENTS_PER_CHUNK] = ordinal

    def clear(self, document: int) -> None:
        """Take a document out of use."""
        self.set(document, Kind.NONE, 0, 0, 0)

    def _run(self, document: int) -> Columns:
        number = document // DOCUMENTS_PER_CHUNK
        found = self._runs.get(number)
        if found is None:
            row = self._database.row("SELECT kinds, files, ordinals, lengths FROM chunk WHERE id = ?", (number,))
            found = self._runs[number] = Columns.blank(DOCUMENTS_PER_CHUNK) if row is None else Columns(*row)
        return found

    def finish(self) -> None:
        """Write the changed runs; one that became empty stays, so that other processes learn of it."""
        rows = [(number, self._generation, *columns.pack()) for number, columns in sorted(self._runs.items())]
        self._database.many("INSERT OR REPLACE INTO chunk VALUES (?, ?, ?, ?, ?, ?)", rows)


def read_runs(database: Reading, newer_than: int) -> Iterable[tuple[int, Columns]]:
    """The runs that changed after a generation."""
    rows = database.rows("SELECT id, kinds, files, ordinals, lengths FROM chunk WHERE generation > ?", (newer_than,))
    return ((number, Columns(*packed)) for number, *packed in rows)
