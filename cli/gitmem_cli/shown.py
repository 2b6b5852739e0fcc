"""How the parts of an answer look to people: lines that ``render.page`` takes, safe whatever memory holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gitmem_cli.render import one_line, visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

GAP = "  "


def styled(text: str, *, color: str | None = None, bold: bool = False, dim: bool = False) -> str:
    """One line of text, harmless, in a style that a pipe does not get."""
    return click.style(one_line(text), fg=color, bold=bold or None, dim=dim or None)


def joined(parts: Iterable[str | None]) -> str:
    """The parts of a line that there are, with a gap between them."""
    return GAP.join(part for part in parts if part)


def place(path: str, line: int) -> str:
    """Where something stands: ``path:line``."""
    return styled(f"{path}:{line}", color="cyan")


def warned(condition: bool, text: str) -> str | None:  # noqa: FBT001  (reads as a sentence)
    """A word of caution, where there is reason for it."""
    return styled(text, color="yellow") if condition else None


def indented(text: str) -> Iterator[str]:
    """The lines of a text, set in."""
    return (f"{GAP}{visible(line)}" for line in text.split("\n"))


def count(number: int, what: str) -> str:
    """A number and its noun: ``1 block``, ``2 blocks``."""
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"
