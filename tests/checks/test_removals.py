"""A writer takes away little, and only what it was shown: ``gitmem.writer.maxRemovedShare`` (behaviours.md 0.19)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from archives import ARCHIVE, archive, block, topic
from gitmem.authority import Authority
from gitmem.checks import removals
from gitmem.format.model import Tier
from gitmem.ids import BlockId
from gitmem.request import NoEdit, Person, RemovalBudget, Request, Surface

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from gitmem.errors import Finding

SOURCES = {ARCHIVE: archive("m1", "m2")}
ADA = "topics/people/ada.md"
BOB = "topics/people/bob.md"
NAMES = ("a1", "a2", "a3", "a4", "a5")


def said(name: str, words: str | None = None, *, aliases: str = "", message: str = "m1") -> str:
    return block(words or f"Ada says {name}.", name, message, up=2).replace(f" ^{name}\n", f"{aliases} ^{name}\n", 1)


def memory(*names: str) -> Mapping[str, bytes | str]:
    return {**SOURCES, ADA: topic("Ada", *(said(name) for name in names))}


def within(blocks: int, *seen: str, everything: bool = False) -> Request:
    budget = RemovalBudget(blocks, None if everything else frozenset(BlockId(name) for name in seen))
    return Request(
        NoEdit(), Authority(Tier.OWNER, "owner"), Surface.BACKGROUND, Person("w", "w@localhost"), removals=budget
    )


def test_only_a_budget_limits_what_is_removed(codes: Callable[..., list[object]]) -> None:
    assert codes(removals, memory(*NAMES), memory("a1")) == []
    without = Request(NoEdit(), Authority(Tier.OWNER, "owner"), Surface.CLI, Person("w", "w@localhost"))
    assert codes(removals, memory(*NAMES), memory("a1"), request=without) == []


def test_up_to_the_budget_blocks_may_go(codes: Callable[..., list[object]]) -> None:
    before = memory(*NAMES)
    assert codes(removals, before, memory("a1", "a2"), request=within(3, everything=True)) == []
    assert codes(removals, before, memory("a1", "a2"), request=within(2, everything=True)) == [
        ("too-many-removed", ADA, line) for line in (11, 15, 19)
    ]
    assert len(codes(removals, before, SOURCES, request=within(4, everything=True))) == 5


def test_what_needs_a_reason_does_not_go_without(codes: Callable[..., list[object]]) -> None:
    before = {**SOURCES, ADA: topic("Ada", said("a1"), said("a2", aliases=" ^old2"), said("a3"))}
    for unexplained, after, lines in (
        ({"a2"}, [said("a1"), said("a3")], [7]),
        ({"old2", "a3"}, [said("a1")], [7, 11]),
        ({"a2", "a3"}, [said("a1"), said("a2", aliases=" ^old2 ^a3")], []),  # a3 was merged
        ({"a1"}, [said("a1"), said("a3")], []),
    ):
        budget = RemovalBudget(3, None, frozenset(map(BlockId, unexplained)))
        request = replace(within(3), removals=budget)
        found = codes(removals, before, {**SOURCES, ADA: topic("Ada", *after)}, request=request)
        assert found == [("removal-without-reason", ADA, line) for line in lines]


def test_the_list_names_each_block_with_its_place_and_words(findings: Callable[..., list[Finding]]) -> None:
    found = findings(removals, memory("a1", "a2"), memory("a1"), request=within(0, everything=True))
    assert [(f.check, f.code, f.path, f.line, f.block) for f in found] == [
        ("removals", "too-many-removed", ADA, 7, "a2")
    ]
    assert found[0].message == "^a2 would be removed, one of 1 where 0 more may be: Ada says a2."


def test_a_move_is_no_removal(codes: Callable[..., list[object]]) -> None:
    moved = {**SOURCES, BOB: topic("Bob", *(said(name) for name in NAMES))}
    assert codes(removals, memory(*NAMES), moved, request=within(0)) == []
    split = {**memory(*NAMES[:2]), BOB: topic("Bob", *(said(name) for name in NAMES[2:]))}
    assert codes(removals, memory(*NAMES), split, request=within(0)) == []


def test_a_merge_is_no_removal(codes: Callable[..., list[object]]) -> None:
    merged = {**SOURCES, ADA: topic("Ada", said("a3", aliases=" ^a1 ^a2"))}
    before = memory("a1", "a2", "a3")
    assert codes(removals, before, merged, request=within(0, "a1", "a2")) == []
    assert codes(removals, before, merged, request=within(0, "a1")) == [("rewritten-unseen", ADA, 7)]


def test_a_lost_alias_is_a_removal(codes: Callable[..., list[object]]) -> None:
    merged = {**SOURCES, ADA: topic("Ada", said("a3", aliases=" ^a1 ^a2"), said("a4"))}
    for left in (said("a3", aliases=" ^a2"), said("a2", "Ada says a3.", aliases=" ^a1")):
        after = {**SOURCES, ADA: topic("Ada", left, said("a4"))}
        assert codes(removals, merged, after, request=within(1, "a1", "a2")) == []
        assert codes(removals, merged, after, request=within(0, "a3")) == [("too-many-removed", ADA, 3)]


def test_what_was_not_shown_may_not_go(codes: Callable[..., list[object]]) -> None:
    before = memory("a1", "a2", "a3")
    assert codes(removals, before, memory("a1"), request=within(3, "a2", "a3")) == []
    assert codes(removals, before, memory("a1"), request=within(3, "a2")) == [("removed-unseen", ADA, 11)]
    both = codes(removals, before, SOURCES, request=within(2, "a2"))
    assert [code for code, *_ in both] == ["too-many-removed"] * 3 + ["removed-unseen"] * 2


def test_what_was_not_shown_may_not_be_rewritten(findings: Callable[..., list[Finding]]) -> None:
    before = memory("a1", "a2")
    after = {**SOURCES, ADA: topic("Ada", said("a1", "Ada says nothing."), said("a2"))}
    assert findings(removals, before, after, request=within(3, "a1")) == []
    (found,) = findings(removals, before, after, request=within(3, "a2"))
    assert (found.code, found.block, found.line) == ("rewritten-unseen", "a1", 3)
    assert found.message == "^a1 would be rewritten, and the writer was not shown it: Ada says a1."
    other = {**SOURCES, ADA: topic("Ada", said("a1", message="m2"), said("a2"))}
    assert [f.code for f in findings(removals, before, other, request=within(3, "a2"))] == ["rewritten-unseen"]


def test_what_was_not_shown_may_gain_evidence_and_follow_a_move(codes: Callable[..., list[object]]) -> None:
    linked = said("a1", "Ada says [it](ada.md#^a2).")
    before = {**SOURCES, ADA: topic("Ada", linked, said("a2"))}
    moved = {
        **SOURCES,
        ADA: topic("Ada", linked.replace("(ada.md", "(bob.md").replace(" says ", "\nsays ")),
        BOB: topic("Bob", said("a2")),
    }
    assert codes(removals, before, moved, request=within(0)) == []
    more = said("a2").replace("[^e-a2] ", "[^e-a2][^e-b] ") + said("b", message="m2").partition("\n\n")[2]
    assert codes(removals, before, {**before, ADA: topic("Ada", linked, more)}, request=within(0)) == []
