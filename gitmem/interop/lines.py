"""A document line by line, and a line as JSON: for every format that has one item on a line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NoReturn

from gitmem.interop.reading import Fault, Unreadable, kind_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.interop.document import Document
    from gitmem.interop.reading import ReadError

MAX_LINE_BYTES = 16 * 1024 * 1024
"""The longest line that is read; a longer one is reported and passed over."""


def numbered_lines(document: Document) -> Iterator[tuple[int, bytes | None]]:
    """Give every line with its number, LF included; ``None`` for one that is too long. Raises ``OSError``."""
    with document.open() as stream:
        number = 0
        while raw := stream.readline(MAX_LINE_BYTES + 1):
            number += 1
            if len(raw) <= MAX_LINE_BYTES or raw.endswith(b"\n"):
                yield number, raw
            else:
                while (raw := stream.readline(MAX_LINE_BYTES)) and not raw.endswith(b"\n"):
                    pass
                yield number, None


def too_long(document: Document, number: int) -> ReadError:
    """Report a line that ``numbered_lines`` passed over."""
    return document.place(number).error(Fault.LINE_TOO_LONG, f"the line is longer than {MAX_LINE_BYTES} bytes")


def parse_object(raw: bytes) -> dict[str, Any]:
    """Parse one line. Raises ``Unreadable`` when it is not UTF-8, not strict JSON, or not an object."""
    try:
        value = _STRICT.decode(raw.strip().decode())
    except UnicodeDecodeError as error:
        raise Unreadable(Fault.NOT_UTF8, f"the line is not UTF-8 at byte {error.start}") from error
    except ValueError as error:
        raise Unreadable(Fault.INVALID_JSON, f"the line is not JSON: {error}"[:200]) from error
    except RecursionError as error:
        raise Unreadable(Fault.INVALID_JSON, "the line is nested too deeply") from error
    if not isinstance(value, dict):
        raise Unreadable(Fault.NOT_A_TURN, f"a turn is an object, not {kind_of(value)}")
    return value


def objects_of(head: bytes) -> Iterator[dict[str, Any]]:
    """Give the lines of a sample that are whole objects."""
    for line in head.split(b"\n"):
        try:
            yield parse_object(line)
        except Unreadable:
            continue


def _refuse_constant(name: str) -> NoReturn:
    message = f"{name} is not a JSON number"
    raise ValueError(message)


_STRICT = json.JSONDecoder(parse_constant=_refuse_constant)
