"""A walk through history parses a file once for each of its states."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from catalogues import HANDLES, frame, legacy
from gitmem.catalog import parsed as module
from gitmem.catalog.parsed import Parsed
from gitmem.format.frame import HEADER, scan_v2
from gitmem.testing.tree import MemoryTree

if TYPE_CHECKING:
    from gitmem.format.model import Archive

ARCHIVE, LEGACY, TOPIC = "sources/chat/_v2/t.md", "sources/chat/t.md", "topics/a.md"


def tree(*frames: bytes) -> MemoryTree:
    return MemoryTree({ARCHIVE: HEADER + b"".join(frames)})


@pytest.mark.parametrize(
    "states",
    [
        [tree(frame(HANDLES[0], "tea")), tree(frame(HANDLES[0], "tea"), frame(HANDLES[1], "milk"))],
        [tree(frame(HANDLES[0], "tea")), tree(frame(HANDLES[0], "tea"), frame(HANDLES[0], "again"))],
        [tree(frame(HANDLES[0], "tea")), tree(frame(HANDLES[1], "milk"))],
        [tree(frame(HANDLES[0], "tea"), b"cut"), tree(frame(HANDLES[0], "tea"))],
        [tree(), tree(frame(HANDLES[0], "tea"))],
    ],
    ids=["grown", "twice", "replaced", "mended", "begun"],
)
def test_an_archive_that_grew_is_scanned_on(states: list[MemoryTree]) -> None:
    parsed = Parsed(shared=False)
    found = [parsed.archive(state, state.entry(ARCHIVE)) for state in states]
    assert found == [scan_v2(ARCHIVE, state.read(ARCHIVE)) for state in states]


def test_only_what_was_appended_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    known: list[Archive | None] = []

    def scan(path: str, data: bytes, *, known_: list[Archive | None] = known, known: Archive | None = None) -> Archive:
        known_.append(known)
        return scan_v2(path, data, known=known)

    monkeypatch.setattr(module, "scan_v2", scan)
    states = [tree(*(frame(handle, "tea") for handle in HANDLES[:n])) for n in (1, 1, 2, 3)]
    parsed = Parsed(shared=False)
    found = [parsed.archive(state, state.entry(ARCHIVE)) for state in states]
    assert known == [None, found[1], found[2]]


def test_legacy_archives_are_read_too() -> None:
    state = MemoryTree({LEGACY: legacy(HANDLES[0])})
    assert [record.handle for record in Parsed(shared=False).archive(state, state.entry(LEGACY)).records] == [
        HANDLES[0]
    ]


def test_topics_in_use_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "TOPICS_HELD", 1)
    states = [MemoryTree({TOPIC: f"# {n}\n\nTea.[^e-1] ^a{n}\n".encode()}) for n in range(2)]
    parsed = Parsed(shared=True)
    first, again, other, anew = (parsed.topic(states[n], states[n].entry(TOPIC), shared=n == 0) for n in (0, 0, 1, 0))
    assert first is again
    assert anew == first
    assert anew is not first
    assert other.claims[0].id == "a1"
