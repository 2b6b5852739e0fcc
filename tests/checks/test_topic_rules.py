"""topic-format, block-ids, block-links, citations over two states of the memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from archives import ARCHIVE, PENDING, archive, block, handle, link, topic
from gitmem.authority import Authority
from gitmem.checks import block_ids, block_links, citations, topic_format
from gitmem.format.layout import anchor
from gitmem.format.model import Tier
from gitmem.request import FilesEdit, PatchEdit, Person, RecordsEdit, Request, Surface

if TYPE_CHECKING:
    from collections.abc import Callable

A, B = "topics/a.md", "topics/b.md"
SOURCES = {ARCHIVE: archive("m1", "m2")}
ONE = topic("A", block("Ada likes tea.", "aaaa1111"))


def request(edit: object, *, hand: bool = False) -> Request:
    return Request(
        edit=edit,  # type: ignore[arg-type]
        authority=Authority(Tier.OWNER, "owner"),
        surface=Surface.CLI,
        author=Person("A", "a@example.org"),
        hand=hand,
    )


PATCH = request(PatchEdit(""))


def test_a_valid_topic_has_no_findings(codes: Callable[..., object]) -> None:
    for check in (topic_format, block_ids, block_links, citations):
        assert codes(check, SOURCES, {**SOURCES, A: ONE}) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# A\n\nloose words\n", ("missing-citation", A, 3)),
        ("# A\n\n- a list\n", ("not-a-paragraph", A, 3)),
        ("# A\n\n> a quote\n", ("not-a-paragraph", A, 3)),
        ("# A\n\n```\ncode\n```\n", ("not-a-paragraph", A, 3)),
        ("# A\n\n    indented\n", ("not-a-paragraph", A, 3)),
        ("# A\n\nx[^e-1] ^aaaa1111\n", ("undefined-evidence", A, 3)),
        (ONE + f"\n[^e-2]: Time: `2024`; Sources: {link('m1')}\n", ("unused-evidence", A, 7)),
        (ONE.replace("2024-03-15", "2024-02-30"), ("bad-time", A, 5)),
        (ONE.replace("[m1]", "[ ]"), ("missing-label", A, 5)),
        (ONE.replace(" ^aaaa1111", " trailing ^aaaa1111"), ("text-after-citation", A, 3)),
    ],
)
def test_what_is_not_a_cited_block_is_found(  # behaviours.md 1.15
    codes: Callable[..., list[object]], text: str, expected: tuple[str, str, int]
) -> None:
    assert expected in codes(topic_format, SOURCES, {**SOURCES, A: text})


def test_a_defect_that_stood_there_before_is_a_warning(  # behaviours.md 0.9
    codes: Callable[..., list[object]], warnings: Callable[..., list[object]]
) -> None:
    old = "# A\n\nloose words\n\n"
    new = old + block("Ada likes tea.", "aaaa1111")
    assert codes(topic_format, {**SOURCES, A: old}, {**SOURCES, A: new}) == []
    assert len(warnings(topic_format, {**SOURCES, A: old}, {**SOURCES, A: new})) == 1
    twice = old + "loose words\n\n" + block("Ada likes tea.", "aaaa1111")
    assert [code for code, *_ in codes(topic_format, {**SOURCES, A: old}, {**SOURCES, A: twice})] == [
        "missing-citation"
    ]


def test_an_evidence_id_with_two_meanings_is_found(
    codes: Callable[..., list[object]],
) -> None:  # formats.md, Topic files
    other = block("Ada likes it.", "bbbb2222", "m2").replace("e-bbbb2222", "e-aaaa1111")
    after = {**SOURCES, A: ONE, B: topic("B", other)}
    assert codes(topic_format, {**SOURCES, A: ONE}, after) == [("evidence-conflict", B, 5)]


def test_an_id_that_stands_in_two_files_is_found(codes: Callable[..., list[object]]) -> None:
    after = {**SOURCES, A: ONE, B: ONE}
    assert codes(block_ids, {**SOURCES, A: ONE}, after) == [("duplicate-block-id", B, 3)]


def test_a_block_without_id_and_an_id_used_twice_in_a_file_are_found(codes: Callable[..., list[object]]) -> None:
    text = ONE.replace(" ^aaaa1111", "")
    assert codes(block_ids, SOURCES, {**SOURCES, A: text}) == [("missing-block-id", A, 3)]
    twice = ONE + "\n" + block("Ada sleeps.", "aaaa1111").split("\n")[0] + "\n"
    assert ("duplicate-block-id", A, 7) in codes(block_ids, SOURCES, {**SOURCES, A: twice})


def test_only_a_hand_edit_may_not_drop_an_id(codes: Callable[..., list[object]]) -> None:  # behaviours.md 2.9, 2.10
    before, after = {**SOURCES, A: ONE}, SOURCES
    assert codes(block_ids, before, after, request=request(FilesEdit(()), hand=True)) == [("dropped-block-id", A, 3)]
    assert codes(block_ids, before, after, request=PATCH) == []


@pytest.mark.parametrize(
    ("destination", "code"),
    [
        ("b.md#^bbbb2222", None),
        ("b.md#^cccc3333", "broken-block-link"),
        ("c.md#^bbbb2222", "broken-block-link"),
        ("b.md", "link-without-block"),
        ("b.md#heading", "link-without-block"),
    ],
)
def test_a_link_names_a_block_that_stands_there(  # behaviours.md 2.12, 1.14
    codes: Callable[..., list[object]], destination: str, code: str | None
) -> None:
    other = {**SOURCES, B: topic("B", block("Bob.", "bbbb2222"))}
    text = topic("A", block(f"Ada knows [Bob]({destination}).", "aaaa1111"))
    assert codes(block_links, other, {**other, A: text}) == ([] if code is None else [(code, A, 3)])


def test_a_linked_block_may_not_go_or_move_away_from_its_link(codes: Callable[..., list[object]]) -> None:
    linking = topic("A", block("Ada knows [Bob](b.md#^bbbb2222).", "aaaa1111"))
    bob = topic("B", block("Bob.", "bbbb2222"))
    before = {**SOURCES, A: linking, B: bob}
    assert codes(block_links, before, {**SOURCES, A: linking}) == [("linked-block-removed", A, 3)]  # behaviours.md 2.11
    moved = {**SOURCES, A: linking, "topics/c.md": bob}
    assert codes(block_links, before, moved) == [("linked-block-removed", A, 3)]
    followed = {**moved, A: linking.replace("b.md#", "c.md#")}
    assert codes(block_links, before, followed) == []


def test_a_linked_block_may_not_go_from_the_file_that_links_to_it(codes: Callable[..., list[object]]) -> None:
    linking, ada = block("Bob knows [it](a.md#^aaaa1111).", "bbbb2222"), block("Ada sings.", "aaaa1111", "m2")
    before = {**SOURCES, A: topic("A", linking, ada)}
    after = {**SOURCES, A: topic("A", linking)}  # behaviours.md 2.11
    assert codes(block_links, before, after) == [("broken-block-link", A, 3)]
    assert codes(block_links, after, {**SOURCES, A: topic("A", linking, block("More.", "cccc3333", "m2"))}) == []


def test_a_citation_reaches_an_archived_message(codes: Callable[..., list[object]]) -> None:  # behaviours.md 3.6
    text = topic("A", block("Ada.", "aaaa1111", "m9"))
    assert codes(citations, SOURCES, {**SOURCES, A: text}) == [("missing-source", A, 5)]


def test_an_unchanged_block_is_not_argued_about_again(  # behaviours.md 8.7, 0.9
    codes: Callable[..., list[object]], warnings: Callable[..., list[object]]
) -> None:
    broken = topic("A", block("Ada.", "aaaa1111", "m9"))
    after = {**SOURCES, A: broken + "\n" + block("Bob.", "bbbb2222")}
    assert codes(citations, {**SOURCES, A: broken}, after) == []
    assert len(warnings(citations, {**SOURCES, A: broken}, after)) == 1


def test_a_pending_source_may_not_be_cited_until_it_is_promoted(codes: Callable[..., list[object]]) -> None:
    sources = {ARCHIVE: archive("m1", m1=PENDING)}
    assert codes(citations, sources, {**sources, A: ONE}) == [("pending-source", A, 5)]  # behaviours.md 8.8
    line = (
        '{"at":"2026-08-10T12:00:00+00:00","principal_id":"owner","source_id":"chat/t1/m1",'
        '"speaker_id":null,"tier":"owner"}\n'
    )
    promoted = {**sources, "sources/promotions.jsonl": line}
    assert codes(citations, promoted, {**promoted, A: ONE}) == []


def test_a_patch_may_only_cite_what_it_brings(codes: Callable[..., list[object]]) -> None:  # behaviours.md 8.6, 5.18
    after = {**SOURCES, A: ONE}
    own = (f"{ARCHIVE}#{anchor(handle('m1'))}",)
    assert codes(citations, SOURCES, after, request=PATCH) == [("foreign-source", A, 5)]
    assert codes(citations, SOURCES, after, request=PATCH, added=own) == []
    assert codes(citations, SOURCES, after, request=request(RecordsEdit(()))) == []
    assert codes(citations, SOURCES, after, request=request(FilesEdit(()), hand=True)) == []


def test_what_a_block_already_cites_stays_citable(codes: Callable[..., list[object]]) -> None:  # behaviours.md 8.6
    reworded = ONE.replace("tea", "green tea")
    assert codes(citations, {**SOURCES, A: ONE}, {**SOURCES, A: reworded}, request=PATCH) == []
