"""Search: what is found, with what it says about itself (`behaviours.md` part 16, `cli.md`)."""

from __future__ import annotations

import itertools
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.answers import to_json
from gitmem.errors import Code, InvalidRequest, Refused, Unavailable
from gitmem.search.hits import Hit
from reading_memory import ADA, DIALOG, LEGACY, TRICKY, V2, handle

if TYPE_CHECKING:
    from gitmem.workspace import Workspace

KEYS = (
    *("id", "kind", "path", "line", "headings", "when", "content", "score", "refs"),
    *("speaker_id", "speaker_display", "speaker_trusted", "trust_state", "visibility"),
)


def ids(memory: Workspace, text: str, **filters: Any) -> list[str]:
    return [hit.id for hit in memory.search(text, **filters).results]


def hit(memory: Workspace, text: str, wanted: str, **filters: Any) -> Hit:
    return next(found for found in memory.search(text, **filters).results if found.id == wanted)


def test_a_block_is_found_with_its_evidence(memory: Workspace) -> None:
    found = hit(memory, "budget tracker", "aaaa1111")
    assert found.kind == "block"
    assert (found.path, found.line) == (ADA, 3)
    assert found.headings == ("Ada",)
    assert found.when == "2024-03-15"
    assert found.content == "Ada is building a budget tracker in Flask."
    assert found.refs == (handle("m1"),)
    assert (found.speaker_id, found.speaker_display, found.speaker_trusted) == (None, None, False)
    assert (found.trust_state, found.visibility) == ("trusted", "owner")


def test_a_message_is_found_with_its_speaker_and_without_its_frame(memory: Workspace) -> None:  # 16.11, 16.12
    found = hit(memory, "budget tracker", handle("m1"))
    assert found.kind == "source"
    assert found.path == V2
    assert found.content == "I am building a budget tracker in Flask"
    assert found.when == "2024-03-15T10:00:00+00:00"
    assert found.headings == ()
    assert (found.speaker_id, found.speaker_display, found.speaker_trusted) == ("7391", "Ada", True)
    assert hit(memory, "red tail", handle("m5")).content == TRICKY


def test_an_answer_has_the_documented_keys(memory: Workspace) -> None:  # cli.md, search
    answer: Any = to_json(memory.search("budget"))
    assert list(answer) == ["revision", "fresh", "method", "truncated", "results"]
    assert tuple(field.name for field in fields(Hit)) == KEYS
    assert all(tuple(result) == KEYS for result in answer["results"])
    assert answer["method"] == "bm25"
    assert answer["revision"] == memory.memory().revision
    assert answer["fresh"] is False


def test_a_legacy_copy_is_hidden_by_its_frame(memory: Workspace) -> None:  # 7.14
    assert ids(memory, "older copy") == []
    assert [hit.path for hit in memory.search("hello").results] == [LEGACY]


def test_what_nobody_vouches_for_is_found_and_labelled(memory: Workspace) -> None:  # 8.15
    states = {found.id: found.trust_state for found in memory.search("cat Turing").results}
    assert states == {"eeee5555": "pending", handle("m4"): "pending"}


def test_visibility_is_that_of_the_sources(memory: Workspace) -> None:  # part 8, "visibility"
    assert {found.visibility for found in memory.search("Lisbon").results} == {"paired"}
    assert {found.visibility for found in memory.search("Turing").results} == {"owner"}


def test_an_undated_message_has_no_time(memory: Workspace) -> None:
    assert hit(memory, "garden", handle("m6")).when is None
    assert hit(memory, "garden", "bbbb2222").when is None


def test_only_what_shares_a_word_is_an_answer(memory: Workspace) -> None:  # 17.4
    assert ids(memory, "zeppelin") == []
    assert not memory.search("zeppelin").truncated
    assert ids(memory, "?!") == []
    assert set(ids(memory, "Lisbon zeppelin")) == {"dddd4444", handle("m3")}


def test_topics_only_leaves_messages_out_and_keeps_their_trust(memory: Workspace) -> None:  # 16.4
    found = memory.search("budget cat", topics_only=True).results
    assert {hit.kind for hit in found} == {"block"}
    assert {hit.id: hit.trust_state for hit in found}["eeee5555"] == "pending"


def test_results_are_cut_and_it_is_said(memory: Workspace) -> None:
    whole = memory.search("budget")
    assert not whole.truncated
    first = memory.search("budget", k=1)
    assert first.truncated
    assert first.results == whole.results[:1]


@pytest.mark.parametrize("k", [0, 101, -1])
def test_the_number_of_results_is_limited(memory: Workspace, k: int) -> None:
    with pytest.raises(InvalidRequest):
        memory.search("budget", k=k)


def test_a_token_budget_leaves_out_what_does_not_fit(memory: Workspace) -> None:
    whole = memory.search("budget")
    answer = memory.search("budget", max_tokens=12)
    assert answer.truncated
    assert 0 < len(answer.results) < len(whole.results)
    assert set(answer.results) < set(whole.results)
    assert memory.search("budget", max_tokens=10_000).results == whole.results
    with pytest.raises(InvalidRequest):
        memory.search("budget", max_tokens=0)


# --- filters


@pytest.mark.parametrize(
    ("prefix", "paths"),
    [
        ("topics", {ADA}),
        ("topics/people/ada.md", {ADA}),
        ("people", {ADA}),
        ("top", {ADA}),
        ("topics/people/bob", set()),
        ("sources/chat/_v2/g1.md", {V2}),
        ("sources/chat/g1.md", {V2}),  # the logical path of the archive
        ("sources/", {V2}),
        ("sources/D1.md", set()),
        ("./topics//people", {ADA}),
    ],
)
def test_a_path_limits_the_answer(memory: Workspace, prefix: str, paths: set[str]) -> None:  # 16.2
    assert {hit.path for hit in memory.search("budget", path=prefix).results} == paths


@pytest.mark.parametrize("path", ["/etc", "../elsewhere", "topics/../../x"])
def test_a_path_outside_is_refused(memory: Workspace, path: str) -> None:  # 16.14
    with pytest.raises(Refused) as caught:
        memory.search("budget", path=path)
    assert caught.value.code is Code.PATH_OUTSIDE_WORKSPACE


@pytest.mark.parametrize(
    ("first", "last", "found"),
    [
        ("2024", "2024", {"aaaa1111", handle("m1"), handle("m2"), "eeee5555", handle("m4")}),
        ("2024-05", "2024-05", {"eeee5555", handle("m4")}),
        ("2024-05-02", "2024-05-02", {"eeee5555", handle("m4")}),
        ("2024-05-03", None, {"eeee5555"}),  # of May: any day of it
        (None, "2024-03", {"aaaa1111", handle("m1"), handle("m2")}),
        ("2024-03-15T09:00", "2024-03-15", {"aaaa1111", handle("m1"), handle("m2")}),
        ("2025", None, set()),
    ],
)
def test_dates_limit_the_answer(memory: Workspace, first: str | None, last: str | None, found: set[str]) -> None:
    assert set(ids(memory, "budget tracker cat", first=first, last=last)) == found


@pytest.mark.parametrize(
    "dates", [{"first": "soon"}, {"last": "2024-13"}, {"first": "2024-02-30"}, {"first": "2025", "last": "2024"}]
)
def test_what_is_no_date_is_refused(memory: Workspace, dates: dict[str, str]) -> None:
    with pytest.raises(InvalidRequest):
        memory.search("budget", **dates)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("speaker", "found"),
    [
        ("7391", {"m1", "m6"}),
        ("ada", {"m1", "m6"}),
        (" ADA ", {"m1", "m6"}),
        ("Ada (7391)", {"m1", "m6"}),
        ("assistant", {"m2"}),
        ("Ad", set()),
        ("739", set()),
        ("Bob", set()),
    ],
)
def test_a_speaker_is_a_whole_name_and_limits_to_messages(  # 16.2
    memory: Workspace, speaker: str, found: set[str]
) -> None:
    answer = memory.search("budget", speaker=speaker)
    assert {hit.id for hit in answer.results} == {handle(message) for message in found}
    assert to_json(answer)["scope"] == "sources"  # type: ignore[index]


def test_a_speaker_of_old_archives_is_a_hint(memory: Workspace) -> None:  # 8.4
    (found,) = memory.search("hello", speaker="7391").results
    assert (found.id, found.speaker_trusted) == (handle("m0"), False)


def test_speaker_path_and_dates_compose(memory: Workspace) -> None:  # 16.2
    assert ids(memory, "budget", speaker="Ada", path="sources/chat", first="2024-03") == [handle("m1")]
    assert ids(memory, "budget", speaker="Ada", path="topics") == []


def test_contradictions_are_refused(memory: Workspace) -> None:
    with pytest.raises(InvalidRequest):
        memory.search("budget", speaker="Ada", method="hybrid")  # 16.3
    with pytest.raises(InvalidRequest):
        memory.search("budget", speaker="Ada", topics_only=True)
    with pytest.raises(InvalidRequest):
        memory.search("budget", speaker=" ")
    with pytest.raises(InvalidRequest):
        memory.search(" ")
    with pytest.raises(InvalidRequest):
        memory.search("budget", method="tarot")


@pytest.mark.parametrize("method", ["embedding", "hybrid"])
def test_methods_that_need_a_model_say_that_there_is_none(memory: Workspace, method: str) -> None:
    with pytest.raises(Unavailable) as caught:
        memory.search("budget", method=method)
    assert caught.value.code is Code.EMBEDDING_UNAVAILABLE


def test_an_explanation_names_the_words_that_were_found(memory: Workspace) -> None:
    best = memory.search("budget tracker", explain=True).results[0]
    assert getattr(best, "terms", None) == {"budget": 1, "tracker": 1}


def test_an_older_revision_answers_as_it_was(memory: Workspace) -> None:
    before = memory.search("cat Turing", at="HEAD~1")
    assert [found.id for found in before.results] == [handle("m4")]
    assert before.revision != memory.memory().revision
    assert before.fresh
    assert ids(memory, "cat Turing") == ["eeee5555", handle("m4")]


def test_the_order_never_depends_on_chance(memory: Workspace) -> None:
    answers = {tuple(ids(memory, " ".join(words))) for words in itertools.permutations(["budget", "garden", "Flask"])}
    assert len({frozenset(answer) for answer in answers}) == 1
    for hits in (memory.search("budget").results, memory.search("tomatoes").results):
        assert sorted(hits, key=lambda found: (-found.score, found.path, found.line)) == list(hits)
    assert [found.path for found in memory.search("tomatoes").results] == [DIALOG, DIALOG]
