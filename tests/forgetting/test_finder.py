"""Thousands of texts are found as each would be found alone."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from gitmem.forgetting.finder import HEAD, TELLING, Finder, Needle, text_needles

_bytes = st.text(alphabet="ab/1", min_size=1, max_size=14).map(str.encode)


@given(st.lists(_bytes, max_size=12), st.text(alphabet="ab/1 ", max_size=60).map(str.encode))
def test_it_finds_what_stands_there(texts: list[bytes], data: bytes) -> None:
    found = Finder(Needle("text", text) for text in texts).find(data)
    assert (found is not None) == any(text in data for text in texts)
    assert found is None or found.text in data


def test_a_handle_is_found_as_a_whole_one_only() -> None:
    finder = Finder([Needle("handle", b"chat/team/m1")])
    for data in (b"chat/team/m1", b"(chat/team/m1).", b'"chat/team/m1"', b"Source-Added: chat/team/m1\n"):
        assert finder.find(data) is not None
    for data in (b"chat/team/m10", b"achat/team/m1", b"chat/team/m1/2", b"chat/team/m1-b"):
        assert finder.find(data) is None


def test_lines_and_sentences_are_looked_for_by_their_beginning() -> None:
    text = f"Short.\nAda keeps it behind the clock in the hall of her house. Nobody else knows about it!\n{30 * '-'}"
    needles = {needle.text.decode() for needle in text_needles("text", text)}
    assert needles == {
        "Ada keeps it behind the clock in the hall of her house."[:HEAD],
        "Nobody else knows about it!",
    }
    assert all(len(needle) >= TELLING for needle in needles)


def test_a_text_is_found_as_json_spells_it_too() -> None:
    said = 'Zoë said "never" to everybody there'
    finder = Finder(text_needles("text", said))
    for form in (said, json.dumps(said), json.dumps(said, ensure_ascii=False)):
        assert finder.find(form.encode()) is not None
