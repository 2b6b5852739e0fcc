"""The records of archives and what the ledgers say of them; a file that only grew costs what it grew by."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from gitmem.catalog.documents import record_text
from gitmem.catalog.postings import Kind
from gitmem.catalog.values import day_of, key, pack_record, unpack_record
from gitmem.format.frame import scan_v2
from gitmem.format.layout import PROMOTIONS, is_v2_archive
from gitmem.format.legacy import scan_legacy
from gitmem.format.model import Archive, TrustState
from gitmem.format.promotions import parse_forgotten, parse_promotions

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence

    from gitmem.catalog.database import Database, Row, Value
    from gitmem.catalog.documents import Documents
    from gitmem.format.model import Record

NOTHING_READ = (0, b"")
DIGEST_BYTES = 16
_AT_ONCE = 500
"""Keys that one query looks for."""


class _State(NamedTuple):
    """One record's row as far as it can change without its file."""

    document: int
    file: int
    ordinal: int
    target_key: int
    framed: int
    pending_frame: int
    pending: int
    cited: int
    hidden: int


class SourceWriter:
    """Writes archives and ledgers in one write transaction; ``settle`` ends it.

    ``stale`` collects the keys of handles whose records may have changed their standing: whether a topic cites them,
    whether somebody vouched for them, whether a frame hides the legacy copy (``behaviours.md`` 0.4, 7.14, 11.1).
    """

    def __init__(self, database: Database, documents: Documents) -> None:
        """Take a database in a write transaction and its documents."""
        self._database = database
        self._documents = documents
        self._speakers: dict[tuple[object, ...], int] = {}
        self._digested = b"", 0, hashlib.blake2b(digest_size=DIGEST_BYTES)
        self.stale: set[int] = set()

    # --- archives

    def put_archive(self, file: int, path: str, data: bytes) -> tuple[Record, ...]:
        """Make the file's records those of the archive's bytes; gives those whose handles it did not have."""
        grown = self._appended(file, path, data)
        if grown is not None:
            archive, first = grown
            added = archive.records[1:]
            self._add(file, added, first, data)
        else:
            known = self.drop_archive(file)
            archive = scan_v2(path, data) if is_v2_archive(path) else scan_legacy(path, data)
            added = tuple(record for record in archive.records if key(record.handle) not in known)
            self._add(file, archive.records, 0, data)
        self._remember(file, data, archive.valid_length if archive.framed else 0)
        return added

    def _appended(self, file: int, path: str, data: bytes) -> tuple[Archive, int] | None:
        """The scan of what was appended, after the last known record, and that one's successor's ordinal."""
        if not self._is_prefix(file, data):
            return None
        known = self._database.row(
            "SELECT ordinal, data FROM record WHERE file = ? ORDER BY ordinal DESC LIMIT 1", (file,)
        )
        if known is None:
            return None
        last = unpack_record(path, known[1])
        archive = scan_v2(path, data, known=Archive(path, (last,), last.end, None, framed=True))
        if self._holds(file, archive.records[1:]):
            return None  # a handle that stands twice ends the archive, and only a whole scan says where
        return archive, known[0] + 1

    def _holds(self, file: int, records: Sequence[Record]) -> bool:
        """Whether the file has one of their handles already."""
        handles = [key(record.handle) for record in records]
        return any(
            (file,) in self._among("SELECT file FROM record WHERE handle_key IN", handles[first : first + _AT_ONCE])
            for first in range(0, len(handles), _AT_ONCE)
        )

    def _is_prefix(self, file: int, data: bytes) -> bool:
        length, digest = self._known(file)
        if not 0 < length <= len(data):
            return False
        return self._digest(data, length).digest() == digest

    def _digest(self, data: bytes, length: int) -> hashlib.blake2b:
        """The digest of so many leading bytes, going on from those that it was asked for last."""
        of, known, digest = self._digested
        if of is data and known <= length:
            digest = digest.copy()
        else:
            known, digest = 0, hashlib.blake2b(digest_size=DIGEST_BYTES)
        digest.update(memoryview(data)[known:length])
        self._digested = data, length, digest
        return digest

    def _known(self, file: int) -> tuple[int, bytes]:
        row = self._database.row("SELECT known_length, known_digest FROM file WHERE id = ?", (file,))
        return (row[0], row[1]) if row else NOTHING_READ

    def _remember(self, file: int, data: bytes, length: int) -> None:
        values = (length, self._digest(data, length).digest(), file)
        self._database.execute("UPDATE file SET known_length = ?, known_digest = ? WHERE id = ?", values)

    def drop_archive(self, file: int) -> set[int]:
        """Take out every record of a file; gives the keys of their handles."""
        dropped: set[int] = set()
        for document, handle, hidden, pending, cited in self._database.rows(
            "SELECT doc, handle_key, hidden, pending, cited FROM record WHERE file = ?", (file,)
        ):
            self._documents.drop(document, Kind.SOURCE, hidden=bool(hidden))
            self._count(hidden, pending, cited, -1)
            dropped.add(handle)
        self._database.execute("DELETE FROM record WHERE file = ?", (file,))
        self.stale |= dropped
        return dropped

    def _add(self, file: int, records: Iterable[Record], first: int, data: bytes) -> None:
        rows = [self._row(file, ordinal, record, data) for ordinal, record in enumerate(records, first)]
        self._database.many("INSERT INTO record VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 1, 0, ?)", rows)

    def _row(self, file: int, ordinal: int, record: Record, data: bytes) -> tuple[Value, ...]:
        """Index one record and give its row, as cited, not pending and not hidden; ``settle`` says how it stands."""
        body = data[record.body_start : record.body_end].decode("utf-8", "replace")
        document = self._documents.add(Kind.SOURCE, file, ordinal, record_text(record, body))
        pending = record.metadata is not None and record.metadata.trust_state is TrustState.PENDING
        handle, target = key(record.handle), key(record.target)
        self.stale.add(handle)
        who, day = self._speaker(record), day_of(record.timestamp)
        return document, file, ordinal, handle, target, who, day, record.framed, pending, pack_record(record)

    def _speaker(self, record: Record) -> int:
        who = (record.speaker_id, record.speaker_display, record.label, record.speaker_trusted)
        if who not in self._speakers:
            found = self._database.row(
                "SELECT id FROM speaker WHERE ident IS ? AND display IS ? AND label = ? AND trusted = ?", who
            )
            if found is None:
                self._database.execute("INSERT INTO speaker VALUES (NULL, ?, ?, ?, ?)", who)
                found = self._database.numbers("SELECT last_insert_rowid()")
            self._speakers[who] = found[0]
        return self._speakers[who]

    # --- ledgers

    def put_ledger(self, file: int, path: str, data: bytes) -> None:
        """Take the lines of ``promotions.jsonl`` or ``forgotten.jsonl``; known ones are not read again."""
        length = self._known(file)[0] if self._is_prefix(file, data) else 0
        if not length:
            self.drop_ledger(path)
        if path == PROMOTIONS:
            promotions, defect = parse_promotions(data[length:])
            rows = [(promotion.source_id, promotion.tier) for promotion in promotions]
            self._database.many("INSERT OR IGNORE INTO promoted VALUES (?, ?)", rows)
            self.stale.update(key(handle) for handle, _ in rows)
        else:
            forgotten, defect = parse_forgotten(data[length:])
            self._database.many("INSERT OR IGNORE INTO forgotten VALUES (?)", [(e.handle_sha256,) for e in forgotten])
        self._remember(file, data, 0 if defect else len(data))

    def drop_ledger(self, path: str) -> None:
        """Nobody vouches for anything any more, or nothing is forgotten."""
        if path == PROMOTIONS:
            self.stale |= {key(handle) for (handle,) in self._database.rows("SELECT handle FROM promoted")}
            self._database.execute("DELETE FROM promoted")
        else:
            self._database.execute("DELETE FROM forgotten")

    # --- standing

    def settle(self, cited: Iterable[int]) -> None:
        """Bring every record's standing up to date; ``cited`` are the target keys whose citations changed."""
        for target in cited:
            rows = self._database.rows("SELECT handle_key FROM record WHERE target_key = ?", (target,))
            self.stale.update(handle for (handle,) in rows)
        stale = sorted(self.stale)
        for first in range(0, len(stale), _AT_ONCE):
            self._settle_all(stale[first : first + _AT_ONCE])

    def _settle_all(self, handles: Sequence[int]) -> None:
        rows = self._among(
            "SELECT handle_key, doc, file, ordinal, target_key, framed, pending_frame, pending, cited, hidden"
            " FROM record WHERE handle_key IN",
            handles,
        )
        by_handle: defaultdict[int, list[_State]] = defaultdict(list)
        for handle, *row in rows:
            by_handle[handle].append(_State(*row))
        targets = {state.target_key for states in by_handle.values() for state in states}
        cited = {target for (target,) in self._among("SELECT target_key FROM cite WHERE target_key IN", [*targets])}
        changed = [change for states in by_handle.values() for change in self._settle(states, cited)]
        self._database.many("UPDATE record SET hidden = ?, pending = ?, cited = ? WHERE doc = ?", changed)

    def _settle(self, states: Sequence[_State], cited_targets: Container[int]) -> Iterator[tuple[int, ...]]:
        """How the records of one handle stand now, for those of which that changed."""
        has_frame = any(state.framed for state in states)
        cited = any(state.target_key in cited_targets for state in states)
        for state in states:
            hidden = has_frame and not state.framed
            pending = bool(state.pending_frame) and not self._is_promoted(state.document)
            if (state.hidden, state.pending, state.cited) != (hidden, pending, cited):
                self._stand(state, hidden=hidden, pending=pending, cited=cited)
                yield hidden, pending, cited, state.document

    def _among(self, query: str, keys: Sequence[int]) -> list[Row]:
        return self._database.rows(f"{query} ({', '.join('?' * len(keys))})", keys)

    def _stand(self, state: _State, *, hidden: bool, pending: bool, cited: bool) -> None:
        self._count(state.hidden, state.pending, state.cited, -1)
        self._count(hidden, pending, cited, 1)
        if hidden and not state.hidden:
            self._documents.hide(state.document, Kind.SOURCE)
        if state.hidden and not hidden:
            self._documents.show(state.document, Kind.SOURCE, state.file, state.ordinal)

    def _count(self, hidden: int, pending: int, cited: int, sign: int) -> None:
        totals = self._documents.totals
        totals["pending"] += sign * int(bool(pending) and not hidden)
        totals["uncited"] += sign * int(not (hidden or pending or cited))

    def _is_promoted(self, document: int) -> bool:
        found = self._database.row("SELECT data FROM record WHERE doc = ?", (document,))
        handle = unpack_record("", found[0]).handle if found else ""
        return self._database.row("SELECT 1 FROM promoted WHERE handle = ?", (handle,)) is not None
