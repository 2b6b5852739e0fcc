"""Names that git and every platform can hold, and twins that some file system takes for one."""

from __future__ import annotations

import pytest

from gitmem.format.pathname import collision_key, is_git_disguise, name_problem, path_problem


@pytest.mark.parametrize(
    "name",
    ["a.md", "com", "com10.md", "console.md", "gitignore", ".gitmem", "git", "é.md", "日本.md", "x" * 255, "a~b", "~1"],
)
def test_a_portable_name_has_no_problem(name: str) -> None:
    assert name_problem(name) is None


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("", "step"),
        (".", "step"),
        ("..", "step"),
        (".git", "git's own"),
        (".GIT", "git's own"),
        (".g\u200cit", "git's own"),
        (".git ", "git's own"),
        (".git.", "git's own"),
        (".git::$INDEX_ALLOCATION", "git's own"),
        ("git~1", "git's own"),
        ("GI7EB2~1", "git's own"),
        ("a:b", "Windows refuses"),
        ("a\\b", "Windows refuses"),
        ("what?", "Windows refuses"),
        ("a\x01", "Windows refuses"),
        ("a\x7f", "Windows refuses"),
        ("a.", "Windows drops"),
        ("a ", "Windows drops"),
        ("CON", "device"),
        ("nul.md", "device"),
        ("Aux .txt", "device"),
        ("com1", "device"),
        ("LPT\u00b9.md", "device"),
        ("conin$", "device"),
        ("x" * 256, "longer than 255"),
        ("é" * 128, "longer than 255"),
        ("\ud800", "not Unicode"),
    ],
)
def test_a_name_some_platform_cannot_hold_is_named_with_its_fault(name: str, part: str) -> None:
    assert part in (name_problem(name) or "")


@pytest.mark.parametrize("path", ["topics/a.md", ".gitmem", "timeline/2026/08/09.md", "sources/a%2Fb/_v2/c.md"])
def test_a_portable_path_has_no_problem(path: str) -> None:
    assert path_problem(path) is None


@pytest.mark.parametrize("path", ["/topics/a.md", "topics//a.md", "topics/../a.md", "topics/", "topics/aux.md/b", ""])
def test_a_path_is_as_sound_as_its_worst_name(path: str) -> None:
    assert path_problem(path)


def test_a_name_that_only_starts_like_git_is_no_disguise() -> None:
    assert not is_git_disguise(".gitattributes")
    assert not is_git_disguise("git~x")


@pytest.mark.parametrize(  # behaviours.md 7.11
    ("one", "other"),
    [
        ("topics/Ada.md", "topics/ada.md"),
        ("topics/caf\u00e9.md", "topics/cafe\u0301.md"),
        ("topics/STRASSE.md", "topics/stra\u00dfe.md"),
        ("sources/caf%C3%A9/_v2/t.md", "sources/cafe%CC%81/_v2/t.md"),
        ("sources/%C3%89/_v2/t.md", "sources/%C3%A9/_v2/T.md"),
        ("refs/gitmem/sessions/a/%C3%89/main", "refs/gitmem/sessions/a/e%CC%81/main"),
    ],
)
def test_twins_share_a_key(one: str, other: str) -> None:
    assert collision_key(one) == collision_key(other)


def test_percent_signs_of_a_topic_are_its_own() -> None:
    assert collision_key("topics/%41.md") != collision_key("topics/a.md")
    assert collision_key("topics/a.md") != collision_key("topics/b.md")
