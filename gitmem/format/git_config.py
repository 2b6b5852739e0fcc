r"""Git's configuration syntax, read exactly as ``git config --file`` reads it, without asking git.

Sections and keys ignore case, subsections do not; values may be quoted, continued with a backslash, and followed by a
comment. ``include`` is not followed: a tracked file decides by itself.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_SECTION = re.compile(r'\[([A-Za-z0-9.-]+)(?:[ \t]+"((?:[^"\\\n]|\\[^\n])*)")?\]')
_KEY = re.compile(r"([A-Za-z][A-Za-z0-9-]*)[ \t]*")
_BLANK = re.compile(r"(?:[ \t\n\r]+|[#;][^\n]*)*")
_ESCAPED, _SAME = re.compile(r"\\(.)"), r"\g<1>"
_ESCAPES = {"n": "\n", "t": "\t", "b": "\b", '"': '"', "\\": "\\"}


class Setting(NamedTuple):
    """One line: the dotted key, its section and name in lower case, and the value (``None``: the key alone, true)."""

    key: str
    value: str | None


class ConfigSyntaxError(ValueError):
    """The text is not git configuration; ``line`` is 1-based."""

    def __init__(self, line: int) -> None:
        """Keep the line."""
        super().__init__(f"line {line} is not in git's configuration syntax")
        self.line = line


def parse_git_config(text: str) -> tuple[Setting, ...]:
    """Read every setting in file order. Raises ``ConfigSyntaxError`` where git would refuse the file."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    settings: list[Setting] = []
    section = ""
    position = _skip(text, 0)
    while position < len(text):
        if found := _SECTION.match(text, position):
            section, position = f"{_section(found)}.", found.end()
        elif found := _KEY.match(text, position):
            value, position = _value(text, found.end())
            settings.append(Setting(section + found[1].lower(), value))
        else:
            raise ConfigSyntaxError(text.count("\n", 0, position) + 1)
        position = _skip(text, position)
    return tuple(settings)


def _skip(text: str, position: int) -> int:
    found = _BLANK.match(text, position)
    return found.end() if found else position


def _section(found: re.Match[str]) -> str:
    name = found[1].lower()
    return name if found[2] is None else f"{name}.{_ESCAPED.sub(_SAME, found[2])}"


def _value(text: str, position: int) -> tuple[str | None, int]:
    if position == len(text) or text[position] == "\n":
        return None, position
    if text[position] != "=":
        raise ConfigSyntaxError(text.count("\n", 0, position) + 1)
    return _quoted(text, position + 1)


def _quoted(text: str, position: int) -> tuple[str, int]:
    """Read a value to the end of its line; blanks outside quotes are kept inside and dropped at both ends."""
    start = text.count("\n", 0, position) + 1
    value, blanks, quoted = "", "", False
    while position < len(text) and (text[position] != "\n" or quoted):
        char = text[position]
        position += 1
        if char == "\n":
            raise ConfigSyntaxError(start)
        if char in " \t\r" and not quoted:
            blanks += char if value else ""
            continue
        if char in "#;" and not quoted:
            end = text.find("\n", position)
            return value, len(text) if end < 0 else end
        value, blanks = value + blanks, ""
        if char == '"':
            quoted = not quoted
        elif char == "\\":
            piece, position = _escape(text, position)
            value += piece
        else:
            value += char
    if quoted:
        raise ConfigSyntaxError(start)
    return value, position


def _escape(text: str, position: int) -> tuple[str, int]:
    char = text[position : position + 1]
    if char in {"", "\n"}:
        return "", position + 1
    if char not in _ESCAPES:
        raise ConfigSyntaxError(text.count("\n", 0, position) + 1)
    return _ESCAPES[char], position + 1
