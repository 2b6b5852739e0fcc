"""One file per person, keyed by the stable id when there is one (behaviours.md 8.1 to 8.3)."""

from __future__ import annotations

import pytest

from gitmem.format.pathname import path_problem
from gitmem.writer.people import People, is_person, slug, title_of
from talks import Shelf, distill, talk, turn


def path(ident: str | None = None, display: str | None = None, shelf: Shelf | None = None) -> str:
    return People(shelf or Shelf()).file_of(turn("x", speaker_id=ident, speaker_display=display))[0]


@pytest.mark.parametrize(
    ("ident", "display", "expected"),
    [
        (None, None, "user"),
        ("7391", "Ada", "ada-7391"),
        ("7391", None, "speaker-7391"),
        (None, "Ada", "ada"),
        (None, "Ada Lovelace", "ada-lovelace"),
        ("caroline", "Caroline", "caroline"),
        ("alovelace", "Ada", "ada_alovelace"),
        (None, "Ada 7391", "ada_7391"),
        (None, "User", "user_"),
        (None, "王小明", "王小明"),
        ("\x00", None, "user"),
        (" ", " ", "user"),
    ],
)
def test_the_path_says_who(ident: str | None, display: str | None, expected: str) -> None:
    assert path(ident, display) == f"topics/people/{expected}.md"


def test_different_people_never_share_a_path() -> None:
    people = [
        ("7391", "Ada"), ("7392", "Ada"), (None, "Ada"), (None, "Ada 7391"), ("7391", None), (None, "7391"),
        (None, "Speaker 7391"), ("u1", "Ada"), ("U1", "Ada"), ("u-1", "Ada"), ("u_1", "Ada"), (None, None),
        (None, "User"), (None, "user_"), (None, "🎉"), (None, "🎈"), ("lovelace", "Ada"), (None, "Ada Lovelace"),
        ("🎉", None), ("🎈", None), (None, "Con"), (None, "con_"),
    ]  # fmt: skip
    paths = [path(*person) for person in people if person[1] not in {"user_", "con_"}]
    assert len(set(paths)) == len(paths)
    assert all(path_problem(known) is None for known in paths)


def test_a_person_keeps_the_file_when_the_name_changes() -> None:
    shelf = Shelf()
    shelf.take(distill(talk("I live in Berlin.", speaker_id="7391", speaker_display="Ada"), shelf))
    found = People(shelf).file_of(turn("x", speaker_id="7391", speaker_display="Ada L."))
    assert found == ("topics/people/ada-7391.md", "Ada (7391)")


def test_a_name_that_is_somebody_elses_id_gets_a_file_of_its_own() -> None:
    shelf = Shelf()
    shelf.take(distill(talk("I live in Berlin.", speaker_id="caroline", speaker_display="Caroline"), shelf))
    assert path(None, "Caroline", shelf) == "topics/people/caroline_.md"
    other = Shelf()
    other.take(distill(talk("I live in Berlin.", speaker_display="Caroline"), other))
    assert path("caroline", "Caroline", other) == "topics/people/caroline_caroline.md"


def test_titles_are_what_a_heading_can_hold() -> None:
    assert title_of(turn("x")) == "User"
    assert title_of(turn("x", speaker_id="7391", speaker_display="Ada")) == "Ada (7391)"
    assert title_of(turn("x", speaker_display="# *Ada* <b> #")) == "Ada b"
    assert title_of(turn("x", speaker_display="###")) == "User"


def test_an_assistant_is_no_person_unless_it_signs_as_one() -> None:
    assert is_person(turn("x"))
    assert not is_person(turn("x", role="assistant"))
    assert not is_person(turn("x", role="assistant", speaker_display="ChatGPT"))
    assert not is_person(turn("x", role="assistant", speaker_display="assistant"))
    assert is_person(turn("x", role="assistant", speaker_display="Melanie"))


def test_slugs_are_short_lower_case_and_of_any_script() -> None:
    assert slug("  Ada  Lovelace! ") == "ada-lovelace"
    assert slug("Ａｄａ") == "ada"
    assert slug("🎉") == ""
    assert len(slug("x" * 500)) == 48
