"""A person's file stays of a bounded size, however long the history."""

from __future__ import annotations

import pytest

from gitmem.request import CiteRecord, CreateRecord
from gitmem.writer import pages
from talks import Shelf, distill, filed, turn

ADA = {"speaker_display": "Ada"}
FILE = "topics/people/ada.md"


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "FULL", 1)


def put(shelf: Shelf, text: str, number: int, at: str | None = "2023-05-08") -> str:
    result = distill((turn(text, number, timestamp=at, **ADA),), shelf)
    shelf.take(result)
    ((path, _, _),) = filed(result)
    return path


def test_what_no_longer_fits_goes_to_a_page_of_its_month() -> None:
    shelf = Shelf()
    assert put(shelf, "I moved to Basel in 2021.", 1) == FILE
    assert put(shelf, "I bought a red canoe for 900 euros.", 2) == "topics/people/ada/2023-05.md"
    assert put(shelf, "My sister Ines teaches chemistry in Porto.", 3) == "topics/people/ada/2023-05-part-2.md"
    assert put(shelf, "I adopted two cats named Mo and Jo.", 4, "2023-06-01") == "topics/people/ada/2023-06.md"
    assert put(shelf, "I collect 40 kinds of tea.", 5, None) == "topics/people/ada/undated.md"


def test_a_page_has_the_person_for_a_title() -> None:
    shelf = Shelf()
    put(shelf, "I moved to Basel in 2021.", 1)
    (created,) = distill((turn("I bought a red canoe for 900 euros.", 2, **ADA),), shelf).operations
    assert isinstance(created, CreateRecord)
    assert created.destination.headings == ("Ada", "2023-05")


@pytest.mark.parametrize("said", ["I moved to Basel in 2021.", "I bought a red canoe for 900 euros."])
def test_what_stands_in_the_file_or_on_the_page_is_cited_again(said: str) -> None:
    shelf = Shelf()
    put(shelf, "I moved to Basel in 2021.", 1)
    put(shelf, "I bought a red canoe for 900 euros.", 2)
    (cited,) = distill((turn(said, 3, **ADA),), shelf).operations
    assert isinstance(cited, CiteRecord)
