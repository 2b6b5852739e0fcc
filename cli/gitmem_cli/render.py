"""Printing: JSON for programs, text for people, and nothing from memory that a terminal would obey (``cli.md``)."""

from __future__ import annotations

import dataclasses
import json
import re
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

import click

from gitmem.json_form import to_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_GAP = "  "
_LEAST_COLUMNS = 40
"""A terminal that claims to be narrower than this is not believed."""

_CONTROL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff]"
)
"""What moves a terminal's cursor, changes its state, or turns the reading direction; LF and tab are left."""

_CONTROL_IN_JSON = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff]")


def color_of(environ: Mapping[str, str], *, refused: bool) -> bool | None:
    """Whether to print colour: ``False`` never, ``None`` as the stream is a terminal or not."""
    return False if refused or environ.get("NO_COLOR") or environ.get("TERM") == "dumb" else None


def on_terminal() -> bool:
    """Whether somebody is looking at standard output."""
    return sys.stdout.isatty()


def visible(text: str) -> str:
    """Text with control characters and terminal escapes spelled out (ESC as its hex escape) instead of obeyed."""
    return _CONTROL.sub(_escape, text)


def one_line(text: str) -> str:
    """Visible text on one line: runs of white space become one space."""
    return visible(" ".join(text.split()))


def document(value: object) -> None:
    """Print one JSON document on standard output."""
    _print_json(value, indent=2)


def record(value: object) -> None:
    """Print one JSON object on one line of a stream."""
    _print_json(value, indent=None)


def line(text: str = "", *, bold: bool = False, color: str | None = None) -> None:
    """Print text for people on standard output; safe for a terminal whatever it holds."""
    click.echo(click.style(visible(text), fg=color, bold=bold or None))


def warning(text: str) -> None:
    """Say something on standard error that is not the answer."""
    click.echo(f"{click.style('warning:', fg='yellow', bold=True)} {visible(text)}", err=True)


def note(text: str) -> None:
    """Say on standard error what is neither the answer nor a reason to worry, such as that there is more."""
    click.echo(f"{click.style('note:', fg='cyan')} {visible(text)}", err=True)


def page(lines: Iterable[str]) -> None:
    """Print lines (already visible, maybe styled), through ``$PAGER`` where a terminal is too short for them."""
    text = "".join(f"{text}\n" for text in lines)
    if on_terminal() and text.count("\n") >= shutil.get_terminal_size().lines:
        click.echo_via_pager(text)
    else:
        click.echo(text, nl=False)


def table(headers: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print rows in columns on a terminal, and tab-separated with no headers into a file or pipe.

    Where the terminal is too narrow for the rows, the last column has lines of its own, so nothing is squeezed or cut.
    """
    cells = [[one_line(cell) for cell in row] for row in rows]
    if not on_terminal():
        for row in cells:
            click.echo("\t".join(row))
        return
    from rich.cells import cell_len  # noqa: PLC0415 (only terminals pay for it)

    columns = list(zip(headers, *cells, strict=True))
    widths = [max(map(cell_len, column)) for column in columns]
    narrow = sum(widths) + len(_GAP) * (len(widths) - 1) > shutil.get_terminal_size().columns
    head = [click.style(_aligned(headers, widths, cell_len), dim=True)] if cells and not narrow else []
    page([*head, *(line for row in cells for line in _row(row, widths, cell_len, narrow=narrow))])


def _row(row: Sequence[str], widths: Sequence[int], cell_len: Callable[[str], int], *, narrow: bool) -> Iterator[str]:
    if not narrow:
        yield _aligned(row, widths, cell_len)
        return
    yield click.style(_aligned(row[:-1], widths, cell_len), dim=True)
    room = max(shutil.get_terminal_size().columns, _LEAST_COLUMNS)
    import textwrap  # noqa: PLC0415 (only where lines are cut)

    yield from textwrap.wrap(
        row[-1], room, initial_indent=_GAP, subsequent_indent=_GAP, break_long_words=False, break_on_hyphens=False
    )


def _aligned(row: Sequence[str], widths: Sequence[int], cell_len: Callable[[str], int]) -> str:
    """The cells of a row padded to their columns, which wide characters fill faster."""
    padded = (cell + " " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=False))
    return _GAP.join(padded).rstrip()


def _print_json(value: object, *, indent: int | None) -> None:
    text = json.dumps(to_json(value), ensure_ascii=False, indent=indent, default=_plain)
    click.echo(_CONTROL_IN_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", text).encode())


def _plain(value: object) -> object:
    """What ``json`` does not know: answers become objects, sets sorted lists, paths text."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return to_json(value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    if isinstance(value, PurePath):
        return str(value)
    message = f"{type(value).__name__} has no JSON form"
    raise TypeError(message)


def _escape(found: re.Match[str]) -> str:
    return found[0].encode("unicode-escape").decode("ascii")
