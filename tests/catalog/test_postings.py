"""Packed postings and columns (``performance.md`` P3, P5)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.catalog import postings as module
from gitmem.catalog.columns import Columns
from gitmem.catalog.database import Database
from gitmem.catalog.documents import Documents
from gitmem.catalog.postings import MOST_OFTEN, Kind, Postings, pack_terms
from gitmem.catalog.schema import DOCUMENTS_PER_CHUNK

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def database() -> Iterator[Database]:
    database = Database(None)
    yield database
    database.close()


def held(database: Database, term: str) -> dict[int, int]:
    found: dict[int, int] = {}
    for (data,) in database.rows(
        "SELECT data FROM term JOIN posting ON posting.term = term.id WHERE text = ? ORDER BY chunk", (term,)
    ):
        postings = Postings(data)
        found |= dict(zip(postings.documents, postings.frequencies, strict=True))
    return found


words = st.lists(st.sampled_from(("tea", "milk", "sugar")), max_size=5)


@given(st.lists(st.lists(words, max_size=3), max_size=4), st.data())
def test_postings_are_what_the_documents_hold(batches: list[list[list[str]]], data: st.DataObject) -> None:
    database, live, hidden = Database(None), {}, {}
    for generation, batch in enumerate(batches):
        with database.writing():
            documents = Documents(database, generation)
            for text in batch:
                live[documents.add(Kind.BLOCK, 1, 0, " ".join(text))] = text
            for number in data.draw(st.lists(st.sampled_from(sorted(live)), unique=True)) if live else ():
                documents.hide(number, Kind.BLOCK)
                hidden[number] = live.pop(number)
            for number in data.draw(st.lists(st.sampled_from(sorted(hidden)), unique=True)) if hidden else ():
                documents.show(number, Kind.BLOCK, 1, 0)
                live[number] = hidden.pop(number)
            for number in data.draw(st.lists(st.sampled_from(sorted(live)), max_size=1)) if live else ():
                documents.drop(number, Kind.BLOCK)
                del live[number]
            documents.finish()
    counts = {number: Counter(text) for number, text in live.items()}
    for word in ("tea", "milk", "sugar"):
        assert held(database, word) == {number: count[word] for number, count in counts.items() if word in count}
    frequencies = Counter(word for count in counts.values() for word in count)
    assert dict(database.rows("SELECT text, blocks FROM term WHERE blocks")) == frequencies
    assert dict(database.rows("SELECT frequency, terms FROM spread WHERE kind = 0")) == Counter(frequencies.values())
    database.close()


def test_documents_of_many_runs_are_written_in_several_goes(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "HELD_DOCUMENTS", 100)
    with database.writing():
        documents = Documents(database, 1)
        numbers = [documents.add(Kind.SOURCE, 1, n, "tea" if n % 2 else "milk tea") for n in range(2500)]
        documents.finish()
    assert held(database, "tea") == dict.fromkeys(numbers, 1)
    assert list(held(database, "milk")) == numbers[::2]
    runs = {number // DOCUMENTS_PER_CHUNK for number in numbers}
    assert len(database.rows("SELECT 1 FROM posting")) == 2 * len(runs)


def test_a_term_that_occurs_very_often_counts_as_often_as_can_be_packed() -> None:
    assert list(Postings(pack_terms({7: MOST_OFTEN + 5, 9: 1})).frequencies) == [MOST_OFTEN, 1]
    assert pack_terms({}) == b""


def test_columns_grow_run_by_run() -> None:
    columns, run = Columns(), Columns.blank(DOCUMENTS_PER_CHUNK)
    run.set(3, Kind.BLOCK, 11, 5, 9)
    columns.place(1, run)
    place = DOCUMENTS_PER_CHUNK + 3
    assert len(columns.kinds) == len(columns.files) == 2 * DOCUMENTS_PER_CHUNK
    assert [c[place] for c in (columns.kinds, columns.files, columns.ordinals, columns.lengths)] == [1, 11, 5, 9]
    columns.grow(7)
    assert len(columns.lengths) == 2 * DOCUMENTS_PER_CHUNK
