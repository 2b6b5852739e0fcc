"""Operations of one request that are carried out together read as if they came one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from archives import ARCHIVE, archive, block, handle, topic
from gitmem.authority import Authority
from gitmem.edit.apply import apply_edit
from gitmem.facts.scan import scan_facts
from gitmem.format.model import Tier
from gitmem.format.topic import claims_of
from gitmem.ids import BlockId, TopicPath
from gitmem.request import (
    CreateRecord,
    Destination,
    Person,
    Position,
    RecordsEdit,
    Request,
    SourceRef,
    Surface,
)
from memory_tree import MemoryTree

if TYPE_CHECKING:
    from gitmem.request import RecordOperation

FILES = {
    ARCHIVE: archive("m1", "m2", "m3"),
    "topics/a.md": topic("A", block("First.", "aaaa1111"), "## Part\n", block("Second.", "bbbb2222", "m2")),
}
PLACES = [
    Destination(TopicPath("topics/a.md"), ("A",)),
    Destination(TopicPath("topics/a.md"), ("A", "Part")),
    Destination(TopicPath("topics/a.md"), ("A", "New")),
    Destination(TopicPath("topics/b.md"), ("B",)),
    Destination(TopicPath("topics/a.md"), ("A",), Position.START),
    Destination(TopicPath("topics/a.md"), ("A",), Position.AFTER, BlockId("aaaa1111")),
]
CREATES = st.builds(
    lambda number, message, when, place: CreateRecord(
        f"Fact {number}.", when, (SourceRef(handle(message), message),), place
    ),
    st.integers(0, 9),
    st.sampled_from(["m1", "m2", "m3"]),
    st.sampled_from(["2024", None]),
    st.sampled_from(PLACES),
)


def applied(tree: MemoryTree, *operations: RecordOperation) -> None:
    request = Request(
        edit=RecordsEdit(operations),
        authority=Authority(Tier.OWNER, "owner"),
        surface=Surface.CLI,
        author=Person("A", "a@example.invalid"),
    )
    apply_edit(request, tree, scan_facts(tree), {})


def told(tree: MemoryTree) -> list[object]:
    """Every claim in file order; nothing may be wrong with the files, but footnotes may stand in other places."""
    topics = [found for entry in tree.entries("topics") if (found := tree.topic(entry.path)) is not None]
    claims = [
        (c.path, c.ordinal, c.id, c.headings, c.content, c.evidence) for found in topics for c in claims_of(found)
    ]
    assert not any(found.defects for found in topics)
    return list(claims)


@given(st.lists(CREATES, min_size=1, max_size=7, unique_by=lambda operation: operation.content))
def test_many_records_at_once_are_those_of_one_by_one(operations: list[CreateRecord]) -> None:
    together, apart = MemoryTree(FILES), MemoryTree(FILES)
    applied(together, *operations)
    for operation in operations:
        applied(apart, operation)
    assert told(together) == told(apart)


def test_the_same_record_twice_gets_two_ids() -> None:
    tree = MemoryTree(FILES)
    twice = CreateRecord("Again.", "2024", (SourceRef(handle("m1"), "m1"),), PLACES[0])
    applied(tree, twice, twice)
    ids = [claim.id for claim in scan_facts(tree).of_topic(TopicPath("topics/a.md")) if claim.content == "Again."]
    assert len(set(ids)) == 2
