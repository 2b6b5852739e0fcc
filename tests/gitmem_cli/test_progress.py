"""A bar where somebody is looking, after a second, and nothing anywhere else (cli.md)."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from threading import Timer
from typing import TYPE_CHECKING

import click
import pytest

from gitmem_cli.progress import PATIENCE, progress

if TYPE_CHECKING:
    from collections.abc import Callable

ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Terminal(io.StringIO):
    """A terminal that somebody looks at."""

    def isatty(self) -> bool:
        return True

    @property
    def shown(self) -> str:
        """What was drawn, without escapes."""
        return ESCAPE.sub("", self.getvalue())


class Clock:
    """A timer that rings when the test says so."""

    def __init__(self) -> None:
        self.waits: list[float] = []
        self.ring: Callable[[], None] = lambda: None

    def __call__(self, seconds: float, function: Callable[[], None]) -> Timer:
        self.waits.append(seconds)
        self.ring = function
        timer = Timer(seconds, function)
        timer.start = lambda: None  # type: ignore[method-assign]
        return timer


@pytest.fixture
def look(monkeypatch: pytest.MonkeyPatch) -> Callable[[], Terminal]:
    """Put a terminal where standard error goes; inside of the test, since pytest puts its own there before each."""

    def begin() -> Terminal:
        stream = Terminal()
        monkeypatch.setattr(sys, "stderr", stream)
        monkeypatch.setenv("TERM", "xterm-256color")
        monkeypatch.setenv("COLUMNS", "80")
        return stream

    return begin


def test_nothing_is_shown_within_a_second(look: Callable[[], Terminal]) -> None:
    terminal = look()
    clock = Clock()
    with progress("Reading", 10, wait=clock) as tick:
        for done in range(11):
            tick(done)
    assert (terminal.getvalue(), clock.waits, PATIENCE) == ("", [1.0], 1.0)


def test_after_a_second_there_is_a_bar_and_at_the_end_it_is_gone(look: Callable[[], Terminal]) -> None:
    terminal = look()
    clock = Clock()
    with progress("Reading", 200, wait=clock) as tick:
        tick(50)
        clock.ring()
        assert "Reading" in terminal.shown
        assert "25%" in terminal.shown
    assert terminal.getvalue().endswith("\x1b[1A\x1b[2K")  # up one line, which is cleared
    assert "\x1b[?25h" in terminal.getvalue()  # the cursor is there again


def test_work_that_tells_nothing_shows_that_it_goes_on(look: Callable[[], Terminal]) -> None:
    terminal = look()
    clock = Clock()
    with progress("Writing", wait=clock):
        clock.ring()
    assert "Writing" in terminal.shown
    assert "%" not in terminal.shown


def test_a_total_may_become_known_later(look: Callable[[], Terminal]) -> None:
    terminal = look()
    clock = Clock()
    with progress("Reading", wait=clock) as tick:
        clock.ring()
        tick(30, 40)
        tick(30)
    assert "75%" in terminal.shown


def test_it_does_not_appear_when_the_work_is_done(look: Callable[[], Terminal]) -> None:
    terminal = look()
    clock = Clock()
    with progress("Reading", 10, wait=clock):
        pass
    clock.ring()
    assert terminal.getvalue() == ""


def test_it_goes_when_the_work_fails(look: Callable[[], Terminal]) -> None:
    terminal = look()
    clock = Clock()
    with pytest.raises(OSError, match="gone"), progress("Reading", 10, wait=clock):  # noqa: PT012 (the bar is shown)
        clock.ring()
        message = "gone"
        raise OSError(message)
    assert terminal.getvalue().endswith("\x1b[1A\x1b[2K")


def test_what_is_worked_on_is_shown_and_never_obeyed(look: Callable[[], Terminal]) -> None:
    terminal = look()
    clock = Clock()
    with progress("Reading", 10, wait=clock) as tick:
        tick(1, detail="[bold]a[/bold]\x1b[2J\n\u202e.txt")
        clock.ring()
    assert "Reading [bold]a[/bold]\\x1b[2J \\u202e.txt" in terminal.shown
    assert "\x1b[2J" not in terminal.getvalue()


def test_a_long_name_is_cut_and_the_bar_stays_on_one_line(look: Callable[[], Terminal]) -> None:
    terminal = look()
    clock = Clock()
    with progress("Reading", 10, wait=clock) as tick:
        tick(5, detail="x" * 500)
        clock.ring()
    drawn = [line for line in re.split(r"[\r\n]", terminal.shown) if line.strip()]
    assert drawn
    assert all(len(line) <= 80 for line in drawn)
    assert "50%" in drawn[0]


@pytest.mark.parametrize("name", ["dumb", "unknown"])
def test_a_terminal_without_a_cursor_shows_nothing(
    look: Callable[[], Terminal], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    terminal = look()
    monkeypatch.setenv("TERM", name)
    clock = Clock()
    with progress("Reading", 10, wait=clock) as tick:
        tick(1)
        clock.ring()
    assert (terminal.getvalue(), clock.waits) == ("", [])


def test_no_color_means_no_color(look: Callable[[], Terminal]) -> None:
    terminal = look()
    clock = Clock()
    with click.Context(click.Command("x")) as context, progress("Reading", 10, wait=clock):
        context.color = False
        clock.ring()
    assert "Reading" in terminal.shown
    assert not re.search(r"\x1b\[(3|4|9|38|48)[0-9;]*m", terminal.getvalue())


def test_a_pipe_gets_nothing_and_nothing_is_imported() -> None:
    script = (
        "import sys; from gitmem_cli import progress as p\n"
        "with p.progress('Reading', 10, wait=None) as tick: tick(1, 2, 'x')\n"
        "sys.exit('rich' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
