"""Who sees what: every way to read, for every reader, of every kind of source (behaviours.md part 8, 8.14-8.18)."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

import pytest

from gitmem.errors import GitmemError, NotAllowed, NotFound
from gitmem.facts.trust import claim_trust, claim_visibility
from gitmem.format.model import Tier, TrustState
from gitmem.ids import BlockId
from gitmem.policy.authority import Capability
from gitmem.policy.visibility import sees
from gitmem.workspace import Workspace
from gitmem.workspace.rights import capability_of
from sharing import KINDS, MIXED_FILE, NAMED, Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Sees = Callable[[Workspace, Kind], bool]

FIRST, NOW = "HEAD~3", "HEAD"
"""The commit of the topics' first words, and the current one."""


def _found(ask: Callable[[], object]) -> bool:
    try:
        ask()
    except NotFound:
        return False
    return True


def _search(workspace: Workspace, kind: Kind, at: str | None = None) -> bool:
    return kind.block in {hit.id for hit in workspace.search(kind.word, k=10, topics_only=True, at=at).results}


def _search_message(workspace: Workspace, kind: Kind) -> bool:
    return kind.handle in {hit.id for hit in workspace.search(kind.word, k=10, path="sources").results}


def _search_within(workspace: Workspace, kind: Kind) -> bool:
    return bool(workspace.search("budget said", path=kind.path, first="2024", last="2024").results)


def _search_speaker(workspace: Workspace, kind: Kind) -> bool:
    return bool(workspace.search("budget", speaker=f"{kind.word}id").results)


def _grep(workspace: Workspace, kind: Kind, path: str = "topics") -> bool:
    return bool(workspace.grep(kind.word, path=path).results)


def _grep_blanks(workspace: Workspace, kind: Kind) -> bool:
    """A line of which nothing is visible matches nothing, not even blanks."""
    found = workspace.grep(r"^ *$|.", path=kind.path, is_regex=True)
    return any(line.text.strip() for line in found.results)


def _get_in_mix(workspace: Workspace, kind: Kind) -> bool:
    return kind.word in workspace.get(MIXED_FILE).content


def _browse(workspace: Workspace, kind: Kind, prefix: str | None = None) -> bool:
    answer = workspace.browse(kind.path if prefix is None else prefix)
    assert answer.total == len(answer.entries)
    return answer.total > 0


def _holdings(workspace: Workspace, kind: Kind) -> bool:
    """Whether the file that holds something of everything counts the kind: all of them, or the shared ones."""
    (entry,) = workspace.browse(MIXED_FILE).entries
    counted = {len(KINDS): True, sum(one.shared for one in KINDS): kind.shared}
    return counted[entry.blocks]


def _history(workspace: Workspace, kind: Kind, at: str | None = None) -> bool:
    return _found(lambda: workspace.history(kind.block, at=at))


def _why(workspace: Workspace, kind: Kind, at: str | None = None) -> bool:
    return _found(lambda: workspace.why(kind.block, at=at))


def _diff(workspace: Workspace, kind: Kind) -> bool:
    answer = workspace.diff(FIRST, NOW)
    changed = kind.block in {one.id for one in answer.claims.changed}
    assert (kind.path in {one.path for one in answer.stat}) == changed
    assert (f"{kind.word}2" in {one.id for one in answer.claims.added}) == changed
    return changed


def _status(workspace: Workspace, kind: Kind) -> bool:
    """Whether the counts hold the kind: all of it, or only what is shared."""
    topics = workspace.status().topics
    shared = sum(one.shared for one in KINDS)
    everything = (len(KINDS) + 3, 2 * len(KINDS) + 2)  # with the mixed file, the core, and what cites nothing
    return {everything: True, (shared + 1, 2 * shared): kind.shared}[topics]


def _memory(workspace: Workspace, kind: Kind) -> bool:
    memory = workspace.memory()
    found = bool(memory.facts.claims(BlockId(kind.block)))
    assert found == (memory.snapshot.entry(kind.path) is not None) == (memory.snapshot.read(kind.path) is not None)
    assert found == bool(memory.facts.of_topic(kind.path))  # type: ignore[arg-type]
    assert found == (kind.path in {entry.path for entry in memory.snapshot.entries()})
    return found


BLOCKS: Mapping[str, Sees] = {
    "search": _search,
    "search --at": lambda w, kind: _search(w, kind, FIRST),
    "search --path --from --to": _search_within,
    "grep": _grep,
    "grep --regex": _grep_blanks,
    "get PATH": lambda w, kind: _found(lambda: w.get(kind.path)),
    "get PATH --at": lambda w, kind: _found(lambda: w.get(kind.path, at=FIRST)),
    "get BLOCK": lambda w, kind: _found(lambda: w.get(f"^{kind.block}")),
    "get --block": lambda w, kind: _found(lambda: w.get(MIXED_FILE, block=f"{kind.word}2")),
    "get --heading": lambda w, kind: _found(lambda: w.get(MIXED_FILE, heading=f"The {kind.word} part")),
    "get, of a mixed file": _get_in_mix,
    "browse": _browse,
    "browse, counts": _holdings,
    "history": _history,
    "history --at": lambda w, kind: _history(w, kind, FIRST),
    "why": _why,
    "why --at": lambda w, kind: _why(w, kind, FIRST),
    "why --text": lambda w, kind: bool(w.why(text=f"the {kind.word} was").results),
    "diff": _diff,
    "status": _status,
    "memory": _memory,
}

MESSAGES: Mapping[str, Sees] = {
    "search": _search_message,
    "grep": lambda w, kind: _grep(w, kind, "sources"),
    "get HANDLE": lambda w, kind: _found(lambda: w.get(kind.handle)),
    "get PATH": lambda w, kind: _found(lambda: w.get(kind.archive)),
    "browse": lambda w, kind: _browse(w, kind, kind.archive),
}

GIVEN: Mapping[str, Sees] = {
    "recall": lambda w, kind: f"^{kind.block}:" in w.recall(kind.word, k=10).text,
    "recall --at": lambda w, kind: f"^{kind.block}:" in w.recall(kind.word, k=10, at=FIRST).text,
    "context": lambda w, kind: kind.block in w.context(kind.word, k=10).blocks,
}
"""What models are given without asking: of what may be seen, that which somebody vouches for."""

DOUBTFUL = {"pending", "mixedpending", "lost"}

NOTHING_OF_MEMORY = {
    "resolve",  # the id of a commit
    "pending_turns",  # a number of turns, of conversations that are no memory yet
}


def test_every_way_to_read_has_a_row() -> None:
    methods = {name for name, one in inspect.getmembers(Workspace, callable) if capability_of(one) is Capability.READ}
    assert methods - NOTHING_OF_MEMORY == {surface.replace(",", "").split()[0] for surface in (*BLOCKS, *GIVEN)}


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
@pytest.mark.parametrize("reader", ["owner", "paired", "nobody"])
@pytest.mark.parametrize("surface", BLOCKS)
def test_blocks(readers: Mapping[str, Workspace], surface: str, reader: str, kind: Kind) -> None:
    _check(readers[reader], BLOCKS[surface], reader, kind)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.has_message], ids=lambda kind: kind.name)
@pytest.mark.parametrize("reader", ["owner", "paired", "nobody"])
@pytest.mark.parametrize("surface", MESSAGES)
def test_messages(readers: Mapping[str, Workspace], surface: str, reader: str, kind: Kind) -> None:
    _check(readers[reader], MESSAGES[surface], reader, kind)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.has_message and not kind.legacy], ids=lambda k: k.name)
@pytest.mark.parametrize("reader", ["owner", "paired", "nobody"])
def test_speakers(readers: Mapping[str, Workspace], reader: str, kind: Kind) -> None:
    # behaviours.md 16.2
    _check(readers[reader], _search_speaker, reader, kind)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
@pytest.mark.parametrize("reader", ["owner", "paired", "nobody"])
@pytest.mark.parametrize("surface", GIVEN)
def test_what_is_given(readers: Mapping[str, Workspace], surface: str, reader: str, kind: Kind) -> None:
    # behaviours.md 8.15
    if reader != "nobody" and kind.name in DOUBTFUL:
        assert not GIVEN[surface](readers[reader], kind)
    else:
        _check(readers[reader], GIVEN[surface], reader, kind)


def _check(workspace: Workspace, surface: Sees, reader: str, kind: Kind) -> None:
    if reader == "nobody":
        with pytest.raises(NotAllowed):
            surface(workspace, kind)
    else:
        assert surface(workspace, kind) == (reader == "owner" or kind.shared)


# --- what decides it


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_block_is_trusted_and_shared_when_all_of_its_sources_are(
    readers: Mapping[str, Workspace], kind: Kind
) -> None:
    # behaviours.md 8.14, and "visibility"
    facts = readers["owner"].memory().facts
    (claim,) = facts.claims(BlockId(kind.block))
    assert claim_trust(facts, claim) is (TrustState.PENDING if kind.name in DOUBTFUL else TrustState.TRUSTED)
    assert claim_visibility(facts, claim) is (Tier.PAIRED if kind.shared else Tier.OWNER)


def test_explicit_search_shows_the_owner_what_is_pending_and_says_so(readers: Mapping[str, Workspace]) -> None:
    # behaviours.md 8.15, 8.18
    found = readers["owner"].search(NAMED["pending"].word, k=10).results
    states = {hit.id: hit.trust_state for hit in found}
    assert states[NAMED["pending"].block] == states[NAMED["pending"].handle] == "pending"


@pytest.mark.parametrize(
    ("reader", "seen"), [(Tier.OWNER, (True, True)), (Tier.PAIRED, (False, True)), (None, (False, False))]
)
def test_sees(reader: Tier | None, seen: tuple[bool, bool]) -> None:
    assert (sees(reader, Tier.OWNER), sees(reader, Tier.PAIRED)) == seen


# --- that something is hidden does not show


@pytest.mark.parametrize("kind", [kind for kind in KINDS if not kind.shared], ids=lambda kind: kind.name)
@pytest.mark.parametrize("at", [None, FIRST])
def test_what_is_hidden_fails_as_what_never_was(readers: Mapping[str, Workspace], kind: Kind, at: str | None) -> None:
    reader = readers["paired"]
    absent = "nowhere"

    def error(ask: Callable[[str], object], word: str) -> tuple[str, str, str | None, str]:
        with pytest.raises(GitmemError) as caught:
            ask(word)
        failure = caught.value
        told = (failure.code, failure.message, failure.path, repr(failure.details))
        return tuple(str(one).replace(word, "WORD") for one in told)  # type: ignore[return-value]

    questions: list[Callable[[str], object]] = [
        lambda word: reader.get(f"topics/{word}.md", at=at),
        lambda word: reader.get(word, at=at),
        lambda word: reader.get(f"topics/{word}.md", heading=f"About {word}", at=at),
        lambda word: reader.get(f"topics/{word}.md", block=f"{word}1", at=at),
        lambda word: reader.get(f"^{word}1", at=at),
        lambda word: reader.get(f"chat/{word}/m1", at=at),
        lambda word: reader.get(f"sources/chat/_v2/{word}.md", at=at),
        lambda word: reader.get(f"sources/chat/{word}.md", at=at),
        lambda word: reader.history(f"{word}1", at=at),
        lambda word: reader.why(f"{word}1", at=at),
        lambda word: reader.why(f"topics/{word}.md", at=at),
    ]
    for ask in questions:
        assert error(ask, kind.word) == error(ask, absent)


def test_no_count_tells_of_hidden_things(readers: Mapping[str, Workspace]) -> None:
    shared = sum(kind.shared for kind in KINDS)
    for k in range(1, 11):
        found = readers["paired"].search("budget", k=k)
        everything = 2 * shared + shared + 1  # blocks, messages, and the one of the group
        assert (len(found.results), found.truncated) == (min(k, everything), k < everything)
    browsed = readers["paired"].browse()
    assert (browsed.total, browsed.truncated) == (2 * shared + 2, False)
    status = readers["paired"].status()
    assert (status.sources.files, status.sources.records, status.sources.pending) == (shared + 1, shared + 1, 0)
    assert (status.dirty, status.autosaves, status.rescues, status.core.left_out) == ((), 0, 0, ())


@pytest.mark.parametrize("path", ["core.md", "recent_events.jsonl", "sources/promotions.jsonl", ".gitmem"])
def test_files_of_the_owner_are_as_files_that_never_were(readers: Mapping[str, Workspace], path: str) -> None:
    # behaviours.md part 8: of the views only the shared core is for paired callers
    absent = path.replace("core", "cord").replace("events", "evils").replace("gitmem", "gitmen")
    absent = absent.replace("promotions", "promotiom")
    assert readers["owner"].get(path).content
    failures = []
    for asked in (path, absent):
        with pytest.raises(NotFound) as caught:
            readers["paired"].get(asked)
        failures.append((caught.value.code, caught.value.message.replace(asked, "PATH")))
    assert absent != path
    assert failures[0] == failures[1]


def test_the_working_directory_is_the_owners(readers: Mapping[str, Workspace]) -> None:
    readers["owner"].diff()
    with pytest.raises(NotAllowed):
        readers["paired"].diff()
