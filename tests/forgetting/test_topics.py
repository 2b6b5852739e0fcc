"""What becomes of a topic when messages are erased: clause by clause, and no other byte."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from gitmem.forgetting.erased import Erased, Shared, digest
from gitmem.forgetting.topics import CleanTopic, clean_topic, without_links
from gitmem.format.evidence import evidence_id, render_definition
from gitmem.format.layout import anchor
from gitmem.format.model import SourceLink
from gitmem.format.topic import parse_topic
from gitmem.ids import BlockId, TopicPath

if TYPE_CHECKING:
    from collections.abc import Iterable

PATH = TopicPath("topics/a.md")


def erased(*numbers: int, shared: Shared = Shared.KEEP) -> Erased:
    return Erased(frozenset(digest(f"p/t/m{number}") for number in numbers), shared)


def note(*numbers: int) -> str:
    """The id of the evidence of some messages."""
    return evidence_id("2024", [f"p/t/m{number}" for number in numbers])


def line(*numbers: int) -> str:
    """The footnote that links to them."""
    links = [SourceLink(f"m{n}", f"../sources/p/_v2/t.md#{anchor(f'p/t/m{n}')}", None) for n in numbers]
    return render_definition(note(*numbers), "2024", links)  # type: ignore[arg-type]  # a test's plain text


def topic(*paragraphs: str, notes: Iterable[tuple[int, ...]]) -> str:
    return "\n\n".join(["# Ada", *paragraphs, *(line(*numbers) for numbers in notes)]) + "\n"


def clean(text: str, *numbers: int, shared: Shared = Shared.KEEP) -> CleanTopic:
    return clean_topic(PATH, text, erased(*numbers, shared=shared))


def test_a_clause_goes_and_the_others_stay() -> None:
    text = topic(f"Ada moved,[^{note(1)}] likes tea[^{note(2)}] and sings.[^{note(3)}] ^b1", notes=[(1,), (2,), (3,)])
    assert clean(text, 2).text == topic(f"Ada moved,[^{note(1)}] and sings.[^{note(3)}] ^b1", notes=[(1,), (3,)])
    assert clean(text, 1).text == topic(f"likes tea[^{note(2)}] and sings.[^{note(3)}] ^b1", notes=[(2,), (3,)])
    assert clean(text, 3).text == topic(f"Ada moved,[^{note(1)}] likes tea[^{note(2)}] ^b1", notes=[(1,), (2,)])


def test_a_clause_with_other_evidence_keeps_its_words_or_goes() -> None:
    text = topic(f"Ada moved.[^{note(1)}][^{note(2)}] ^b1", f"Bob.[^{note(3)}] ^b2", notes=[(1,), (2,), (3,)])
    kept = clean(text, 1)
    assert kept.text == topic(f"Ada moved.[^{note(2)}] ^b1", f"Bob.[^{note(3)}] ^b2", notes=[(2,), (3,)])
    assert [(cut.before.id, cut.shared) for cut in kept.cuts] == [("b1", True)]
    removed = clean(text, 1, shared=Shared.REMOVE)
    assert removed.text == topic(f"Bob.[^{note(3)}] ^b2", notes=[(3,)])
    assert removed.gone == {"b1"}


def test_a_footnote_loses_one_of_its_sources() -> None:
    text = topic(f"Ada moved.[^{note(1, 2)}] ^b1", notes=[(1, 2)])
    left = clean(text, 1).text
    assert left == text.replace(f"[m1](../sources/p/_v2/t.md#{anchor('p/t/m1')}), ", "")
    assert clean(text, 1, shared=Shared.REMOVE).text is None


def test_the_last_block_takes_its_headings_and_the_file_with_it() -> None:
    home = f"## Home\n\nAda rests.[^{note(2)}] ^b2\n\n{line(2)}\n"
    text = f"# Ada\n\n## Work\n\nAda works.[^{note(1)}] ^b1\n\n{line(1)}\n\n{home}"
    assert clean(text, 1).text == f"# Ada\n\n{home}"
    assert clean(text, 1, 2).text is None


def test_what_cannot_be_read_as_the_block_any_more_goes_whole() -> None:
    text = topic(f"Ada said[^{note(1)}] - nothing.[^{note(2)}] ^b1", f"Bob.[^{note(3)}] ^b2", notes=[(1,), (2,), (3,)])
    assert clean(text, 1).text == topic(f"Bob.[^{note(3)}] ^b2", notes=[(3,)])


def test_handles_that_stand_plainly_and_paragraphs_without_ids() -> None:
    stays = "Bob.[^e2] ^b2\n\n[^e2]: Time: `2024`; Sources: p/t/m2\n"
    text = f"# Ada\n\nTyped and refused.[^e1]\n\n[^e1]: Time: `2024`; Sources: p/t/m1\n\n{stays}"
    assert clean(text, 1).text == f"# Ada\n\n{stays}"


def test_legacy_units_go_one_by_one() -> None:
    notes = [f"[^mem_{n}]: 2024 · Sources: [D1:{n}](../sources/D1.md#d1-{n})\n" for n in (1, 2)]
    text = f"# Ada\n\nAda moved.[^mem_1] Ada sings.[^mem_2]\n\n{''.join(notes)}"
    gone = Erased(frozenset([digest("D1:1")]))
    left = clean_topic(PATH, text, gone).text
    assert left == f"# Ada\n\nAda sings.[^mem_2]\n\n{notes[1]}"


def test_links_to_what_is_dead_become_words() -> None:
    text = topic(f"See [her (old) home](b.md#^b9) and [his](b.md#^b8).[^{note(1)}] ^b1", notes=[(1,)])
    left = without_links(PATH, text, frozenset([BlockId("b9")]))
    assert left == topic(f"See her (old) home and [his](b.md#^b8).[^{note(1)}] ^b1", notes=[(1,)])


_clause = st.tuples(
    st.text(alphabet="ab ,.-#>*\n", min_size=1, max_size=12),
    st.lists(st.lists(st.integers(1, 6), min_size=1, max_size=2, unique=True).map(tuple), min_size=1, max_size=2),
)
_blocks = st.lists(st.lists(_clause, min_size=1, max_size=3), min_size=1, max_size=4)


def written(blocks: list[list[tuple[str, list[tuple[int, ...]]]]]) -> str:
    """A topic of such blocks, each followed by the footnotes that no earlier one brought along."""
    seen: set[tuple[int, ...]] = set()
    parts = ["# Ada"]
    for number, clauses in enumerate(blocks):
        marks = ((prose, "".join(f"[^{note(*numbers)}]" for numbers in cited)) for prose, cited in clauses)
        parts.append("".join(f"x{prose}y{mark}" for prose, mark in marks) + f" ^b{number}")
        for numbers in (numbers for _, cited in clauses for numbers in cited):
            if numbers not in seen:
                seen.add(numbers)
                parts.append(line(*numbers))
    return "\n\n".join(parts) + "\n"


@given(_blocks, st.sets(st.integers(1, 6), min_size=1), st.sampled_from(Shared))
def test_whatever_stands_there(
    blocks: list[list[tuple[str, list[tuple[int, ...]]]]], gone: set[int], shared: Shared
) -> None:
    text = written(blocks)
    before = parse_topic(PATH, text)
    left = clean_topic(PATH, text, erased(*gone, shared=shared)).text
    after = parse_topic(PATH, left or "")
    assert not any(anchor(f"p/t/m{number}") in (left or "") for number in gone)
    assert {(d.code, d.block) for d in after.defects} <= {(d.code, d.block) for d in before.defects}
    texts = {block.id: after.text[block.start : block.end] for block in after.blocks}
    for block in before.blocks:
        sources = [link for c in block.citations for d in before.definitions if d.id == c.id for link in d.sources]
        hit = [erased(*gone).link(link) for link in sources]
        if sources and all(hit):
            assert block.id not in texts
        if not any(hit):
            assert texts[block.id] == text[block.start : block.end]
    assert clean_topic(PATH, left or "", erased(*gone, shared=shared)).text == (left or "")
