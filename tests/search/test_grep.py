"""Exact lines (`behaviours.md` 16.11, 17.15)."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from gitmem.answers import to_json
from gitmem.errors import Code, InvalidRequest, Refused
from gitmem.search import grep as module
from gitmem.search.grep import GrepQuery
from reading_memory import ADA, BOB, DIALOG, LEGACY, V2, files, handle

if TYPE_CHECKING:
    from gitmem.workspace import Workspace


def places(memory: Workspace, text: str, **options: bool | str) -> list[tuple[str | None, str, str, int]]:
    found = memory.grep(text, **options).results  # type: ignore[arg-type]
    return [(line.id, line.kind, line.path, line.line) for line in found]


def physical(path: str, number: int) -> str:
    return files()[path].split(b"\n")[number - 1].decode()


def test_a_line_of_a_block_is_found_with_the_block(memory: Workspace) -> None:
    (found,) = memory.grep("in Flask.").results
    assert (found.id, found.kind, found.path) == ("aaaa1111", "block", ADA)
    assert found.text == physical(ADA, found.line)


def test_other_lines_of_topics_have_no_block(memory: Workspace) -> None:
    assert places(memory, "# Bob") == [(None, "topic", BOB, 1)]
    assert places(memory, "[^e-b1]: Time") == [(None, "topic", BOB, 5)]


def test_messages_are_searched_without_the_comments_of_their_frames(memory: Workspace) -> None:
    assert places(memory, "source-id:") == []
    assert places(memory, "record-lines") == []
    assert places(memory, '<a id="source-') == []
    ((_, kind, path, line),) = places(memory, "<!-- source-meta:not-mine -->")  # of a body, not of a frame
    assert (kind, path) == ("source", V2)
    assert physical(V2, line) == "<!-- source-meta:not-mine -->"


def test_line_numbers_are_those_of_the_file(memory: Workspace) -> None:
    found = memory.grep("a", path="sources").results
    assert {line.path for line in found} == {V2, LEGACY, DIALOG}
    assert all(line.text == physical(line.path, line.line) for line in found)


def test_the_header_of_a_message_counts(memory: Workspace) -> None:
    assert places(memory, "Bob (88): I moved") == [(handle("m3"), "source", V2, 21)]
    assert places(memory, "[D1:2]")[0][0] == "D1:2"


def test_case_matters_unless_it_shall_not(memory: Workspace) -> None:
    assert places(memory, "LISBON") == []
    assert {place[2] for place in places(memory, "LISBON", ignore_case=True)} == {BOB, V2}
    assert places(memory, "LIS.ON", is_regex=True) == []
    assert {place[2] for place in places(memory, "LIS.ON", is_regex=True, ignore_case=True)} == {BOB, V2}


def test_an_expression_matches_within_a_line(memory: Workspace) -> None:
    assert {place[2] for place in places(memory, r"^Ada .*(cat|garden)", is_regex=True)} == {ADA}
    assert places(memory, r"Home\s+Ada", is_regex=True) == []
    assert places(memory, "Bob moved.to") == []


def test_a_path_limits_where(memory: Workspace) -> None:
    assert {place[2] for place in places(memory, "budget", path="people")} == {ADA}
    assert {place[2] for place in places(memory, "budget", path="sources/chat/g1.md")} == {V2, LEGACY}
    with pytest.raises(Refused):
        memory.grep("budget", path="/etc")


@pytest.mark.parametrize("text", ["", "a\nb"])
def test_what_no_line_holds_is_refused(memory: Workspace, text: str) -> None:
    with pytest.raises(InvalidRequest):
        memory.grep(text)


@pytest.mark.parametrize("text", ["(", "[a-", "a" * 1001, "a{1000000000}", "((a{99}){,99}){ 99, 101 }"])
def test_what_is_no_expression_is_refused(memory: Workspace, text: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        memory.grep(text, is_regex=True)
    assert caught.value.code is Code.INVALID_ARGUMENT


def test_an_expression_is_bounded_in_time(memory: Workspace) -> None:  # 17.15
    evil = GrepQuery(r"^(\w|\w\w|\W|\W\W)+(?<=[^1])$", is_regex=True, seconds=0.2)
    began = time.monotonic()
    with pytest.raises(InvalidRequest, match="takes longer"):
        module.grep(memory.memory(), evil)
    assert time.monotonic() - began < 5
    with pytest.raises(InvalidRequest, match="takes longer"):
        module.grep(memory.memory(), GrepQuery("budget", is_regex=True, seconds=0))


def test_many_lines_are_cut_and_it_is_said(memory: Workspace) -> None:
    whole = module.grep(memory.memory(), GrepQuery("a"))
    assert not whole.truncated
    cut = module.grep(memory.memory(), GrepQuery("a", limit=3))
    assert cut.truncated
    assert cut.results == whole.results[:3]
    assert not module.grep(memory.memory(), GrepQuery("a", limit=len(whole.results))).truncated


def test_an_answer_has_the_documented_keys(memory: Workspace) -> None:  # cli.md, grep
    answer = to_json(memory.grep("Lisbon", at="HEAD~1"))
    assert list(answer) == ["revision", "fresh", "truncated", "results"]  # type: ignore[call-overload]
    assert answer["fresh"]  # type: ignore[index]
    assert list(answer["results"][0]) == ["id", "kind", "path", "line", "text"]  # type: ignore[index]
