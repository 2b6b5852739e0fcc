"""What is a secret, as detect-secrets has it: the only importer of it, and only once something looks like one.

No detector is let out on the network to try a key: only their expressions are asked.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from gitmem.checks.secret_shapes import suspects

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.checks.secret_shapes import Shape, Suspect


@dataclass(frozen=True, slots=True)
class Secret:
    """One secret: what it is, its value, and the byte at which it begins."""

    kind: str
    value: str
    at: int


_CHOSEN = frozenset({"keyword.KeywordDetector", "basic_auth.BasicAuthDetector"})
"""What these find was chosen by a person or a program, so that it may as well be a word of an example."""

_KEY = re.compile(
    rb"(?:PRIVATE KEY|(?=PuTTY))"
    rb"(?:[-\s>|\"'`,+*]|\\[nr]|[A-Za-z0-9-]{1,40}:[ \t][^\n]{0,200}\n)*?"
    rb"([A-Za-z0-9+/=]{32,})"
)
"""The body of a private key behind its header, with what may stand between: lines of the header, quotation marks.

Anything else there ends it, so that what is said later decides nothing: the header alone is no key.
"""

_SHORTEST = 8
_FEWEST_SIGNS = 5


def secrets_in(data: bytes) -> Iterator[Secret]:
    """The secrets in a text, each once, as the detector that knows it best names it."""
    known = set[str]()
    taken = bytearray(len(data))  # one for each byte of a secret, so that no other detector finds a part of it
    for suspect in suspects(data):
        kind, values = _asked(suspect, data)
        for value in values:
            at = max(data.find(value.encode(), suspect.start), suspect.start)
            if value not in known and not any(taken[at : at + len(value)]) and not _is_none(value, suspect.shape):
                known.add(value)
                taken[at : at + len(value)] = b"\1" * len(taken[at : at + len(value)])
                yield Secret(kind, value, at)


def _asked(suspect: Suspect, data: bytes) -> tuple[str, list[str]]:
    """The name of what the detector found, and the values."""
    text = data[suspect.start : suspect.end].decode("utf-8", "replace")
    if suspect.shape.detector is None:
        return suspect.shape.kind, [text]
    plugin = _detector(suspect.shape.detector)
    kind, values = str(plugin.secret_type), list(plugin.analyze_string(text))
    if suspect.shape.detector not in _CHOSEN:
        values = [value if len(value) >= _SHORTEST else _whole(plugin, text) or value for value in values]
    if values and suspect.shape.detector == "private_key.PrivateKeyDetector":
        values = _key_body(data, suspect)
    return kind, values


def _key_body(data: bytes, suspect: Suspect) -> list[str]:
    header = re.compile(rb"PRIVATE KEY|PuTTY").search(data, suspect.start, suspect.end)
    body = None if header is None else _KEY.match(data, header.start())
    return [] if body is None else [body[1].decode("ascii")]


@cache
def _detector(name: str) -> Any:  # noqa: ANN401  (a plugin of detect-secrets; what it has beyond the base is its own)
    module, _, kind = name.partition(".")
    return getattr(import_module(f"detect_secrets.plugins.{module}"), kind)()


def _whole(plugin: Any, text: str) -> str | None:  # noqa: ANN401  (as above)
    """The token of a detector that gives only its prefix, the one group in its expression."""
    return next((match[0] for expression in plugin.denylist if (match := expression.search(text))), None)


def _is_none(value: str, shape: Shape) -> bool:
    """Whether a value only looks like a secret: a placeholder, an example, a variable, a row of signs."""
    from detect_secrets.filters import heuristic  # noqa: PLC0415  (takes a quarter of a second)

    if "EXAMPLE" in value or heuristic.is_sequential_string(value):
        return True
    if shape.detector not in _CHOSEN:
        return False
    return (
        len(value) < _SHORTEST
        or len(set(value)) < _FEWEST_SIGNS
        or not any(map(str.isdigit, value))
        or any(map(str.isspace, value))
        or heuristic.is_not_alphanumeric_string(value)
        or heuristic.is_potential_uuid(value)
        or heuristic.is_templated_secret(value)
        or heuristic.is_prefixed_with_dollar_sign(value)
        or heuristic.is_indirect_reference(f"value = {value}")
    )
