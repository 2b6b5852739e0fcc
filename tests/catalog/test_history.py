"""The chain of first parents: what each commit did, and what became of a block (``architecture.md`` section 4)."""

from __future__ import annotations

import pytest

from catalogues import HANDLES, MemoryCommits, built, frame
from gitmem.catalog import chain
from gitmem.catalog.step import Event, EventKind
from gitmem.format.frame import HEADER
from gitmem.ids import Oid

ARCHIVE = "sources/chat/_v2/t.md"
A, B = "topics/a.md", "topics/b.md"
DEFINITION = "[^e-1]: Time: `2024`; Sources: chat/t/m1\n"


def topic(*blocks: str, title: str = "T") -> bytes:
    return f"# {title}\n\n{''.join(f'{block}{chr(10)}{chr(10)}' for block in blocks)}{DEFINITION}".encode()


ONE, TWO, THREE = "One.[^e-1] ^one", "Two.[^e-1] ^two", "Three.[^e-1] ^three"


@pytest.fixture
def line(commits: MemoryCommits) -> list[Oid]:
    """Added, archived; derived; changed and moved; merged; removed."""
    frames = [frame(handle, "tea") for handle in HANDLES[:2]]
    states = [
        {A: topic(ONE, TWO), ARCHIVE: HEADER + frames[0]},
        {A: topic(ONE, TWO), ARCHIVE: HEADER + frames[0], "core.md": b"# Core\n"},
        {A: topic("One, changed.[^e-1] ^one"), B: topic(TWO, THREE), ARCHIVE: HEADER + b"".join(frames)},
        {A: topic("One and two.[^e-1] ^two ^one"), B: topic(THREE), ARCHIVE: HEADER + b"".join(frames)},
        {A: topic("One and two.[^e-1] ^two ^one"), ARCHIVE: HEADER + b"".join(frames)},
    ]
    made: list[Oid] = []
    for state in states:
        made.append(commits.add(state, *made[-1:]))
    return made


def test_a_commits_events_are_what_it_did(commits: MemoryCommits, line: list[Oid]) -> None:
    history = built(commits, line[-1]).history()
    assert [history.events(commit) for commit in line] == [
        (
            Event(EventKind.ADDED, "one", A, 0),
            Event(EventKind.ADDED, "two", A, 1),
            Event(EventKind.ARCHIVED, HANDLES[0], ARCHIVE, len(HEADER)),
        ),
        (),
        (
            Event(EventKind.ADDED, "three", B, 1),
            Event(EventKind.CHANGED, "one", A, 0),
            Event(EventKind.MOVED, "two", B, 0, A),
            Event(EventKind.ARCHIVED, HANDLES[1], ARCHIVE, len(HEADER) + len(frame(HANDLES[0], "tea"))),
        ),
        (Event(EventKind.CHANGED, "one", A, 0), Event(EventKind.MERGED, "two", B, 0, "one")),
        (Event(EventKind.REMOVED, "three", B, 0),),
    ]
    assert history.events(Oid("f" * 40)) == ()


def test_a_blocks_events_come_oldest_first(commits: MemoryCommits, line: list[Oid]) -> None:
    history = built(commits, line[-1]).history()
    found = [(link.commit, event.kind) for link, event in history.block("two")]
    assert found == [(line[0], "added"), (line[2], "moved"), (line[3], "merged")]
    assert history.block("nobody") == ()


def test_a_block_that_an_alias_carries_on_is_changed_under_both_ids(commits: MemoryCommits) -> None:
    first = commits.add({A: topic("Both.[^e-1] ^two ^one")})
    second = commits.add({A: topic("Both.[^e-1] ^two")}, first)
    assert built(commits, second).history().events(second) == (
        Event(EventKind.CHANGED, "one", A, 0, "two"),
        Event(EventKind.CHANGED, "two", A, 0),
    )


def test_derive_commits_are_passed_by(commits: MemoryCommits, line: list[Oid]) -> None:  # architecture.md section 1
    history = built(commits, line[1]).history()
    assert history.revision().commit == line[0]
    assert history.derived(history.revision()) == line[1]
    assert [link.commit for link in history.commits(9)] == [line[0]]
    assert history.find(line[1]).derive
    assert history.find(line[2]) is None
    assert history.derived(history.find(line[1])) is None


def test_an_empty_commit_on_a_memory_commit_is_derived_and_a_root_never_is(commits: MemoryCommits) -> None:
    root = commits.add({"core.md": b"# Core\n"})
    empty = commits.add({"core.md": b"# Core\n"}, root)
    merge = commits.add({"core.md": b"# Core, merged\n"}, empty, root)
    history = built(commits, merge).history()
    assert [history.find(commit).derive for commit in (root, empty, merge)] == [False, True, False]


def test_pages_of_history(commits: MemoryCommits, line: list[Oid]) -> None:
    history = built(commits, line[-1]).history()
    assert [link.commit for link in history.commits(2)] == [line[4], line[3]]
    assert [link.commit for link in history.commits(9, until=history.find(line[2]))] == [line[2], line[0]]
    assert [link.commit for link in history.touching(B, 9)] == [line[4], line[3], line[2]]
    assert [link.commit for link in history.touching(B, 1)] == [line[4]]
    assert [link.commit for link in history.touching("topics", 9, until=history.find(line[3]))] == [
        line[3], line[2], line[0],
    ]  # fmt: skip
    assert history.touching("topic", 9) == ()
    assert history.touching("core.md", 9) == ()


def test_who_archived_a_message(commits: MemoryCommits, line: list[Oid]) -> None:
    history = built(commits, line[-1]).history()
    assert [history.archived(handle).commit for handle in HANDLES[:2]] == [line[0], line[2]]
    assert history.archived(HANDLES[2]) is None


def test_creation_follows_the_first_parents_only(commits: MemoryCommits) -> None:  # behaviours.md 0.6
    root = commits.add({A: topic(ONE)})
    side = commits.add({A: topic(ONE), B: topic(THREE)}, root)
    main = commits.add({A: topic(ONE, TWO)}, root)
    merge = commits.add({A: topic(ONE, TWO), B: topic(THREE)}, main, side)
    facts = built(commits, merge).facts()
    assert [facts.created(name) for name in ("one", "two", "three")] == [0, 1, 2]


def test_an_id_that_comes_back_keeps_its_place(commits: MemoryCommits) -> None:  # behaviours.md 0.6
    first = commits.add({A: topic(ONE, TWO)})
    second = commits.add({A: topic(TWO)}, first)
    third = commits.add({A: topic(THREE, ONE, TWO)}, second)
    catalog = built(commits, third)
    assert [claim.id for claim in catalog.facts().recent(9)] == ["one", "two", "three"]
    catalog.refresh(second)
    assert [claim.id for claim in catalog.facts().recent(9)] == ["two"]
    assert catalog.facts().created_count() == 2


def test_a_commit_of_many_events_is_noted_in_parts(commits: MemoryCommits, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chain, "HELD_EVENTS", 2)
    tip = commits.add({A: topic(ONE, TWO, THREE)})
    assert [event.id for event in built(commits, tip).history().events(tip)] == ["one", "two", "three"]


def test_a_commit_of_many_files_is_read_without_remembering(commits: MemoryCommits) -> None:
    files = {f"topics/{n:03}.md": topic(f"Tea {n}.[^e-1] ^b{n}") for n in range(100)}
    tip = commits.add(files)
    later = commits.add({path: data.replace(b"Tea", b"More tea") for path, data in files.items()}, tip)
    catalog = built(commits, tip)
    catalog.refresh(later)
    assert len(catalog.history().events(later)) == 100
    assert {event.kind for event in catalog.history().events(later)} == {EventKind.CHANGED}
    assert catalog.corpus().totals().documents == 100
