from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.format.inline import inline_links, mask
from gitmem.format.links import (
    other_spelling,
    relative_block_link,
    relative_target,
    resolve_block_link,
    resolve_target,
)
from gitmem.ids import BlockId, Target

TOPIC = "topics/people/craig.md"


# --- source links (behaviours.md 1.10, 1.13) ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("topic", "target", "resolved"),
    [
        (TOPIC, "../../sources/op/_v2/s.md#source-1", "sources/op/_v2/s.md#source-1"),
        ("topics/core.md", "../sources/D1.md#d1-3", "sources/D1.md#d1-3"),
        ("core.md", "sources/D1.md#d1-3", "sources/D1.md#d1-3"),
        (TOPIC, "./../../sources//op/../D1.md#d1-3", "sources/D1.md#d1-3"),
        (TOPIC, "../../sources/p/_v2/encoded%20id.md#source-1", "sources/p/_v2/encoded%20id.md#source-1"),
        (TOPIC, "../../sources/p/_v2/%2e%2e.md#source-1", "sources/p/_v2/%2e%2e.md#source-1"),
    ],
)
def test_a_source_link_reaches_the_name_on_disk_literally(topic: str, target: str, resolved: str) -> None:
    assert resolve_target(topic, target) == resolved


@pytest.mark.parametrize(
    "target",
    [
        "op/s/m1",
        "D18:11",
        "../../sources/D1.md",
        "../../sources/D1.md#",
        "../../sources/a.txt#x",
        "../../topics/a.md#x",
        "../../../sources/D1.md#d1-3",
        "/sources/D1.md#d1-3",
        "../../sources/../topics/a.md#x",
        "sources/D1.md#d1-3",
        "",
    ],
)
def test_what_leaves_the_sources_is_no_source_link(target: str) -> None:
    assert resolve_target(TOPIC, target) is None


names = st.from_regex(r"[A-Za-z0-9_~%-]{1,8}", fullmatch=True)
topics = st.lists(names, min_size=1, max_size=4).map(lambda parts: f"topics/{'/'.join(parts)}.md")


@given(topics, names, names)
def test_a_written_source_link_is_read_back(topic: str, provider: str, thread: str) -> None:
    target = Target(f"sources/{provider}/_v2/{thread}.md#source-1")
    assert resolve_target(topic, relative_target(topic, target)) == target


def test_source_links_are_relative_to_the_file() -> None:
    target = Target("sources/p/_v2/encoded%20id.md#source-1")
    assert relative_target(TOPIC, target) == "../../sources/p/_v2/encoded%20id.md#source-1"
    assert relative_target("core.md", target) == "sources/p/_v2/encoded%20id.md#source-1"
    assert relative_target("timeline/2024/01/02.md", target) == "../../../sources/p/_v2/encoded%20id.md#source-1"


def test_a_link_for_a_reader_that_decodes_has_another_spelling() -> None:  # 1.13
    twice = Target("sources/p/_v2/encoded%2520id.md#source-1")
    assert other_spelling(twice) == "sources/p/_v2/encoded%20id.md#source-1"
    assert other_spelling(Target("sources/p/_v2/plain.md#source-%31")) is None
    assert other_spelling(Target("sources/p/_v2/a%2Fb.md#source-1")) is None
    assert other_spelling(Target("sources/p/_v2/a%0Ab.md#source-1")) is None


# --- block links (1.14) ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("destination", "reached"),
    [
        ("ada.md#^x1", ("topics/people/ada.md", "x1")),
        ("../work/a%20b.md#^x1", ("topics/work/a b.md", "x1")),
        ("#^mem_first", (TOPIC, "mem_first")),
        ("ada.md#%5Ex1", ("topics/people/ada.md", "x1")),
        ("ada.md", ("topics/people/ada.md", None)),
        ("ada.md#heading", ("topics/people/ada.md", None)),
        ("ada.md#^", ("topics/people/ada.md", None)),
        ("#heading", (TOPIC, None)),
        ("../people/./ada.md#^x", ("topics/people/ada.md", "x")),
        ("\u827e\u8fbe.md#^x", ("topics/people/\u827e\u8fbe.md", "x")),
        ("a%23b.md#^x", ("topics/people/a#b.md", "x")),
    ],
)
def test_a_block_link_reaches_a_topic(destination: str, reached: tuple[str, str | None]) -> None:
    assert resolve_block_link(TOPIC, destination) == reached


@pytest.mark.parametrize(
    "destination",
    [
        "https://x.org/a.md#^x",
        "mailto:a.md",
        "/topics/a.md#^x",
        "//x/a.md#^x",
        "../../sources/a.md#^x",
        "../../../a.md#^x",
        "a.txt#^x",
        "",
        "a%00.md#^x",
        "%2e%2e/%2e%2e/core.md#^x",
        "%2Ftopics/a.md#^x",
    ],
)
def test_what_leaves_the_topics_is_no_block_link(destination: str) -> None:
    assert resolve_block_link(TOPIC, destination) is None


odd_names = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="/"), min_size=1, max_size=8
).filter(lambda name: name not in {".", ".."})
odd_topics = st.lists(odd_names, min_size=1, max_size=4).map(lambda parts: f"topics/{'/'.join(parts)}.md")


@given(odd_topics, odd_topics)
def test_a_written_block_link_is_read_back_from_markdown(from_path: str, to_path: str) -> None:
    destination = relative_block_link(from_path, to_path, BlockId("x-1"))
    assert resolve_block_link(from_path, destination) == (to_path, "x-1")
    text = f"See [it]({destination})."
    assert [link.destination for link in inline_links(text, mask(text))] == [destination]


def test_block_links_encode_only_what_markdown_needs() -> None:
    assert relative_block_link(TOPIC, "topics/\u827e (a:b).md", BlockId("x")) == "../\u827e%20%28a%3Ab%29.md#^x"
    assert relative_block_link(TOPIC, TOPIC, BlockId("x")) == "craig.md#^x"
    assert relative_block_link("timeline/2024.md", TOPIC, BlockId("x")) == "../topics/people/craig.md#^x"
