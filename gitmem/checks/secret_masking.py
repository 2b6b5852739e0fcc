"""Secrets taken out of what is printed: a refusal quotes the text that it refuses, whatever stands in it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gitmem.checks.secret_shapes import SHAPES, suspects
from gitmem.policy.secrets import shown

if TYPE_CHECKING:
    from collections.abc import Mapping

_CUT_WORD = re.compile(r"(?<!\S)\S{6,}…")
"""Looked for at the start of words only: elsewhere, a long word would be read once for each of its characters."""
_MARKS = tuple(mark for shape in SHAPES for mark in shape.marks)


def masked(text: str) -> str:
    """The text with a hash in the place of each secret, and without words that were cut off where one may begin."""
    data = text.encode("utf-8", "surrogatepass")
    if next(suspects(data), None) is not None:
        from gitmem.checks.secret_detectors import secrets_in  # noqa: PLC0415  (the detectors load slowly)

        for secret in sorted(secrets_in(data), key=lambda found: -len(found.value)):
            text = text.replace(secret.value, f"[secret, SHA-256 {shown(secret.value)}...]")
    return _CUT_WORD.sub(_cut, text)


def masked_json(value: object) -> object:
    """The same for every text in a JSON value."""
    if isinstance(value, str):
        return masked(value)
    if isinstance(value, dict):
        return masked_object(value)
    return [masked_json(item) for item in value] if isinstance(value, list | tuple) else value


def masked_object(value: Mapping[str, object]) -> dict[str, object]:
    """The same for a JSON object; keys are names."""
    return {key: masked_json(item) for key, item in value.items()}


def _cut(word: re.Match[str]) -> str:
    data = word[0].encode("utf-8", "surrogatepass")
    return "…" if any(mark in data or mark in data.lower() for mark in _MARKS) else word[0]
