"""Merging three texts of a topic block by block (architecture.md section 3, step 8)."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.edit.three_way import merge_topics
from gitmem.format.topic import parse_topic
from gitmem.ids import BlockId, TopicPath

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.edit.three_way import Merged

PATH = TopicPath("topics/people/ada.md")


def note(name: str, when: str = "2024") -> str:
    return f"[^{name}]: Time: `{when}`; Sources: [said](../../sources/p/_v2/t.md#source-{name})"


def block(name: str, text: str = "", evidence: str | None = None) -> str:
    return f"{text or f'Claim {name}.'}[^{evidence or f'e-{name}'}] ^{name}"


def both(name: str, text: str = "") -> tuple[str, str]:
    return block(name, text), note(f"e-{name}")


def topic(*parts: str) -> str:
    return "\n\n".join(parts) + "\n" if parts else ""


def merge(base: str, ours: str, theirs: str) -> Merged:
    return merge_topics(PATH, base, ours, theirs)


def ids(text: str) -> list[str]:
    return [held for found in parse_topic(PATH, text).blocks for held in found.ids]


def headings(text: str, name: str) -> tuple[str, ...]:
    return next(found.headings for found in parse_topic(PATH, text).blocks if found.id == name)


BASE = topic("# Ada", *both("a"), *both("b"), "## Work", *both("c"))


def test_neighbouring_paragraphs_are_no_conflict() -> None:
    ours = BASE.replace("Claim a.", "Claim A.")
    theirs = BASE.replace("Claim b.", "Claim B.")
    assert merge(BASE, ours, theirs).text == ours.replace("Claim b.", "Claim B.")


def test_both_add_at_the_same_place() -> None:
    ours = topic("# Ada", *both("a"), *both("b"), *both("x"), "## Work", *both("c"))
    theirs = topic("# Ada", *both("a"), *both("b"), *both("y"), "## Work", *both("c"))
    expected = topic("# Ada", *both("a"), *both("b"), *both("x"), *both("y"), "## Work", *both("c"))
    assert merge(BASE, ours, theirs).text == expected


def test_a_paragraph_and_a_section_added_at_one_place_do_not_mix() -> None:
    ours = BASE + "\n" + topic("## Home", *both("x"))
    theirs = BASE + "\n" + topic(*both("y"))
    for one, two in ((ours, theirs), (theirs, ours)):
        merged = merge(BASE, one, two)
        assert merged.clean
        assert headings(merged.text, "x") == ("Ada", "Home")
        assert headings(merged.text, "y") == ("Ada", "Work")


def test_a_deeper_section_stays_under_the_one_it_was_added_to() -> None:
    ours = BASE + "\n" + topic("## Home", *both("x"))
    theirs = BASE + "\n" + topic("### Desk", *both("y"))
    for one, two in ((ours, theirs), (theirs, ours)):
        merged = merge(BASE, one, two)
        assert merged.clean
        assert headings(merged.text, "x") == ("Ada", "Home")
        assert headings(merged.text, "y") == ("Ada", "Work", "Desk")


def test_a_moved_block_keeps_what_the_other_side_wrote_into_it() -> None:
    ours = topic("# Ada", *both("b"), "## Work", *both("c"), *both("a"))
    theirs = BASE.replace("Claim a.", "Claim A.")
    merged = merge(BASE, ours, theirs)
    assert merged.text == ours.replace("Claim a.", "Claim A.")
    assert merge(BASE, theirs, ours).text == merged.text


def test_what_is_added_under_a_renamed_heading_stands_under_its_new_name() -> None:
    ours = BASE.replace("## Work", "## Trade")
    theirs = BASE.replace("## Work\n\n", "## Work\n\n" + topic(*both("x")) + "\n")
    for one, two in ((ours, theirs), (theirs, ours)):
        merged = merge(BASE, one, two)
        assert merged.clean
        assert headings(merged.text, "x") == headings(merged.text, "c") == ("Ada", "Trade")


def test_a_removed_section_stays_for_what_was_added_to_it() -> None:
    ours = topic("# Ada", *both("a"), *both("b"))
    theirs = BASE + "\n" + topic(*both("x"))
    for one, two in ((ours, theirs), (theirs, ours)):
        merged = merge(BASE, one, two)
        assert merged.clean
        assert ids(merged.text) == ["a", "b", "x"]
        assert headings(merged.text, "x") == ("Ada", "Work")


def test_a_footnote_that_one_side_removed_and_the_other_cites_stays() -> None:
    ours = topic("# Ada", *both("b"), "## Work", *both("c"))
    theirs = BASE + "\n" + block("x", evidence="e-a") + "\n"
    merged = merge(BASE, ours, theirs)
    assert merged.clean
    assert ids(merged.text) == ["b", "c", "x"]
    assert parse_topic(PATH, merged.text).defects == ()


def test_a_footnote_that_nobody_cites_any_more_goes() -> None:
    base = topic("# Ada", block("a", evidence="e-1"), block("b", evidence="e-1"), note("e-1"), *both("c"))
    ours = topic("# Ada", block("b", evidence="e-1"), note("e-1"), *both("c"))
    theirs = topic("# Ada", block("a", evidence="e-1"), note("e-1"), *both("c"))
    assert merge(base, ours, theirs).text == topic("# Ada", *both("c"))


def test_a_footnote_that_both_added_is_defined_once_whatever_its_labels() -> None:
    ours = BASE + "\n" + topic(block("x", evidence="e-9"), note("e-9"))
    theirs = BASE + "\n" + topic(block("y", evidence="e-9"), note("e-9").replace("said", "told"))
    merged = merge(BASE, ours, theirs)
    assert merged.clean
    assert parse_topic(PATH, merged.text).defects == ()
    assert merged.text.count("[^e-9]:") == 1


def test_a_block_that_both_changed_is_named_and_shown_twice() -> None:
    ours = BASE.replace("Claim a.", "Claim A.").replace("Claim c.", "Claim C.")
    theirs = BASE.replace("Claim a.", "Claim aa.")
    merged = merge_topics(PATH, BASE, ours, theirs, ("yours", "memory"))
    assert [clash.block for clash in merged.clashes] == [BlockId("a")]
    marked = f"<<<<<<< yours\n{block('a', 'Claim A.')}\n=======\n{block('a', 'Claim aa.')}\n>>>>>>> memory"
    assert merged.text == ours.replace(block("a", "Claim A."), marked)


def test_a_block_that_one_side_removed_and_the_other_changed_is_a_conflict() -> None:
    ours = BASE.replace("Claim a.", "Claim A.")
    theirs = topic("# Ada", *both("b"), "## Work", *both("c"))
    for one, two in ((ours, theirs), (theirs, ours)):
        merged = merge(BASE, one, two)
        assert [clash.name for clash in merged.clashes] == ["^a"]
        assert "Claim A." in merged.text


def test_a_block_that_both_moved_to_different_places_is_a_conflict() -> None:
    base = topic("# Ada", *both("a"), "## Work", *both("b"), "## Home", *both("c"))
    ours = topic("# Ada", "## Work", *both("b"), *both("a"), "## Home", *both("c"))
    theirs = topic("# Ada", "## Work", *both("b"), "## Home", *both("c"), *both("a"))
    assert [clash.name for clash in merge(base, ours, theirs).clashes] == ["^a"]
    assert merge(base, ours, ours).text == ours


def test_an_id_that_both_took_into_another_block_is_a_conflict() -> None:
    ours = BASE.replace(topic(*both("a")) + "\n", "").replace("] ^b", "] ^a ^b")
    theirs = BASE.replace(topic(*both("a")) + "\n", "").replace("] ^c", "] ^a ^c")
    assert not merge(BASE, ours, theirs).clean


def test_text_outside_of_blocks_is_merged_too() -> None:
    base = topic("---\ntags: x\n---", "# Ada", "- a list", *both("a"))
    ours, theirs = base.replace("tags: x", "tags: y"), base.replace("- a list", "- another")
    assert merge(base, ours, theirs).text == ours.replace("- a list", "- another")
    clash = merge(base, base.replace("- a list", "- mine"), theirs)
    assert [found.name for found in clash.clashes] == ["list '- mine'"]


def test_an_unclosed_fence_does_not_swallow_the_other_side() -> None:
    ours, theirs = BASE.replace("## Work", "```\ncode\n\n## Work"), BASE + "\n" + topic(*both("x"))
    assert not merge(BASE, ours, theirs).clean


def test_a_new_file_on_both_sides() -> None:
    merged = merge("", topic("# Ada", *both("x")), topic("# Ada", *both("y")))
    assert merged.text == topic("# Ada", *both("x"), *both("y"))


def test_crlf_on_one_side_is_no_edit() -> None:
    ours, theirs = BASE.replace("\n", "\r\n"), BASE.replace("Claim a.", "Claim A.")
    assert merge(BASE, ours, theirs).text == theirs


# --- properties

NAMES = "abcdefgh"
TITLES = ["# Ada", "## Work", "## Home", "### Desk", "## Trade"]
EXTRA = [
    "- a list",
    "<!-- a comment -->",
    "> a quote",
    "Loose words.",
    "```\n# fence\n```",
    "Unit.[^mem_a] More.[^mem_b]",
]


@st.composite
def texts(draw: st.DrawFn, *, new: str = "", words: tuple[str, ...] = ("Claim.", "Word.")) -> str:
    """A topic with some of the blocks, those of ``new`` among them, in any order."""
    names = draw(st.lists(st.sampled_from(NAMES), unique=True, max_size=6)) + list(new)
    parts = [
        block(name, draw(st.sampled_from(words)), draw(st.sampled_from(["e-1", "e-2", f"e-{name}"]))) for name in names
    ]
    parts += draw(st.lists(st.sampled_from(TITLES + EXTRA), max_size=4, unique=True))
    parts = draw(st.permutations(parts))
    notes = [note(f"e-{name}") for name in ("1", "2", *names)] + [note("mem_a"), note("mem_b")]
    text = "\n\n".join(parts)
    used = [line for line in dict.fromkeys(notes) if f"{line.partition(':')[0]}" in text]
    gap = draw(st.sampled_from(["\n", "\n\n"]))
    return text + ("\n\n" + gap.join(used) if used else "") + draw(st.sampled_from(["\n", "", "\n\n"]))


@settings(max_examples=40)
@given(texts(), texts())
def test_a_merge_with_an_unchanged_side_is_the_other_side(base: str, changed: str) -> None:
    assert merge(base, base, changed).text == merge(base, changed, base).text == changed
    assert merge(base, changed, changed).text == changed


@settings(max_examples=40)
@given(texts(), texts(new="x"), texts(new="y"))
def test_no_block_that_one_side_added_is_lost(base: str, ours: str, theirs: str) -> None:
    merged = merge(base, ours, theirs)
    for side in (ours, theirs):
        for found in parse_topic(PATH, side).blocks:
            if found.id not in ids(base):
                assert side[found.start : found.end] in merged.text


PARTS = ["# Ada", block("a"), block("b"), "- a list", "## Work", block("c"), block("d"), "### Desk", block("e")]


@st.composite
def edits(draw: st.DrawFn, mine: str) -> str:
    """A few changes to the same file; what is brought in is the side's own."""
    parts = list(PARTS)
    for number in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(parts) - 1))
        deed = draw(st.sampled_from(["change", "remove", "move", "add", "head"]))
        if deed == "change":
            parts[at] = parts[at].replace("Claim", f"Claim by {mine},")
        elif deed == "add":
            parts.insert(at, block(f"{mine}{number}"))
        elif deed == "head":
            parts.insert(at, f"{draw(st.sampled_from(['##', '###']))} {mine} {number}")
        elif len(parts) > 1:
            part = parts.pop(at)
            if deed == "move":
                parts.insert(draw(st.integers(0, len(parts))), part)
    return with_notes(parts)


def with_notes(parts: list[str]) -> str:
    held = [part.rpartition("^")[2] for part in parts if "] ^" in part]
    return topic(*parts, *(note(f"e-{name}") for name in held))


@settings(max_examples=40)
@given(edits("x"), edits("y"))
def test_sides_may_be_exchanged(ours: str, theirs: str) -> None:
    base = with_notes(PARTS)
    one, two = merge(base, ours, theirs), merge(base, theirs, ours)
    if one.clean and two.clean:  # runs of headings without blocks may fit in one order only
        assert sorted(filter(None, one.text.split("\n"))) == sorted(filter(None, two.text.split("\n")))


@settings(max_examples=40)
@given(texts(), texts(new="x"), texts(new="y"))
def test_a_clean_merge_says_of_each_block_what_the_side_says_that_changed_it(base: str, ours: str, theirs: str) -> None:
    merged = merge(base, ours, theirs)
    if not merged.clean:
        return
    was, one, two, now = (
        {found.id: text[found.start : found.end] for found in parse_topic(PATH, text).blocks}
        for text in (base, ours, theirs, merged.text)
    )
    for name in was | one | two:
        expected = two.get(name) if one.get(name) == was.get(name) else one.get(name)
        assert now.get(name) == expected
    defects = {defect.code for text in (base, ours, theirs) for defect in parse_topic(PATH, text).defects}
    assert {defect.code for defect in parse_topic(PATH, merged.text).defects} <= defects


@settings(max_examples=40)
@given(st.data())
def test_disjoint_edits_merge_to_both(data: st.DataObject) -> None:
    names = list(NAMES)
    base = topic("# Ada", *(part for name in names for part in both(name)))
    mine = data.draw(st.sets(st.sampled_from(names)))
    ours = theirs = base
    for name in names:
        if name in mine:
            ours = ours.replace(f"Claim {name}.", f"Mine {name}.")
        else:
            theirs = theirs.replace(f"Claim {name}.", f"Theirs {name}.")
    merged = merge(base, ours, theirs)
    assert merged.clean
    expected = [f"{'Mine' if name in mine else 'Theirs'} {name}." for name in names]
    assert [found.content for found in parse_topic(PATH, merged.text).blocks] == expected
    positions = [merged.text.index(line) for line in expected]
    assert all(one < two for one, two in pairwise(positions))


@pytest.mark.parametrize("text", ["", "\n", "# Ada\n", "\n\n# Ada"])
def test_texts_without_blocks_merge(text: str) -> None:
    assert merge(text, BASE, text).text == BASE
    assert merge(text, text, text).text == text


def test_real_topics_take_an_edit_at_either_end(shared_data: Path) -> None:
    folder = shared_data / "openprogram" / "topics_legacy_sources"
    for file in sorted(folder.glob("topics/**/*.md"))[:8]:
        base, path = file.read_text("utf-8"), TopicPath(file.relative_to(folder).as_posix())
        blocks = parse_topic(path, base).blocks
        assert len(blocks) > 1
        assert merge_topics(path, base, base, f"{base}x").text == f"{base}x"
        ours = base[: blocks[0].start] + "Mine: " + base[blocks[0].start :]
        theirs = base[: blocks[-1].start] + "Theirs: " + base[blocks[-1].start :]
        both_of = base[: blocks[0].start] + "Mine: " + base[blocks[0].start : blocks[-1].start] + "Theirs: "
        merged = merge_topics(path, base, ours, theirs)
        assert merged.clashes == ()
        assert merged.text == both_of + base[blocks[-1].start :]
