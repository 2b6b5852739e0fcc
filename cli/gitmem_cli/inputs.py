"""What a command reads besides its arguments: files and standard input (``cli.md``, "Inputs")."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from gitmem.errors import Code, InvalidRequest

if TYPE_CHECKING:
    from gitmem_cli.invocation import Invocation

STDIN = "-"


def read_text(invocation: Invocation, argument: str, option: str) -> str:
    """The text of a file (from where ``-C`` leads), ``-`` for standard input; line ends stay as they are.

    Raises ``InvalidRequest`` for a file that cannot be read and for bytes that are not UTF-8.
    """
    try:
        data = sys.stdin.buffer.read() if argument == STDIN else Path(invocation.directory, argument).read_bytes()
    except (OSError, ValueError) as error:  # the latter for a name that no file can have
        _invalid(f"{option} {argument} cannot be read: {getattr(error, 'strerror', None) or error}")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        _invalid(f"{option} {argument} is not UTF-8 text: byte {error.start} of it is not")


def read_json(invocation: Invocation, argument: str, option: str) -> object:
    """The JSON value of a file, ``-`` for standard input. Raises ``InvalidRequest``, naming line and column."""
    text = read_text(invocation, argument, option)
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        _invalid(f"{option} {argument} is not JSON: line {error.lineno}, column {error.colno}: {error.msg}")
    except RecursionError:
        _invalid(f"{option} {argument} is nested too deeply")
    except ValueError:  # what Python says of more digits than it converts
        _invalid(f"{option} {argument} holds a number with too many digits")


def topic_argument(argument: str) -> str:
    """A topic as somebody types it: a last name without any ending gets ``.md``."""
    name = argument.rpartition("/")[2]
    return f"{argument}.md" if name and "." not in name else argument


def _invalid(message: str) -> NoReturn:
    raise InvalidRequest(Code.INVALID_ARGUMENT, message)
