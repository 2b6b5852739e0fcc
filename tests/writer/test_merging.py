"""Claims that were written twice become one, with the ids and the evidence of both (behaviours.md 1.5, 0.19)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archives import OWNER
from gitmem.format.evidence import evidence_id
from gitmem.format.frame import HEADER, render_frame
from gitmem.format.layout import anchor
from gitmem.format.model import CitedEvidence, Claim, Tier, TrustMetadata, TrustState
from gitmem.ids import BlockId, EvidenceId, SourceId, TopicPath
from gitmem.writer.merging import family_of
from gitmem.writer.merging_words import sayings, says_all_of
from memory_tree import MemoryTree
from memory_workspace import block, defined, link
from orderly import archived, ids, lost_links, other_text, passed, said

if TYPE_CHECKING:
    from collections.abc import Sequence


def claim(content: str, *whens: str) -> Claim:
    evidence = tuple(CitedEvidence(EvidenceId(f"e-{when}"), when, content, ()) for when in whens or ("2024",))
    return Claim(BlockId("a"), (), TopicPath("topics/a.md"), 0, 1, ("A",), content, evidence, ())


def absorbs(whole: str, part: str) -> bool:
    return says_all_of(sayings(claim(whole)), sayings(claim(part)))


@pytest.mark.parametrize(
    ("whole", "part"),
    [
        ("Ada lives in Basel.", "Ada lives in Basel!"),
        ("Ada is living in Basel now.", "Ada lives in Basel"),
        ("Ada adopted a black cat called Miso from the shelter.", "Ada adopted a cat called Miso from the shelter."),
        ("I really love green tea in the garden.", "I love green tea in the garden"),
        ("我喜欢喝茶。", "我喜欢喝茶！"),
    ],
)
def test_a_claim_absorbs_one_that_says_no_more(whole: str, part: str) -> None:
    assert absorbs(whole, part)


@pytest.mark.parametrize(
    ("whole", "part"),
    [
        ("Ada lives in Basel.", "Ada lives in Bern."),
        ("Ada adopted a cat called Miso from the shelter.", "Ada adopted a black cat called Miso from the shelter."),
        ("Ada gave Ben the old book.", "Ben gave Ada the old book."),
        ("Ada prefers tea over coffee.", "Ada prefers coffee over tea."),
        ("Ada moved from Basel to Bern.", "Ada moved from Bern to Basel."),
        ("Ada has a dog at home.", "Ada had a dog at home."),
        ("Ada stopped drinking green tea in the morning.", "Ada is drinking green tea in the morning."),
        ("Ada trinkt morgens nie grünen Tee im Garten.", "Ada trinkt morgens grünen Tee im Garten."),
        ("Ada may move to the house by the lake.", "Ada will move to the house by the lake."),
        ("The budget of the garden project is 50k.", "The budget of the garden project is 60k."),
        ("Ada lives in Basel. Ben works in Bern.", "Ada lives in Basel."),
        ("我不喜欢喝茶。", "我喜欢喝茶。"),
        ("Ada visited the harbour on 3 May 2023.", "Ada visited the harbour."),
    ],
)
def test_a_claim_does_not_absorb_what_it_does_not_say(whole: str, part: str) -> None:
    assert not absorbs(whole, part)


def test_what_names_a_day_is_the_same_only_on_that_day() -> None:
    said_then, said_later = (
        claim("Ada swam in the lake yesterday.", "2023-05-07"),
        claim("Ada swam in the lake yesterday."),
    )
    assert not says_all_of(sayings(said_then), sayings(said_later))
    assert says_all_of(sayings(said_then), sayings(claim("Yesterday Ada swam in the lake!", "2023-05-07")))


# --- in files ---------------------------------------------------------------------------------------------------

FIRST, AGAIN = "Ada lives in Basel by the river.", "Ada lives in Basel, by the river!"


def tree_of(**files: str) -> MemoryTree:
    return archived({f"topics/{name.replace('__', '/')}.md": text for name, text in files.items()})


def merged(*blocks: str, title: str = "# Ada\n\n") -> str:
    return passed(archived({"topics/a.md": title + "\n".join(blocks)})).text("topics/a.md")


def test_the_first_one_keeps_its_words_and_gets_every_id_and_all_evidence() -> None:
    tree = archived({"topics/a.md": "# Ada\n\n" + block(FIRST, "a1") + "\n" + block(AGAIN, "a2", 2)})
    (one, line_one), (two, line_two) = defined(1), defined(2)
    after = passed(tree)
    assert after.text("topics/a.md") == (f"# Ada\n\n{FIRST}[^{one}][^{two}] ^a2 ^a1\n\n{line_two}{line_one}")
    assert ids(after) == ids(tree)
    assert passed(after) is after


def test_the_fullest_telling_is_kept() -> None:
    full = "Ada adopted a black cat called Miso from the shelter."
    text = merged(block("Ada adopted a cat called Miso from the shelter.", "a1"), block(full, "a2", 2))
    assert f"{full}[^{defined(2)[0]}][^{defined(1)[0]}] ^a1 ^a2\n" in text
    assert text.count("^a1") == 1


def test_evidence_that_both_have_is_cited_once() -> None:
    text = merged(block(FIRST, "a1"), f"{AGAIN}[^{defined(1)[0]}] ^a2\n")
    assert text == f"# Ada\n\n{FIRST}[^{defined(1)[0]}] ^a2 ^a1\n\n{defined(1)[1]}"


def test_three_tellings_become_one_block_with_their_aliases() -> None:
    text = merged(block(FIRST, "a1"), block(AGAIN, "a2", 2), f"{FIRST}[^{defined(3)[0]}] ^x ^a3\n\n{defined(3)[1]}")
    assert " ^a2 ^x ^a3 ^a1\n" in text


def test_headings_of_a_month_do_not_keep_tellings_apart_and_go_when_nothing_is_left() -> None:
    text = merged("## 2024-01\n\n" + block(FIRST, "a1"), "## 2024-02\n\n" + block(AGAIN, "a2", 2))
    assert "^a2 ^a1" in text
    assert "## 2024-01" in text
    assert "## 2024-02" not in text


@pytest.mark.parametrize(
    "blocks",
    [
        pytest.param(("## Ada\n\n" + block(FIRST, "a1"), "## Ben\n\n" + block(FIRST, "a2", 2)), id="other subject"),
        pytest.param((block(f"{FIRST} [more](b.md#^b1)", "a1"), block(FIRST, "a2", 2)), id="fuller by a link only"),
        pytest.param((block(FIRST, "a1"), block(AGAIN, "a2", 2) + "\n- a list\n"), id="beside a list"),
        pytest.param((block(FIRST, "a1"), f"{AGAIN}[^mem_x]\n\n[^mem_x]: 2024 · Sources: {link(2)}\n"), id="older"),
    ],
)
def test_what_is_not_safely_the_same_stays(blocks: Sequence[str]) -> None:
    text = "# A\n\n" + "\n".join(blocks)
    tree = archived({"topics/a.md": text, "topics/b.md": "# B\n\n" + block("Ben lives in Bern by the bridge.", "b1")})
    after = passed(tree)
    if "a list" in text:
        assert other_text(after) == other_text(tree)
    elif "more" not in text:
        assert after is tree


def test_two_people_who_say_the_same_in_files_of_their_own_stay_apart() -> None:
    tree = tree_of(
        people__ada="# Ada\n\n" + block(FIRST, "a1", folder="../.."), people__ben=block(FIRST, "a2", 2, "../..")
    )
    assert passed(tree) is tree


def test_a_part_of_a_file_is_about_the_same() -> None:
    tree = tree_of(
        ada="# Ada\n\n" + block(FIRST, "a1"),
        ada__2024="# Ada\n\n" + block(AGAIN, "a2", 2, folder="../.."),
        other="# O\n\n" + block("Somebody met [her](ada/2024.md#^a2) there.", "o1", 3),
    )
    after = passed(tree)
    assert "^a2 ^a1" in after.text("topics/ada.md")
    assert "topics/ada/2024.md" not in after.files
    assert "[her](ada.md#^a2)" in after.text("topics/other.md")
    assert lost_links(after) == []


def test_a_file_without_headings_is_no_part_of_another() -> None:
    tree = tree_of(people=block(FIRST, "a1"), people__ben=block(FIRST, "a2", 2, folder="../.."))
    assert passed(tree) is tree


def test_the_family_of_a_file_is_as_far_up_as_there_are_files() -> None:
    paths = frozenset(TopicPath(f"topics/{name}.md") for name in ("a", "a/work", "a/work/2024", "b/work"))
    assert family_of(TopicPath("topics/a/work/2024.md"), paths) == "topics/a.md"
    assert family_of(TopicPath("topics/b/work.md"), paths) == "topics/b/work.md"


def test_evidence_of_other_trust_or_audience_is_not_mixed() -> None:
    # behaviours.md 8.14, part 8 "visibility": the whole block would be pending, or hidden from who is paired
    pending = TrustMetadata(TrustState.PENDING, "human", "stranger", None)
    paired = TrustMetadata(TrustState.TRUSTED, "human", "ben", Tier.PAIRED)
    for metadata in (pending, paired):
        tree = _with_frame("m2", metadata, "# Ada\n\n" + block(FIRST, "a1") + "\n" + block(AGAIN, "a2", 2))
        assert passed(tree) is tree


def _with_frame(message: str, metadata: TrustMetadata, text: str) -> MemoryTree:
    """A memory whose message has other authority than the owner's."""
    frames = [
        render_frame(
            handle=SourceId(f"p/t/{name}"),
            timestamp="2024-03-15",
            role="user",
            body="said",
            speaker_id=None,
            speaker_display=None,
            metadata=metadata if name == message else OWNER,
        )
        for name in ("m1", "m2")
    ]
    return MemoryTree({"topics/a.md": text, "sources/p/_v2/t.md": HEADER + b"".join(frames)})


def test_an_old_defect_of_one_of_them_keeps_both_as_they_are() -> None:
    lost = evidence_id("2024", ["p/t/gone"])
    note = f"[^{lost}]: Time: `2024`; Sources: [gone](../sources/p/_v2/t.md#{anchor('p/t/gone')})\n"
    tree = archived({"topics/a.md": f"# A\n\n{block(FIRST, 'a1')}\n{AGAIN}[^{lost}] ^a2\n\n{note}"})
    assert passed(tree) is tree


TELLINGS = ("Ada lives in Basel by the river", "Ada likes green tea in the garden", "Ada keeps three hens at home")


@given(
    st.lists(st.tuples(st.sampled_from(TELLINGS), st.integers(1, 12), st.sampled_from(["", "!", " now."])), max_size=20)
)
def test_every_id_and_all_evidence_stand_after_merging(told: list[tuple[str, int, str]]) -> None:
    text = "# Ada\n\n"
    for number, (words, message, end) in enumerate(told):
        name, line = defined(message)
        text += f"{words}{end}[^{name}] ^b{number}\n\n" + ("" if f"[^{name}]:" in text else f"{line}\n")
    tree = archived({"topics/a.md": text} if told else {})
    after = passed(tree)
    assert ids(after) == ids(tree)
    assert len(said(after)) == len({words for words, _, _ in told})
    assert _evidence(after) == _evidence(tree)
    assert passed(after) is after


def _evidence(tree: MemoryTree) -> set[tuple[str, str]]:
    """Which words rest on which footnote."""
    topic = tree.topic("topics/a.md")
    blocks = topic.blocks if topic is not None else ()
    return {(block.content[:8], citation.id) for block in blocks for citation in block.citations}
