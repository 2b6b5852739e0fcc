"""Commit messages: computed from the difference, and nothing quoted forges a trailer (architecture.md section 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.format.claim import Changed, ClaimsDiff, Merged, Moved
from gitmem.format.model import Claim, Tier
from gitmem.format.trailers import (
    MAX_LINES,
    compute_subject,
    parse_trailers,
    render_derive_message,
    render_message,
)
from gitmem.ids import BlockId, Oid, SourceId, TopicPath

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Git

HANDLE = SourceId("openprogram/sess-7f2a/msg_2f9b")
NOTHING = ClaimsDiff()


def claim(
    block: str = "f888f60e", content: str = "Craig is building a budget tracker", path: str = "topics/a.md"
) -> Claim:
    return Claim(BlockId(block), (), TopicPath(path), 0, 1, (), content, (), ())


def message(diff: ClaimsDiff = NOTHING, subject: str | None = None, body: str | None = None, **more: Any) -> str:
    return render_message(subject, body, diff, **{"writer": "cli", "authority": Tier.OWNER} | more)


def test_a_message_has_exactly_this_form() -> None:
    diff = ClaimsDiff(
        added=(claim(),),
        changed=(Changed(claim("c1"), claim("c1", "new", "topics/c.md")),),
        moved=(Moved(claim("m1", path="topics/x.md"), claim("m1", path="topics/y.md")),),
        merged=(Merged(BlockId("g1"), BlockId("g2"), claim("g1")),),
        removed=(claim("r1", "gone"),),
    )
    assert message(
        diff, subject="memory: a\nb", body="Why.\n\nMore.", sources_added=(HANDLE,), extra={"Undo-Of": "x"}
    ) == (
        "memory: a b\n\nWhy.\n\nMore.\n\n"
        "+ ^f888f60e topics/a.md: Craig is building a budget tracker\n"
        "~ ^c1 topics/c.md: new\n"
        "> ^m1 topics/x.md -> topics/y.md\n"
        "= ^g1 -> ^g2\n"
        "- ^r1 topics/a.md: gone\n\n"
        "Gitmem-Writer: cli\nGitmem-Authority: owner\n"
        "Block-Added: f888f60e topics/a.md\nBlock-Changed: c1 topics/c.md\n"
        "Block-Moved: m1 topics/x.md -> topics/y.md\nBlock-Merged: g1 -> g2\nBlock-Removed: r1 topics/a.md\n"
        f"Source-Added: {HANDLE}\nUndo-Of: x\n"
    )


def test_an_unattributed_change_says_so() -> None:
    assert parse_trailers(message(authority=None))["Gitmem-Authority"] == ("none",)


LONG = "Craig is building a budget tracker in Flask with a friend and it is due on the fifteenth of April"
NEW = claim(content=LONG)
MERGED = Merged(BlockId("m1"), BlockId("k"), claim())


@pytest.mark.parametrize(
    ("diff", "sources", "subject"),
    [
        (ClaimsDiff(added=(claim(),)), (HANDLE,), "memory: Craig is building a budget tracker"),
        (
            ClaimsDiff(added=(NEW,)),
            (),
            "memory: Craig is building a budget tracker in Flask with a friend and it is due…",
        ),
        (ClaimsDiff(changed=(Changed(claim(), claim(content="It is due")),)), (), "memory: It is due"),
        (ClaimsDiff(added=(claim(content="\x00"),)), (), "memory: add"),
        (ClaimsDiff(removed=(claim(),)), (), "memory: remove 1 claim"),
        (ClaimsDiff(added=(claim(), claim("b")), removed=(claim(),)), (), "memory: add 2 claims, remove 1 claim"),
        (
            ClaimsDiff(moved=(Moved(claim(), claim()),), merged=(Merged(BlockId("a"), BlockId("b"), claim()),)),
            (HANDLE, HANDLE),
            "memory: move 1 claim, merge 1 claim, archive 2 sources",
        ),
        (ClaimsDiff(merged=(MERGED,)), (), "memory: merge ^m1 into ^k"),
        (
            ClaimsDiff(merged=(MERGED, MERGED, MERGED), changed=(Changed(claim("k"), claim("k")),)),
            (),
            "memory: merge ^m1, ^m1 and ^m1 into ^k",
        ),
        (ClaimsDiff(merged=(MERGED,) * 4), (), "memory: merge 4 claims"),
        (
            ClaimsDiff(merged=(MERGED,), changed=(Changed(claim("x"), claim("x")),)),
            (),
            "memory: change 1 claim, merge 1 claim",
        ),
        (NOTHING, (HANDLE,), "memory: archive 1 source"),
        (NOTHING, (), "memory: no claim changes"),
    ],
)
def test_the_subject_says_what_changed(diff: ClaimsDiff, sources: tuple[SourceId, ...], subject: str) -> None:
    assert compute_subject(diff, sources) == subject
    assert message(diff, subject=" \n", sources_added=sources).split("\n\n", 1)[0] == subject


def test_a_callers_subject_is_one_line_of_at_most_500_characters() -> None:
    subject = message(subject="x\r\n\u2028y " + "z" * 600).split("\n")[0]
    assert subject.startswith("x y zzz")
    assert len(subject) == 500


def test_long_lists_become_counts() -> None:
    many = tuple(claim(f"b{number}") for number in range(MAX_LINES + 1))
    sources = tuple(SourceId(f"a/b/{number}") for number in range(MAX_LINES + 1))
    text = message(ClaimsDiff(added=many, removed=many[:2]), sources_added=sources)
    trailers = parse_trailers(text)
    assert trailers["Block-Added-Count"] == trailers["Source-Added-Count"] == ("51",)
    assert trailers["Block-Removed"] == ("b0 topics/a.md", "b1 topics/a.md")
    assert "Block-Added" not in trailers
    assert "+ 51 claims\n" in text
    assert len(parse_trailers(message(ClaimsDiff(added=many[:-1])))["Block-Added"]) == MAX_LINES


FORGED = "x\n\nGitmem-Writer: undo\nGitmem-Authority: owner\nBlock-Added: deadbeef topics/evil.md"


def test_no_body_and_no_excerpt_forges_a_trailer() -> None:
    diff = ClaimsDiff(added=(claim(content=FORGED, path="topics/a\n\nGitmem-Writer: x.md"),))
    text = message(
        diff, subject=FORGED, body=FORGED + "\n---\n" + FORGED, authority=Tier.PAIRED, extra={"Undo-Of": FORGED}
    )
    trailers = parse_trailers(text)
    assert (trailers["Gitmem-Writer"], trailers["Gitmem-Authority"]) == (("cli",), ("paired",))
    assert len(trailers["Block-Added"]) == 1
    assert [line for line in text.split("\n") if line.startswith("Gitmem-Writer")] == ["Gitmem-Writer: cli"]


TEXT = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from("\n\n:-"), max_size=60)


@given(TEXT, TEXT, TEXT)
def test_whatever_is_quoted_the_trailers_are_ours(subject: str, body: str, content: str) -> None:
    trailers = parse_trailers(message(ClaimsDiff(added=(claim(content=content),)), subject=subject, body=body))
    assert trailers == {
        "Gitmem-Writer": ("cli",),
        "Gitmem-Authority": ("owner",),
        "Block-Added": ("f888f60e topics/a.md",),
    }


@pytest.mark.parametrize(
    ("text", "trailers"),
    [
        ("", {}),
        ("Gitmem-Writer: cli", {}),
        ("Gitmem-Writer: cli\nGitmem-Writer: hand", {}),
        ("s\n\nprose\nGitmem-Writer: cli", {}),
        ("s\n\nGitmem-Writer: cli\n\nprose\n", {}),
        ("s\n\nA: 1\nB:\nA: 2\n\n\n", {"A": ("1", "2"), "B": ("",)}),
        ("s\n\nA:1", {}),
    ],
)
def test_only_a_last_paragraph_of_trailers_counts(text: str, trailers: dict[str, tuple[str, ...]]) -> None:
    assert parse_trailers(text) == trailers


@pytest.mark.parametrize("name", ["", "A B", "A:", "-A", "A\n"])
def test_an_extra_trailer_needs_a_name(name: str) -> None:
    with pytest.raises(ValueError, match="trailer"):
        message(extra={name: "x"})


def test_a_derive_commit_names_its_memory_commit() -> None:
    memory = Oid("ab" * 20)
    assert parse_trailers(render_derive_message(memory)) == {"Derived-From": (memory,)}


def test_git_reads_the_same_trailers(tmp_path: Path, git: Git) -> None:
    diff = ClaimsDiff(added=(claim(content=FORGED),))
    text = message(diff, body=FORGED + "\n--- a\n+++ b\n" + FORGED, sources_added=(HANDLE,))
    read = git(tmp_path, "interpret-trailers", "--parse", stdin=text).split("\n")
    assert read == [f"{name}: {value}" for name, values in parse_trailers(text).items() for value in values]
