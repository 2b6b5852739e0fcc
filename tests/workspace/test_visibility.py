"""Who sees what: every way to read, for every tier, over every kind of evidence (``behaviours.md`` part 8)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from gitmem.answers import to_json
from gitmem.errors import Code, GitmemError, NotAllowed, NotFound
from gitmem.policy.authority import Capability
from gitmem.workspace import Workspace
from gitmem.workspace.rights import capability_of
from tiers import CLAIMS, HIDDEN, MESSAGES, MESSAGES_SEEN, READERS, SEEN, Shared, handle, share

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Shared:
    return share(tmp_path_factory.mktemp("shared") / "w")


def _by_id(shared: Shared, ask: Callable[[str], object]) -> list[str]:
    """The blocks about which an answer is given when each is asked for by id."""

    def answers(block: str) -> bool:
        try:
            ask(block)
        except NotFound:
            return False
        return True

    return [block for block in shared.ids.values() if answers(block)]


def _files(memory: Workspace) -> list[str]:
    return [entry.path for entry in memory.browse().entries if entry.path.startswith("topics/")]


SURFACES: dict[str, Callable[[Workspace, Shared], Iterable[str]]] = {
    "search": lambda m, _s: [hit.id for hit in m.search("tea", k=100, topics_only=True).results],
    "search at a revision": lambda m, _s: [hit.id for hit in m.search("tea", k=100, at="HEAD").results],
    "grep": lambda m, _s: [line.id for line in m.grep("tea").results if line.kind == "block" and line.id],
    "grep, by an expression": lambda m, _s: [line.id for line in m.grep(".", is_regex=True).results if line.id],
    "get a file": lambda m, _s: [block.id for path in _files(m) for block in m.get(path).blocks],
    "get a block": lambda m, s: _by_id(s, m.get),
    "why": lambda m, s: _by_id(s, m.why),
    "why, by words": lambda m, _s: [one.id for one in m.why(text="tea").results],
    "history": lambda m, s: _by_id(s, m.history),
    "diff": lambda m, _s: [one.id for one in m.diff(_first(m), "HEAD").claims.added],
    "memory": lambda m, _s: [claim.id for path in _files(m) for claim in m.memory().facts.of_topic(path)],  # type: ignore[arg-type]
}


def _first(memory: Workspace) -> str:
    from gitmem.store.refs import first_parents  # noqa: PLC0415

    return str(list(first_parents(memory.repo, memory.memory().commit))[-1].oid)


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("surface", SURFACES)
def test_the_matrix(shared: Shared, surface: str, reader: str) -> None:  # part 8, "capabilities" and "visibility"
    with shared.opened(reader) as memory:
        if reader == "nobody":
            with pytest.raises(NotAllowed):
                SURFACES[surface](memory, shared)
        else:
            assert shared.names(SURFACES[surface](memory, shared)) == SEEN[reader]


@pytest.mark.parametrize("reader", ["owner", "paired"])
def test_messages_are_seen_by_their_tier(shared: Shared, reader: str) -> None:
    wanted = {handle(message) for message in MESSAGES_SEEN[reader]}
    with shared.opened(reader) as memory:
        hits = memory.search("tea", k=100).results
        assert {hit.id for hit in hits if hit.kind == "source"} == wanted
        assert {line.id for line in memory.grep("tea", path="sources/").results} == wanted
        for message in MESSAGES:
            if handle(message) in wanted:
                assert memory.get(handle(message)).kind == "source"
            else:
                with pytest.raises(GitmemError) as caught:
                    memory.get(handle(message))
                assert caught.value.code is Code.SOURCE_NOT_FOUND
        said = [hit.id for hit in memory.search("tea", k=100, speaker="2").results]
        assert said == [handle("pair1"), handle("pair2")] or set(said) == {handle("pair1"), handle("pair2")}
        assert {
            source.id for one in memory.why(text="tea").results for e in one.evidence for source in e.sources
        } <= wanted


def test_what_is_cut_is_cut_among_what_is_seen(shared: Shared) -> None:  # 16.1
    with shared.opened("paired") as memory:
        for k in (1, 2, 3):
            answer = memory.search("tea", k=k, topics_only=True)
            assert (len(answer.results), answer.truncated) == (k, k < 3)
        assert memory.search(HIDDEN).results == ()
        assert (
            memory.search("tea", speaker=HIDDEN).results == memory.search("tea", speaker="nobody at all").results == ()
        )


def test_counts_are_of_what_is_seen(shared: Shared) -> None:
    with shared.opened("paired") as memory:
        held = {entry.path: (entry.blocks, entry.records) for entry in memory.browse().entries}
        assert held == {
            "topics/people/ada.md": (2, 0),
            "topics/places/harbour.md": (1, 0),
            "sources/chat/_v2/guests.md": (0, 1),
            "sources/chat/_v2/mixed.md": (0, 2),
        }
        assert memory.browse().total == 4
        status = memory.status()
        assert (status.topics.files, status.topics.blocks) == (2, 3)
        assert (status.sources.files, status.sources.records, status.sources.pending) == (2, 3, 0)


def test_lines_are_those_of_the_file(shared: Shared) -> None:  # 16.11
    with shared.opened("owner") as owner, shared.opened("paired") as paired:
        physical = {line.id: line.line for line in owner.grep("tea").results}
        for line in paired.grep("tea").results:
            assert physical[line.id] == line.line
        for hit in paired.search("tea", k=100).results:
            assert physical[hit.id] == hit.line


def test_an_earlier_revision_shows_what_was_shared_then(shared: Shared) -> None:
    with shared.opened("owner") as owner:
        promoting = [one for one in owner.log(limit=100).transactions if one.writer == "promote"]
    with shared.opened("paired") as memory:
        before = memory.search("harbour sells", at=f"{promoting[-1].revision}~1").results
        assert [hit.id for hit in before if hit.kind == "source"] == [handle("pair2")]


@pytest.mark.parametrize("asked", ["get", "why", "history"])
def test_hidden_and_absent_are_told_in_the_same_words(shared: Shared, asked: str) -> None:
    with shared.opened("paired") as memory:
        told = []
        for block in (shared.ids["owner's"], "deadbeef"):
            with pytest.raises(GitmemError) as caught:
                getattr(memory, asked)(block)
            told.append(caught.value.message.replace(block, "ID"))
        assert told[0] == told[1]
        told = []
        for path in (f"topics/places/{HIDDEN}.md", "topics/places/nowhere.md"):
            with pytest.raises(GitmemError) as caught:
                memory.get(path)
            told.append(caught.value.message.replace(path, "PATH"))
        assert told[0] == told[1]


READING = sorted(name for name in dir(Workspace) if capability_of(getattr(Workspace, name, None)) is Capability.READ)
TOLD = {
    "search": [("tea",), (HIDDEN[:4],), ("harbour",)],
    "grep": [("",), ("a",), ("e-",), ("#",)],
    "get": [("topics/people/ada.md",), ("people/ada",), ("sources/chat/_v2/mixed.md",), ("core.shared.md",)],
    "browse": [(), ("topics/",), ("sources/",), ("timeline/",), ("core",)],
    "status": [()],
    "diff": [("HEAD~3", "HEAD"), ("HEAD~9", "HEAD~2")],
    "why": [("topics/",), ("people/ada.md",)],
    "history": [("deadbeef",)],
    "memory": [],
    "recall": [("tea",), ("harbour",)],
    "context": [(), ("tea",)],
    "resolve": [("HEAD",)],
    "pending_turns": [()],
}


def test_every_way_to_read_is_in_the_table() -> None:
    assert set(READING) <= set(TOLD)


@pytest.mark.parametrize("name", [name for name in READING if TOLD[name]])
def test_nothing_that_is_told_to_a_paired_reader_holds_what_is_hidden(shared: Shared, name: str) -> None:
    with shared.opened("paired") as memory:
        for arguments in TOLD[name]:
            try:
                told = json.dumps(to_json(getattr(memory, name)(*arguments)))
            except GitmemError as error:
                told = f"{error.message} {error.details} {error.findings}"
            assert HIDDEN not in told.casefold()


def test_claims_of_the_table_are_those_of_the_memory(shared: Shared) -> None:
    assert set(shared.ids) == set(CLAIMS)
