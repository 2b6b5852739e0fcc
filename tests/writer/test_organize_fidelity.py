"""A rearrangement that says something else is noticed, whatever it is."""

from __future__ import annotations

import pytest

from gitmem.format.topic import parse_topic
from gitmem.ids import TopicPath
from gitmem.writer.organize_fidelity import faithful
from gitmem.writer.organize_joining import joined
from gitmem.writer.organize_units import read_units
from memory_workspace import block, defined

A, B = TopicPath("topics/a.md"), TopicPath("topics/b.md")
ONE, TWO = block("Ada lives in [Basel](b.md#^b1).", "a1"), block("Ben sings.", "a2", 2)
TEXT = f"# A\n\n{ONE}\n## Work\n\n{TWO}\n- a list\n"


def says_the_same(text: str, before: str = TEXT) -> bool:
    return faithful({A: parse_topic(A, before)}, {A: parse_topic(A, text)})


def test_order_and_blank_lines_say_nothing() -> None:
    assert says_the_same(TEXT)
    assert says_the_same(TEXT.replace("\n\n## Work", "\n\n\n## Work"))
    assert says_the_same(f"# A\n\n{TWO}\n{ONE}", f"# A\n\n{ONE}\n{TWO}")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(TWO, "", id="a block is lost"),
        pytest.param("Ben sings.", "Ben sang.", id="words"),
        pytest.param("^a2", "^a3", id="an id"),
        pytest.param("^a2", "^a3 ^a2", id="an id more"),
        pytest.param("## Work", "## Play", id="a heading"),
        pytest.param("`2024`", "`2023`", id="a time"),
        pytest.param(f"[^{defined(2)[0]}] ", f"[^{defined(1)[0]}] ", id="evidence"),
        pytest.param("Ben sings.", f"Ben[^{defined(1)[0]}] sings.", id="a clause"),
        pytest.param("b.md#^b1", "b.md#^b2", id="what is linked"),
        pytest.param("- a list", "", id="text without evidence"),
        pytest.param(defined(2)[1], defined(2)[1] * 2, id="a defect more"),
    ],
)
def test_anything_else_does(old: str, new: str) -> None:
    assert old in TEXT
    assert not says_the_same(TEXT.replace(old, new))


def test_a_block_that_absorbed_another_has_its_ids_and_evidence() -> None:
    (one, line_one), (two, line_two) = defined(1), defined(2)
    before = f"Ada sings.[^{one}] ^a1\n\n{line_one}\nAda sings![^{two}] ^a2\n\n{line_two}"
    notes = f"\n\n{line_one}{line_two}"
    assert says_the_same(f"Ada sings.[^{one}][^{two}] ^a2 ^a1{notes}", before)
    assert not says_the_same(f"Ada sings.[^{one}] ^a2 ^a1{notes}", before)
    assert not says_the_same(f"Ada sings![^{one}][^{two}] ^a2 ^a1{notes}", before)


def test_paragraphs_join_the_section_of_their_heading_which_is_made_where_it_is_missing() -> None:
    source = parse_topic(
        A, f"# A\n\n## Work\n\n{block('Ben sings.', 'a2', 2)}\nPlay\n----\n\n{block('Eve runs.', 'a3', 3)}"
    )
    there = parse_topic(B, f"# A\n\n{block('Ada reads.', 'b1')}\n### Work\n\n{block('Ada works.', 'b2', 4)}\n# Z\n")
    text = joined(B, there, source, read_units(source)).text
    assert text == (
        f"# A\n\n{block('Ada reads.', 'b1')}\n### Work\n\n{block('Ada works.', 'b2', 4)}\n"
        f"{block('Ben sings.', 'a2', 2)}\nPlay\n----\n\n{block('Eve runs.', 'a3', 3)}\n# Z\n"
    )


def test_a_heading_that_would_not_be_below_its_parent_is_made_deeper() -> None:
    source = parse_topic(A, f"# A\n\n## Work\n\n{block('Ben sings.', 'a2', 2)}")
    there = parse_topic(B, f"## A\n\n{block('Ada reads.', 'b1')}")
    assert joined(B, there, source, read_units(source)).text == (
        f"## A\n\n{block('Ada reads.', 'b1')}\n### Work\n\n{block('Ben sings.', 'a2', 2)}"
    )
