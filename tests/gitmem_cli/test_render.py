"""What is printed can be read by programs and is safe on a terminal (`cli.md`)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import PurePosixPath
from types import MappingProxyType

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.errors import Severity
from gitmem_cli import render


@dataclass(frozen=True, slots=True)
class Pair:
    from_: str
    right: tuple[int, ...]


@pytest.fixture
def _terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render, "on_terminal", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("LINES", "5")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\ttext\n", "plain\ttext\n"),
        ("\x1b[2J", "\\x1b[2J"),
        ("a\rb\x00\x7f\x9b", "a\\rb\\x00\\x7f\\x9b"),
        ("abc\u202edef\u2066", "abc\\u202edef\\u2066"),
        ("line\u2028separator", "line\\u2028separator"),
        ("not\udcfftext", "not\\udcfftext"),
        ("naïve 字 👩\u200d💻", "naïve 字 👩\u200d💻"),
    ],
)
def test_what_a_terminal_would_obey_is_shown(text: str, shown: str) -> None:
    assert render.visible(text) == shown


def test_one_line_has_no_breaks() -> None:
    assert render.one_line("a\n b\tc\x1b") == "a b c\\x1b"


@given(st.text())
def test_visible_text_can_be_encoded_and_stays_visible(text: str) -> None:
    shown = render.visible(text)
    assert shown.encode().decode() == shown
    assert render.visible(shown) == shown


def test_a_document_holds_the_values_of_the_library(capfd: pytest.CaptureFixture[str]) -> None:
    render.document(
        {
            "z": Pair("é", (1, 2)),
            "a": Severity.ERROR,
            "set": frozenset({"b", "a"}),
            "path": PurePosixPath("topics/a.md"),
            "map": MappingProxyType({"k": None}),
        }
    )
    out = capfd.readouterr().out
    assert list(json.loads(out)) == ["z", "a", "set", "path", "map"]
    assert json.loads(out) == {
        "z": {"from": "é", "right": [1, 2]},
        "a": "error",
        "set": ["a", "b"],
        "path": "topics/a.md",
        "map": {"k": None},
    }
    assert "é" in out


def test_a_record_is_one_line(capfd: pytest.CaptureFixture[str]) -> None:
    render.record({"text": "a\nb"})
    assert capfd.readouterr().out == '{"text": "a\\nb"}\n'


@given(st.text())
def test_json_survives_whatever_the_text_holds(text: str) -> None:
    printed: list[bytes] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(click, "echo", printed.append)
        render.record([text])
    assert json.loads(printed[0]) == [text]
    assert not {"\x1b", "\x9b", "\u202e"} & set(printed[0].decode())


def test_what_has_no_json_form_is_a_bug() -> None:
    with pytest.raises(TypeError, match="object has no JSON form"):
        render.document(object())


def test_lines_for_people_are_plain_where_nobody_looks(capfd: pytest.CaptureFixture[str]) -> None:
    render.line("bold\x1b", bold=True, color="red")
    render.warning("careful\x1b")
    render.note("more\x1b")
    assert capfd.readouterr() == ("bold\\x1b\n", "warning: careful\\x1b\nnote: more\\x1b\n")


@pytest.mark.parametrize(
    ("environ", "refused", "color"),
    [
        ({}, False, None),
        ({}, True, False),
        ({"NO_COLOR": "1"}, False, False),
        ({"NO_COLOR": ""}, False, None),
        ({"TERM": "dumb"}, False, False),
    ],
)
def test_colour_is_printed_where_it_is_wanted(environ: dict[str, str], refused: bool, color: bool | None) -> None:
    assert render.color_of(environ, refused=refused) is color


def test_a_table_in_a_pipe_is_tab_separated(capfd: pytest.CaptureFixture[str]) -> None:
    render.table(("a", "b"), [("1", "two\nlines"), ("3", "\x1b")])
    assert capfd.readouterr().out == "1\ttwo lines\n3\t\\x1b\n"


@pytest.mark.usefixtures("_terminal")
def test_a_table_on_a_terminal_has_headers_and_obeys_no_markup(capsys: pytest.CaptureFixture[str]) -> None:
    with click.Context(click.Command("x")) as context:
        context.color = False
        render.table(("name", "text"), [("[red]a[/red]", "b")])
    out = capsys.readouterr().out
    assert "name" in out
    assert "[red]a[/red]" in out
    assert "\x1b[3" not in out


@pytest.mark.usefixtures("_terminal")
def test_a_row_wider_than_the_terminal_has_its_last_cell_below(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LINES", "50")
    with click.Context(click.Command("x")) as context:
        context.color = False
        render.table(("name", "n", "text"), [("字", "1", "short"), ("abc", "2", "word " * 20), ("d", "3", "")])
        assert capsys.readouterr().out == (
            "字    1\n  short\nabc   2\n" + "  " + "word " * 10 + "word\n  " + "word " * 8 + "word\nd     3\n"
        )
        render.table(("name", "text"), [("字", "one"), ("abc", "two")])
        assert capsys.readouterr().out == "name  text\n字    one\nabc   two\n"
        render.table(("name", "text"), [])
        assert not capsys.readouterr().out


@pytest.mark.usefixtures("_terminal")
def test_only_text_longer_than_the_terminal_is_paged(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    paged: list[str] = []
    monkeypatch.setattr(click, "echo_via_pager", paged.append)
    render.page(["one", "two"])
    assert (paged, capsys.readouterr().out) == ([], "one\ntwo\n")
    render.page(["line"] * 9)
    assert paged == ["line\n" * 9]


def test_long_output_into_a_pipe_is_not_paged(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(click, "echo_via_pager", lambda _text: pytest.fail("paged"))
    render.page(str(number) for number in range(500))
    assert capfd.readouterr().out.count("\n") == 500
