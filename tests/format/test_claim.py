from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.format.claim import ClaimsDiff, compare
from gitmem.format.model import CitedEvidence, Claim, SourceLink
from gitmem.ids import BlockId, EvidenceId, Target, TopicPath

if TYPE_CHECKING:
    from collections.abc import Iterable

PLAN = SourceLink("plan", "../sources/D1.md#d1-1", Target("sources/D1.md#d1-1"))


def claim(  # noqa: PLR0913  (a builder: every argument is one field)
    *ids: str,
    path: str = "topics/a.md",
    ordinal: int = 0,
    content: str = "Fact.",
    headings: tuple[str, ...] = ("A",),
    when: str | None = "2024",
    sources: tuple[SourceLink, ...] = (PLAN,),
) -> Claim:
    *aliases, own = (BlockId(name) for name in ids)
    evidence = (CitedEvidence(EvidenceId("e-1"), when, content, sources),)
    return Claim(own, tuple(aliases), TopicPath(path), ordinal, ordinal + 1, headings, content, evidence, ())


def told(before: Iterable[Claim], after: Iterable[Claim]) -> dict[str, list[str]]:
    """The difference as own ids, empty lists left out."""
    diff = compare(before, after)
    named = {
        "added": [c.id for c in diff.added],
        "changed": [f"{c.before.id}>{c.after.id}" for c in diff.changed],
        "moved": [f"{c.before.id}>{c.after.id}" for c in diff.moved],
        "merged": [f"{c.id}>{c.into}" for c in diff.merged],
        "removed": [c.id for c in diff.removed],
    }
    assert bool(diff) == any(named.values())
    return {name: ids for name, ids in named.items() if ids}


def test_nothing_differs() -> None:
    claims = [claim("a"), claim("x", "b", ordinal=1)]
    assert told(claims, claims) == {}
    assert compare([], []) == ClaimsDiff()


def test_added_and_removed() -> None:
    assert told([claim("a")], [claim("b")]) == {"added": ["b"], "removed": ["a"]}


@pytest.mark.parametrize(
    "now",
    [
        claim("a", content="Other."),
        claim("a", when=None),
        claim("a", sources=(replace(PLAN, resolved=Target("sources/D1.md#d1-2")),)),
        claim("a", sources=(PLAN, PLAN)),
        claim("x", "a"),
        replace(claim("a"), evidence=(replace(claim("a").evidence[0], id=EvidenceId("e-2")),)),
    ],
)
def test_prose_evidence_and_ids_are_changes(now: Claim) -> None:
    assert told([claim("a")], [now]) == {"changed": ["a>a"]}


@pytest.mark.parametrize(
    "now",
    [
        claim("a", ordinal=7),
        claim("a", sources=(replace(PLAN, label="another label"),)),
        claim("a", sources=(replace(PLAN, target="../../sources/D1.md#d1-1"),)),
    ],
)
def test_place_in_the_file_labels_and_relative_paths_are_not(now: Claim) -> None:
    assert told([claim("a")], [now]) == {}


def test_a_link_that_follows_a_moved_file_is_no_change_but_another_block_is() -> None:
    before = claim("a", content="See [b](b%20c.md#^b) (there).")
    assert told([before], [claim("a", content="See [b](../x/y.md#^b) (there).")]) == {}
    assert told([before], [claim("a", content="See [b](b%20c.md#^c) (there).")]) == {"changed": ["a>a"]}


def test_another_file_or_other_headings_is_a_move() -> None:
    assert told([claim("a")], [claim("a", path="topics/b.md")]) == {"moved": ["a>a"]}
    assert told([claim("a")], [claim("a", headings=("A", "B"))]) == {"moved": ["a>a"]}


def test_a_move_may_be_a_change_too() -> None:
    now = claim("a", path="topics/b.md", content="Other.")
    assert told([claim("a")], [now]) == {"changed": ["a>a"], "moved": ["a>a"]}


def test_a_block_absorbed_by_another_is_merged() -> None:
    before = [claim("a"), claim("b", ordinal=1), claim("c", path="topics/c.md")]
    assert told(before, [claim("c", "a", "b", ordinal=0)]) == {"changed": ["b>b"], "merged": ["c>b", "a>b"]}


def test_an_alias_that_becomes_its_own_block_is_added() -> None:
    assert told([claim("a", "b")], [claim("a"), claim("b", ordinal=1)]) == {"added": ["a"], "changed": ["b>b"]}


def test_an_alias_carries_on_a_block_that_lost_its_own_id() -> None:  # behaviours.md 5.8
    assert told([claim("a", "b")], [claim("a")]) == {"changed": ["b>a"]}
    assert told([claim("a", "b")], [claim("b", "a")]) == {"changed": ["b>a"]}
    assert told([claim("a", "b", "c")], [claim("a"), claim("b", ordinal=1)]) == {"added": ["b"], "changed": ["c>a"]}


def test_a_block_absorbed_elsewhere_is_merged_although_its_alias_stays() -> None:
    before, after = [claim("a", "b"), claim("c", ordinal=1)], [claim("a"), claim("b", "c", ordinal=1)]
    assert told(before, after) == {"added": ["a"], "changed": ["c>c"], "merged": ["b>c"]}


def test_a_merged_block_that_loses_every_id_is_removed() -> None:
    assert told([claim("a", "b")], []) == {"removed": ["b"]}


def test_twins_pair_up_in_their_own_file_first() -> None:
    before = [claim("a"), claim("a", path="topics/b.md", content="Twin.")]
    assert told(before, before[1:]) == {"removed": ["a"]}
    assert compare(before, before[1:]).removed == (before[0],)
    assert told(before, [claim("a", path="topics/c.md")]) == {"moved": ["a>a"], "removed": ["a"]}


def test_lists_are_in_path_and_file_order() -> None:
    after = [claim("d", path="topics/b.md"), claim("c", ordinal=1), claim("b")]
    assert told([], after) == {"added": ["b", "c", "d"]}
    assert told(after, []) == {"removed": ["b", "c", "d"]}


ids = st.lists(st.sampled_from("abcdefgh"), unique=True, max_size=8)


@st.composite
def states(draw: st.DrawFn) -> list[Claim]:
    """A memory: ids dealt out to blocks of two files, none standing twice."""
    blocks: list[Claim] = []
    pool = draw(ids)
    while pool:
        count = draw(st.integers(1, 3))
        path, content = draw(st.sampled_from(["topics/a.md", "topics/b.md"])), draw(st.sampled_from(["X.", "Y."]))
        blocks.append(claim(*pool[:count], path=path, content=content, ordinal=len(blocks)))
        pool = pool[count:]
    return blocks


@given(states(), states())
def test_every_claim_is_accounted_for_once(before: list[Claim], after: list[Claim]) -> None:
    diff = compare(before, after)
    gone = [*diff.removed, *(merged.before for merged in diff.merged)]
    assert len({c.id for c in gone}) == len(gone)
    assert len(before) - len(gone) == len(after) - len(diff.added)
    own_before, own_after = {c.id for c in before}, {c.id for c in after}
    everything_after = {name for c in after for name in c.ids}
    assert {c.id for c in diff.added}.isdisjoint(own_before)
    assert {c.id for c in diff.removed}.isdisjoint(everything_after)
    for merged in diff.merged:
        assert merged.into in own_after
        assert merged.id in next(c.aliases for c in after if c.id == merged.into)


@given(states(), states())
def test_the_way_back_undoes_what_was_added_and_removed(before: list[Claim], after: list[Claim]) -> None:
    there, back = compare(before, after), compare(after, before)
    assert compare(before, before) == ClaimsDiff()
    pairs = {(c.before, c.after) for c in (*there.changed, *there.moved) if c.before.id == c.after.id}
    assert pairs <= {(c.after, c.before) for c in (*back.changed, *back.moved)}
