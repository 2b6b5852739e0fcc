"""What belongs into the summary of messages that are dropped (behaviours.md, backend hooks: extract_before_discard)."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.conversations.authority import owner_authority, render_authority
from gitmem.writer.extract import MOST_BYTES, MOST_LINES, extract_before_discard
from talks import turn
from untouched import byte_identical
from workspaces import make

if TYPE_CHECKING:
    from pathlib import Path

OWNER = render_authority(owner_authority())
PENDING = {**OWNER, "trust_state": "pending", "authority_tier": None, "principal_id": "7"}


def said(content: object, role: str = "user", **more: object) -> dict[str, object]:
    return {"role": role, "content": content, "timestamp": "2024-03-15T10:00:00+00:00", **more}


FACTS = (
    said("Hi there!"),
    said("My daughter Mia started school in Basel yesterday."),
    said("That is wonderful news!", "assistant"),
    said("I am allergic to peanuts and carry an EpiPen."),
)
TEXT = (
    "- User, 2024-03-14: My daughter Mia started school in Basel yesterday.\n"
    "- User, 2024-03-15: I am allergic to peanuts and carry an EpiPen."
)


def test_it_keeps_what_was_stated_and_no_small_talk() -> None:
    assert extract_before_discard(FACTS) == TEXT
    assert extract_before_discard(iter(FACTS)) == TEXT


def test_it_says_who_spoke_as_the_message_says(caplog: pytest.LogCaptureFixture) -> None:  # behaviours.md 8.1
    text = "[Eve (u9)] I am allergic to peanuts and carry an EpiPen."
    message = said(text, speaker_id="7391", speaker_display="Ada")
    assert extract_before_discard([message]) == f"- Ada (7391), 2024-03-15: {text}"
    assert not caplog.records


def test_it_writes_nothing(tmp_path: Path) -> None:
    workspace = make(tmp_path / "w")
    with byte_identical(tmp_path / "w"):
        assert workspace.extract_before_discard(FACTS) == TEXT
        assert workspace.extract_before_discard([]) == ""


@pytest.mark.parametrize(
    "messages",
    [
        [],
        [said("Hi!"), said("Thanks a lot.", "assistant")],
        [said("The tool found that Mia lives in Basel with 3 cats.", "tool")],
        [said("My daughter Mia started school in Basel.", display="runtime")],
        [said(""), said(None), said(3), {}, None, "My daughter Mia started school in Basel.", 4],
    ],
)
def test_nothing_worth_keeping_is_an_empty_text(messages: list[object], caplog: pytest.LogCaptureFixture) -> None:
    assert extract_before_discard(messages) == ""
    assert not caplog.records


def test_what_nobody_vouches_for_is_left_out() -> None:  # behaviours.md 8.18
    stranger = said("I live in Bern with my 3 cats.", speaker_id="7", authority=PENDING)
    assert extract_before_discard([*FACTS, stranger]) == TEXT
    assert extract_before_discard([*FACTS, said("I live in Bern with my 3 cats.", authority={"tier": "owner"})]) == TEXT
    assert extract_before_discard([*FACTS, said("I live in Bern with my 3 cats.", authority="owner")]) == TEXT
    stamped = said("I live in Bern with my 3 cats.", speaker_id="7", authority=OWNER)
    assert "Bern" in extract_before_discard([*FACTS, stamped])


def test_of_several_people_whom_nobody_vouches_for_none_is_kept() -> None:
    ada = said("I live in Bern with my 3 cats.", speaker_display="Ada")
    bob = said("I work at Roche as a chemist.", speaker_display="Bob")
    answer = said("Bob, chemists at Roche earn 9,000 francs a month.", "assistant")
    assert "Bern" in extract_before_discard([ada])
    assert extract_before_discard([*FACTS, ada, bob, answer]) == TEXT


def test_values_with_attributes_and_lists_of_parts_are_messages_too() -> None:
    peanuts = "I am allergic to peanuts and carry an EpiPen."
    parts = [{"type": "text", "text": peanuts}, {"type": "image_url", "image_url": "x"}]
    assert extract_before_discard([turn(peanuts)]) == f"- User, 2023-05-08: {peanuts}"
    assert extract_before_discard([said(parts)]) == f"- User, 2024-03-15: {peanuts}"


def test_what_is_said_twice_is_kept_once() -> None:
    assert extract_before_discard([*FACTS, *FACTS]) == TEXT


def test_it_is_short_however_much_was_said() -> None:
    many = [said(f"In {1000 + n} King Number{n} built the castle of Place{n} for {n * 7} crowns.") for n in range(200)]
    text = extract_before_discard(many)
    assert 0 < text.count("\n") < MOST_LINES
    assert len(text.encode()) < 2 * MOST_BYTES
    assert extract_before_discard([said("Mia likes the number 5. " * 200_000)]).count("\n") < MOST_LINES


@dataclass
class Broken:
    @property
    def content(self) -> str:
        raise RuntimeError


def test_what_goes_wrong_is_logged_and_raises_nothing(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR, "gitmem.writer"):
        assert extract_before_discard([*FACTS, Broken()]) == ""
        assert extract_before_discard(None) == ""  # type: ignore[arg-type]
    assert len(caplog.records) == 2


@given(st.lists(st.dictionaries(st.sampled_from(["role", "content", "timestamp", "speaker_id"]), st.text())))
def test_every_line_is_a_statement_of_its_own(messages: list[dict[str, str]]) -> None:
    text = extract_before_discard(messages)
    assert text == extract_before_discard(messages)
    assert all(line.startswith("- ") for line in text.split("\n") if text)
