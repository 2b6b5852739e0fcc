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

    _Row = tuple[int, int, int, str]  # document, ordinal, line, what it says
    _Fresh = tuple[Claim, tuple[str, ...], str]


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
        fresh: list[_Fresh] = []
        for claim, reaches in zip(contribution.claims, contribution.reaches, strict=True):
            data = pack_claim(claim, reaches)
            if known[data]:
                self._move(known[data].pop(0), claim)
            else:
                fresh.append((claim, reaches, data))
        self._remove(file, (row for rows in known.values() for row in rows))
        self._add(file, fresh)

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

    def _add(self, file: int, fresh: Iterable[_Fresh]) -> None:
        found = [
            (self._documents.add(Kind.BLOCK, file, claim.ordinal, block_text(claim)), claim, reaches, data)
            for claim, reaches, data in fresh
        ]
        claims = [(doc, claim) for doc, claim, _, _ in found]
        cited = [(target, doc) for doc, claim in claims for target in _targets(claim)]
        many = self._database.many
        many(
            "INSERT INTO claim VALUES (?, ?, ?, ?, ?)",
            [(doc, file, claim.ordinal, claim.line, data) for doc, claim, _, data in found],
        )
        many(
            "INSERT INTO ident VALUES (?, ?, ?)",
            [(name, doc, name == claim.id) for doc, claim in claims for name in dict.fromkeys(claim.ids)],
        )
        many(
            "INSERT INTO link VALUES (?, ?, ?, ?)",
            [(target, doc, claim.id, file) for doc, claim in claims for target in claim.links],
        )
        many("INSERT INTO reach VALUES (?, ?)", [(path, doc) for doc, _, reaches, _ in found for path in reaches])
        many("INSERT INTO cite VALUES (?, ?)", cited)
        many("INSERT INTO dated VALUES (?, ?)", [(moment, doc) for doc, claim in claims for moment in claim.whens])
        many(_COUNT_MEANING, [meaning for _, claim in claims for meaning in _meanings(file, claim)])
        many("UPDATE block SET standing = standing + 1 WHERE id = ?", [(claim.id,) for _, claim in claims])
        self.cited.update(target for target, _ in cited)

    def _remove(self, file: int, rows: Iterable[_Row]) -> None:
        claims = [(row[0], unpack_claim(_ANYWHERE, *row[1:]), row[3]) for row in rows]
        for doc, _, _ in claims:
            self._documents.drop(doc, Kind.BLOCK)
        cited = [(target, doc) for doc, claim, _ in claims for target in _targets(claim)]
        many = self._database.many
        many("DELETE FROM claim WHERE doc = ?", [(doc,) for doc, _, _ in claims])
        many("DELETE FROM ident WHERE id = ? AND doc = ?", [(name, doc) for doc, c, _ in claims for name in c.ids])
        many("DELETE FROM link WHERE target = ? AND doc = ?", [(to, doc) for doc, c, _ in claims for to in c.links])
        many(
            "DELETE FROM reach WHERE path = ? AND doc = ?",
            [(path, doc) for doc, _, data in claims for path in reaches_of(data)],
        )
        many("DELETE FROM cite WHERE target_key = ? AND doc = ?", cited)
        many(
            "DELETE FROM dated WHERE moment = ? AND doc = ?", [(when, doc) for doc, c, _ in claims for when in c.whens]
        )
        places = [meaning[:3] for _, claim, _ in claims for meaning in _meanings(file, claim)]
        many("UPDATE meaning SET uses = uses - 1 WHERE id = ? AND file = ? AND meaning_key = ?", places)
        many("DELETE FROM meaning WHERE id = ? AND file = ? AND meaning_key = ? AND uses = 0", places)
        many("UPDATE block SET standing = standing - 1 WHERE id = ?", [(claim.id,) for _, claim, _ in claims])
        self.cited.update(target for target, _ in cited)


_ANYWHERE: TopicPath = "topics"  # type: ignore[assignment]  # the path plays no part in taking a claim's rows away


def _targets(claim: Claim) -> set[int]:
    return {key(link.resolved) for e in claim.evidence for link in e.sources if link.resolved is not None}


def _meanings(file: int, claim: Claim) -> Iterator[tuple[str, int, int, str]]:
    for evidence in claim.evidence:
        meaning = meaning_of(evidence)
        if meaning is not None:
            data = pack_meaning(meaning)
            yield evidence.id, file, key(data), data
