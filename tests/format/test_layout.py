"""Where things stand: handles, archives, anchors and the kinds of paths."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.errors import Code, InvalidRequest
from gitmem.format import layout
from gitmem.ids import SourceId

if TYPE_CHECKING:
    from collections.abc import Callable

NAMES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="/"), min_size=1, max_size=12)


def test_a_handle_has_three_parts_and_its_message_may_hold_slashes() -> None:  # behaviours.md 7.9
    handle = layout.split_handle(SourceId("openprogram/sess-7f2a/msg/2f9b"))
    assert handle == layout.Handle("openprogram", "sess-7f2a", "msg/2f9b")
    assert str(handle) == "openprogram/sess-7f2a/msg/2f9b"


@pytest.mark.parametrize("handle", ["", "a", "a/b", "a/b/", "/b/c", "a//c", "./b/c", "../b/c", "a/./c", "a/../c"])
def test_a_handle_without_three_usable_parts_is_refused(handle: str) -> None:  # behaviours.md 7.9
    with pytest.raises(InvalidRequest) as refused:
        layout.split_handle(SourceId(handle))
    assert refused.value.code is Code.INVALID_ARGUMENT


@pytest.mark.parametrize("bad", ["]", "[", "<", ">", "\n", "\x00", "\u2028", "\u202e", "\ud800"])
def test_an_unsafe_handle_is_refused(bad: str) -> None:  # behaviours.md 7.10
    with pytest.raises(InvalidRequest, match="not safe"):
        layout.split_handle(SourceId(f"a/b/c{bad}d"))


def test_archive_names_are_percent_encoded() -> None:  # behaviours.md 7.1, 1.13
    assert layout.archive_path("openprogram", "sess-7f2a") == "sources/openprogram/_v2/sess-7f2a.md"
    assert layout.archive_path("a b", "encoded id~._-") == "sources/a%20b/_v2/encoded%20id~._-.md"
    assert layout.archive_path("é", "日") == "sources/%C3%A9/_v2/%E6%97%A5.md"
    assert layout.archive_path("_v2", "thread") == "sources/_v2/_v2/thread.md"  # behaviours.md 7.9


@pytest.mark.parametrize(
    ("provider", "thread"),
    [
        (".", "t"),
        ("..", "t"),
        ("p", "."),
        ("p", ".."),
        ("con", "t"),
        ("p", "nul"),
        (".git", "t"),
        ("p.", "t"),
        ("p", "x" * 253),
        ("é" * 90, "t"),
        ("promotions.jsonl", "t"),
        ("Forgotten.JSONL", "t"),
        ("p", "\ud800"),
    ],
)
def test_a_name_that_no_workspace_can_hold_is_refused(provider: str, thread: str) -> None:
    with pytest.raises(InvalidRequest):
        layout.archive_path(provider, thread)


@given(NAMES, NAMES)
def test_an_archives_path_gives_its_names_back(provider: str, thread: str) -> None:
    try:
        path = layout.archive_path(provider, thread)
    except InvalidRequest:
        return
    assert layout.v2_names(path) == (provider, thread)
    assert layout.is_v2_archive(path)
    assert not layout.is_legacy_archive(path)


@pytest.mark.parametrize("path", ["sources/a/_v2/%62.md", "sources/a/_v2/a%2Fb.md", "sources/a/_v2/a b.md", "x.md"])
def test_another_spelling_names_no_v2_archive(path: str) -> None:
    assert layout.v2_names(path) is None


def test_legacy_names_may_be_spelled_in_any_way() -> None:
    assert layout.legacy_names("sources/a b/encoded%20id.md") == ("a b", "encoded id")
    assert layout.legacy_names("sources/a/b%2Fc.md") is None
    assert layout.legacy_names("sources/D1.md") is None


def test_an_anchor_is_16_digits_of_the_handles_hash() -> None:  # behaviours.md 7.1
    digest = hashlib.sha256("日/t/m".encode()).hexdigest()
    assert layout.anchor("日/t/m") == f"source-{digest[:16]}"


def test_a_handle_reaches_its_v2_frame_before_the_legacy_copy() -> None:  # behaviours.md 2.3, 7.14
    mark = layout.anchor("_v2/t/m")
    assert layout.targets_of(SourceId("_v2/t/m")) == (f"sources/_v2/_v2/t.md#{mark}", f"sources/_v2/t.md#{mark}")
    assert layout.targets_of(SourceId("D18:11")) == ("sources/D18.md#d18-11",)
    with pytest.raises(InvalidRequest):
        layout.targets_of(SourceId("D18"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [("a/b/c", True), ("D1:3", True), ("D1:", False), ("d1:3", False), ("D1", False), ("../../sources/D1.md", False)],
)
def test_a_plain_handle_is_told_from_other_text(text: str, *, expected: bool) -> None:  # behaviours.md 1.10
    assert layout.is_handle(text) is expected


def test_the_oldest_archives_are_named_by_number() -> None:
    assert layout.dialog_name("sources/D18.md") == "D18"
    assert layout.dialog_name("sources/D.md") is None
    assert layout.dialog_name("sources/p/D1.md") is None


KINDS: list[tuple[Callable[[str], bool], set[str]]] = [
    (layout.is_topic, {"topics/core.md", "topics/people/ada.md"}),
    (
        layout.is_source,
        {"sources/D1.md", "sources/p/t.md", "sources/p/_v2/t.md", "sources/p/_v2/t/x.md", "sources/promotions.jsonl"},
    ),
    (
        layout.is_derived,
        {
            "core.md",
            "core.shared.md",
            "recent_events.jsonl",
            "relations.json",
            "timeline/2026.md",
            "timeline/2026/08/09.md",
        },
    ),
    (layout.is_v2_archive, {"sources/p/_v2/t.md"}),
    (layout.is_legacy_archive, {"sources/D1.md", "sources/p/t.md"}),
]
OTHERS = {".gitmem", ".gitattributes", "topics/note.txt", "topics", "timeline", "x/core.md", "sources"}


@pytest.mark.parametrize(("is_kind", "paths"), KINDS)
def test_every_path_has_its_kind(is_kind: Callable[[str], bool], paths: set[str]) -> None:
    everything = OTHERS.union(*(some for _, some in KINDS))
    assert {path for path in everything if is_kind(path)} == paths


def test_event_times_have_a_timeline_file_of_their_precision() -> None:
    assert layout.timeline_path("2026-08-09") == "timeline/2026/08/09.md"
    assert layout.timeline_path("2026-08") == "timeline/2026/08.md"
    assert layout.timeline_path("2026") == "timeline/2026.md"
