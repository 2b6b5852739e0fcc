"""Slack's markup as people see it: ``<@U1>`` is ``@ada``, ``<https://a.b|here>`` is ``here (https://a.b)``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_MARKED = re.compile(r"<([^<>\s][^<>\n]*)>")
_ESCAPED = {"&lt;": "<", "&gt;": ">", "&amp;": "&"}
_ESCAPE = re.compile("|".join(_ESCAPED))
_IDENTITY = re.compile(r"[A-Z0-9]+")


def read_text(text: str, names: Mapping[str, str]) -> str:
    """Undo the markup of people, channels, links and escaped characters; formatting stays.

    ``names`` has the handle of a person, or the name of a channel, by id. What people typed cannot look like markup:
    Slack escapes it.
    """
    return "".join(
        _marked(piece, names) if number % 2 else _unescaped(piece) for number, piece in enumerate(_MARKED.split(text))
    )


def _marked(marked: str, names: Mapping[str, str]) -> str:
    target, bar, given = marked.partition("|")
    label = _unescaped(given)
    kind, name = target[:1], target[1:]
    if kind in ("@", "#") and _IDENTITY.fullmatch(name):
        return kind + (names.get(name) or label.removeprefix(kind) or name)
    if kind == "!":
        return label if bar else f"@{name}"
    address = _unescaped(target)
    if not label:
        return address
    typed = label in (address, address.partition(":")[2].lstrip("/"))
    return label if typed else f"{label} ({address})"


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda found: _ESCAPED[found[0]], text)
