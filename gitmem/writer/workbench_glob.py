"""Patterns for the paths of topic files."""

from __future__ import annotations

import re

import regex

from gitmem.errors import Code, InvalidRequest

LONGEST = 500
"""Characters of a pattern."""

SECONDS = 1.0
"""How long a pattern may take over one path."""

_PARTS = re.compile(r"\*\*/|\*\*|\*|\?|[^*?]+")
_MEANS = {"**/": "(?:[^/]+/)*+", "**": ".*", "*": "[^/]*", "?": "[^/]"}


class Glob:
    """``*`` and ``?`` stay inside a name, ``**`` crosses folders; a pattern without ``/`` looks in every folder."""

    def __init__(self, pattern: str) -> None:
        """Raises ``InvalidRequest`` for an empty pattern or one that is too long."""
        if not pattern or len(pattern) > LONGEST:
            message = f"give a pattern of 1 to {LONGEST} characters, such as topics/people/*.md"
            raise InvalidRequest(Code.INVALID_ARGUMENT, message)
        wanted = pattern.removeprefix("./") if "/" in pattern else f"**/{pattern}"
        parts = _PARTS.findall(wanted)
        self._fits = regex.compile("".join(_MEANS.get(part) or re.escape(part) for part in parts))

    def fits(self, path: str) -> bool:
        """Whether the whole path is as the pattern says."""
        try:
            return self._fits.fullmatch(path, timeout=SECONDS) is not None
        except TimeoutError as error:
            raise InvalidRequest(Code.INVALID_ARGUMENT, "the pattern takes too long; use fewer *") from error
