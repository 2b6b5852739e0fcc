"""The claims of topic files: a changed file rewrites the claims that changed, and moves the others."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from gitmem.catalog.documents import block_text
from gitmem.catalog.postings import Kind
from gitmem.catalog.values import key, pack_claim, pack_meaning, reaches_of, unpack_claim
from gitmem.facts.contribution import meaning_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gitmem.catalog.database import Database
    from gitmem.catalog.documents import Documents
    from gitmem.facts.contribution import Contribution
    from gitmem.format.model import Claim
    from gitmem.ids import TopicPath

_Row = tuple[int, int, int, str]

_COUNT_MEANING = """
INSERT INTO meaning VALUES (?, ?, ?, 1, ?) ON CONFLICT DO UPDATE SET uses = uses + 1
"""


class TopicWriter:
    """Writes topics in one write transaction; ``cited`` collects the keys of targets whose citations changed."""

    def __init__(self, database: Database, documents: Documents) -> None:
        """Take a database in a write transaction and its documents."""
        self._database = database
        self._documents = documents
        self.cited: set[int] = set()

    def put(self, file: int, contribution: Contribution) -> None:
        """Make the file's claims these; those that say what they said before keep their documents."""
        known = self._rows(file)
        fresh: list[tuple[Claim, tuple[str, ...], str]] = []
        for claim, reaches in zip(contribution.claims, contribution.reaches, strict=True):
            data = pack_claim(claim, reaches)
            if known[data]:
                self._move(known[data].pop(0), claim)
            else:
                fresh.append((claim, reaches, data))
        self._remove(file, (row for rows in known.values() for row in rows))
        for claim, reaches, data in fresh:
            self._add(file, claim, reaches, data)

    def drop(self, file: int) -> None:
        """The file is gone."""
        self._remove(file, (row for rows in self._rows(file).values() for row in rows))

    def _rows(self, file: int) -> defaultdict[str, list[_Row]]:
        """The file's claims by what they say."""
        found: defaultdict[str, list[_Row]] = defaultdict(list)
        for row in self._database.rows(
            "SELECT doc, ordinal, line, data FROM claim WHERE file = ? ORDER BY ordinal", (file,)
        ):
            found[row[3]].append(row)
        return found

    def _move(self, row: _Row, claim: Claim) -> None:
        document, ordinal, line, _ = row
        if (ordinal, line) == (claim.ordinal, claim.line):
            return
        values = (claim.ordinal, claim.line, document)
        self._database.execute("UPDATE claim SET ordinal = ?, line = ? WHERE doc = ?", values)
        if ordinal != claim.ordinal:
            self._documents.move(document, claim.ordinal)

    def _add(self, file: int, claim: Claim, reaches: tuple[str, ...], data: str) -> None:
        document = self._documents.add(Kind.BLOCK, file, claim.ordinal, block_text(claim))
        execute, many = self._database.execute, self._database.many
        execute("INSERT INTO claim VALUES (?, ?, ?, ?, ?)", (document, file, claim.ordinal, claim.line, data))
        ids = dict.fromkeys(claim.ids)
        many("INSERT INTO ident VALUES (?, ?, ?)", [(name, document, name == claim.id) for name in ids])
        many("INSERT INTO link VALUES (?, ?, ?, ?)", [(target, document, claim.id, file) for target in claim.links])
        many("INSERT INTO reach VALUES (?, ?)", [(path, document) for path in reaches])
        many("INSERT INTO cite VALUES (?, ?)", [(target, document) for target in _targets(claim)])
        many("INSERT INTO dated VALUES (?, ?)", [(moment, document) for moment in claim.whens])
        many(_COUNT_MEANING, _meanings(file, claim))
        execute("UPDATE block SET standing = standing + 1 WHERE id = ?", (claim.id,))
        self.cited |= _targets(claim)

    def _remove(self, file: int, rows: Iterable[_Row]) -> None:
        for document, ordinal, line, data in rows:
            claim = unpack_claim(_ANYWHERE, ordinal, line, data)
            self._documents.drop(document, Kind.BLOCK)
            many = self._database.many
            many("DELETE FROM claim WHERE doc = ?", [(document,)])
            many("DELETE FROM ident WHERE id = ? AND doc = ?", [(name, document) for name in claim.ids])
            many("DELETE FROM link WHERE target = ? AND doc = ?", [(target, document) for target in claim.links])
            many("DELETE FROM reach WHERE path = ? AND doc = ?", [(path, document) for path in reaches_of(data)])
            many(
                "DELETE FROM cite WHERE target_key = ? AND doc = ?", [(target, document) for target in _targets(claim)]
            )
            many("DELETE FROM dated WHERE moment = ? AND doc = ?", [(moment, document) for moment in claim.whens])
            self._forget_meanings(file, claim)
            many("UPDATE block SET standing = standing - 1 WHERE id = ?", [(claim.id,)])
            self.cited |= _targets(claim)

    def _forget_meanings(self, file: int, claim: Claim) -> None:
        for name, _, number, _ in _meanings(file, claim):
            place = (name, file, number)
            self._database.execute(
                "UPDATE meaning SET uses = uses - 1 WHERE id = ? AND file = ? AND meaning_key = ?", place
            )
            self._database.execute(
                "DELETE FROM meaning WHERE id = ? AND file = ? AND meaning_key = ? AND uses = 0", place
            )


_ANYWHERE: TopicPath = "topics"  # type: ignore[assignment]  # the path plays no part in taking a claim's rows away


def _targets(claim: Claim) -> set[int]:
    return {key(link.resolved) for e in claim.evidence for link in e.sources if link.resolved is not None}


def _meanings(file: int, claim: Claim) -> Iterator[tuple[str, int, int, str]]:
    for evidence in claim.evidence:
        meaning = meaning_of(evidence)
        if meaning is not None:
            data = pack_meaning(meaning)
            yield evidence.id, file, key(data), data
