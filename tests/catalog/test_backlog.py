"""Documents that wait for their postings are found all the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catalogues import MemoryCommits, built, edits, frame, now, told
from gitmem.catalog import backlog
from gitmem.catalog.catalog import Catalog
from gitmem.catalog.database import Database
from gitmem.catalog.tip import last_posted
from gitmem.errors import Code, Unavailable
from gitmem.format.frame import HEADER

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.ids import Oid

PATH = "sources/chat/_v2/t.md"


@settings(max_examples=settings.default.max_examples // 2)
@given(st.data())
def test_whatever_comes_while_documents_wait_gives_what_building_gives(data: st.DataObject) -> None:
    commits, files, line = MemoryCommits(), {}, []
    for _ in range(data.draw(st.integers(1, 5))):
        files = files | data.draw(edits())
        line.append(commits.add({path: text for path, text in files.items() if text is not None}, *line[-1:]))
    catalog = Catalog(commits, None)
    with catalog.deferring():
        for commit in line:
            catalog.refresh(commit)
            if data.draw(st.booleans()):  # somebody looks meanwhile
                assert told(now(catalog)) == told(now(built(commits, commit)))
    later = data.draw(st.sampled_from(line))
    catalog.refresh(later)
    assert told(now(catalog)) == told(now(built(commits, later)))


@pytest.fixture
def line(commits: MemoryCommits) -> list[Oid]:
    """An archive that grows by one message a commit."""
    found: list[Oid] = []
    for count in range(1, 6):
        body = b"".join(frame(f"chat/t/m{number}", f"tea number {number}") for number in range(count))
        found.append(commits.add({PATH: HEADER + body}, *found[-1:]))
    return found


def waiting(path: Path) -> int | None:
    database = Database(path)
    try:
        return last_posted(database)
    finally:
        database.close()


def postings(path: Path) -> int:
    database = Database(path)
    try:
        return len(database.rows("SELECT 1 FROM posting"))
    finally:
        database.close()


def refresh_and_die(catalog: Catalog, line: list[Oid]) -> None:
    with catalog.deferring():
        for commit in line:
            catalog.refresh(commit)
        raise KeyboardInterrupt


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "index.sqlite"


def test_postings_are_written_at_the_end(commits: MemoryCommits, line: list[Oid], path: Path) -> None:
    catalog = Catalog(commits, path)
    catalog.refresh(line[0])
    with catalog.deferring():
        for commit in line[1:]:
            catalog.refresh(commit)
        assert waiting(path) == 1
    assert waiting(path) is None
    assert list(catalog.corpus().postings("tea").documents) == [1, 2, 3, 4, 5]
    catalog.close()


def test_what_an_interrupted_process_left_waiting_is_found(commits: MemoryCommits, line: list[Oid], path: Path) -> None:
    catalog = Catalog(commits, path)
    with pytest.raises(KeyboardInterrupt):
        refresh_and_die(catalog, line)
    catalog.close()
    assert (waiting(path), postings(path)) == (0, 0)
    other = Catalog(commits, path)
    other.refresh(line[-1])
    assert other.statistics().records == 5
    assert waiting(path) == 0  # nobody searched yet
    assert other.corpus().frequency("tea") == 5
    assert waiting(path) is None
    other.close()


def test_no_more_wait_than_a_search_can_catch_up_with(
    commits: MemoryCommits, line: list[Oid], path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backlog, "MOST_WAITING", 2)
    catalog = Catalog(commits, path)
    with catalog.deferring():
        for commit, left in zip(line, (0, 0, None, 3, 3), strict=True):
            catalog.refresh(commit)
            assert waiting(path) == left
    catalog.close()


def test_postings_that_cannot_be_written_now_fail_nobody(
    commits: MemoryCommits, line: list[Oid], path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise Unavailable(Code.STORAGE_UNAVAILABLE, "the disk is full")

    catalog = Catalog(commits, path)
    with catalog.deferring():
        catalog.refresh(line[-1])
        monkeypatch.setattr("gitmem.catalog.moving.post", full)
    monkeypatch.undo()
    assert waiting(path) == 0
    assert catalog.corpus().frequency("tea") == 5
    catalog.close()
