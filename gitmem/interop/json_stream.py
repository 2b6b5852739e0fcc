"""A large JSON document, read value by value in flat memory; a broken value costs only itself.

Values are cut out by their brackets and each is parsed by the standard library, so that texts come as they were
written. (ijson over yajl turns half of a surrogate pair into a question mark, and does not survive a number of 5,000
digits.)
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, BinaryIO

from gitmem.interop.reading import Fault, Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_VALUE_BYTES = 64 * 1024**2
"""The largest value that is parsed as one: a conversation, or a message."""

_CHUNK = 256 * 1024
_STRING = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_TEXT = re.compile(_STRING, re.DOTALL)
_LITERAL = re.compile(rb'[^"\[\]{},:\s]++')
_TO_BRACKET = re.compile(rb'[^"\[\]{}]*+(?:' + _STRING + rb'[^"\[\]{}]*+)*+[\[\]{}]', re.DOTALL)
_SPACE = re.compile(rb"\s*+")

_ENDS = "the document ends in the middle of something"
_NO_VALUE = "a value belongs here"
_NO_NAME = "an object has names, each with a colon"
_LONG = "a value is longer than a conversation can be"
_NOT_UTF8 = "it is not UTF-8"
_BEYOND_PYTHON = "it is nested too deeply, or holds a number that is too long"


class BadJson(Unreadable):
    """A value is no JSON; ``line`` is the one, 1-based, on which that shows."""

    def __init__(self, message: str, line: int, code: Fault = Fault.INVALID_JSON) -> None:
        """Keep the line beside the message."""
        super().__init__(code, message)
        self.line = line


class Cut(BadJson):
    """The document ends in the middle of something, or its brackets do not fit: nothing after it can be read."""


class JsonStream:
    """A place in a document that stands before a value: take the value, or go into it.

    ``elements`` and ``keys`` go through a list or an object and stop before each value; what the caller does not take
    there is passed over. ``value`` raises ``Unreadable`` for a value that is broken in itself, and the next one can be
    read; everything raises ``Cut`` where the rest is lost, and ``OSError``.
    """

    def __init__(self, stream: BinaryIO) -> None:
        """Begin before the document's one value."""
        self._stream = stream
        self._buffer = b""
        self._at = 0
        self._is_taken = False
        self._line = 1

    def peek(self) -> str:
        """Give the next character that is no space; empty at the end of the document."""
        while True:
            found = _SPACE.match(self._buffer, self._at)
            self._go_to(self._at if found is None else found.end())
            if self._at < len(self._buffer) or not self._read():
                return self._buffer[self._at : self._at + 1].decode(errors="replace")

    def elements(self) -> Iterator[int]:
        """Go through a list, to its end: the number of each element, from 1."""
        self._enter("[")
        number = 0
        while self._is_before_another("]"):
            number += 1
            yield number
            self._pass_over()

    def keys(self) -> Iterator[str]:
        """Go through an object, to its end: the name of each value."""
        self._enter("{")
        while self._is_before_another("}"):
            try:
                name = self.value()
            except BadJson as error:
                raise Cut(str(error), error.line) from error
            if not isinstance(name, str) or self.peek() != ":":
                raise self._cut(_NO_NAME)
            self._go_to(self._at + 1)
            self._is_taken = False
            yield name
            self._pass_over()

    def value(self) -> Any:  # noqa: ANN401 - parsed JSON
        """Take the value."""
        self.peek()
        line = self._line
        raw = self._take(MAX_VALUE_BYTES)
        if raw is None:
            raise BadJson(_LONG, line)
        try:
            return json.loads(raw)
        except UnicodeDecodeError as error:
            raise BadJson(_NOT_UTF8, line + raw.count(b"\n", 0, error.start), Fault.NOT_UTF8) from error
        except json.JSONDecodeError as error:
            message = f"it is not JSON: {error.msg}"
            raise BadJson(message, line + error.lineno - 1) from error
        except (RecursionError, ValueError) as error:
            raise BadJson(_BEYOND_PYTHON, line) from error

    # --- the way through the document

    def _enter(self, bracket: str) -> None:
        if self.peek() != bracket:
            message = f"{bracket} belongs here"
            raise self._cut(message)
        self._go_to(self._at + 1)

    def _is_before_another(self, closing: str) -> bool:
        if (found := self.peek()) == ",":
            self._go_to(self._at + 1)
            found = self.peek()
        if found == closing:
            self._go_to(self._at + 1)
        self._is_taken = found == closing
        return not self._is_taken

    def _pass_over(self) -> None:
        if not self._is_taken:
            self._take(0)

    def _take(self, limit: int) -> bytes | None:
        """Give the bytes of the value, ``None`` when they are more than the limit, and go behind it."""
        first = self.peek()
        if first in ("", "]", "}", ",", ":"):
            raise self._cut(_NO_VALUE if first else _ENDS)
        self._is_taken = True
        if first in "[{":
            return self._take_brackets(limit)
        return self._take_text() if first == '"' else self._take_literal()

    def _take_brackets(self, limit: int) -> bytes | None:
        depth, length, is_whole = 0, 0, True
        while depth or not length:
            found = _TO_BRACKET.match(self._buffer, self._at + length)
            if found is None:
                self._need_more()
                continue
            length = found.end() - self._at
            depth += 1 if self._buffer[found.end() - 1] in b"[{" else -1
            if depth and length > max(limit, _CHUNK):
                self._go_to(found.end())
                length, is_whole = 0, False
        raw = self._buffer[self._at : self._at + length]
        self._go_to(self._at + length)
        return raw if is_whole and length <= limit else None

    def _take_text(self) -> bytes:
        while (found := _TEXT.match(self._buffer, self._at)) is None:
            self._need_more()
        self._go_to(found.end())
        return found[0]

    def _take_literal(self) -> bytes:
        while (found := _LITERAL.match(self._buffer, self._at)) is not None:
            if found.end() < len(self._buffer) or not self._read():
                self._go_to(found.end())
                return found[0]
        raise self._cut(_NO_VALUE)

    # --- bytes

    def _need_more(self) -> None:
        if len(self._buffer) - self._at > 2 * MAX_VALUE_BYTES:
            raise self._cut(_LONG)
        if not self._read():
            raise self._cut(_ENDS)

    def _read(self) -> bool:
        """Read on; as much again as there is, so that a large value is not copied too often."""
        rest = self._buffer[self._at :]
        chunk = self._stream.read(max(_CHUNK, len(rest)))
        self._buffer, self._at = rest + chunk, 0
        return bool(chunk)

    def _go_to(self, place: int) -> None:
        self._line += self._buffer.count(b"\n", self._at, place)
        self._at = place

    def _cut(self, message: str) -> Cut:
        return Cut(message, self._line)
