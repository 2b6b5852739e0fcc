"""Transaction-local names of sources that the same request archives (``behaviours.md`` 4.5)."""

from __future__ import annotations

import re

_DECLARED = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}", re.ASCII)
_MEANT = re.compile(r"new-source-[a-z0-9-]+", re.ASCII)


def is_source_label(text: str) -> bool:
    """Whether a request may declare this label; it cannot be mistaken for a handle or a link."""
    return _DECLARED.fullmatch(text) is not None


def means_source_label(text: str) -> bool:
    """Whether an undeclared name was meant as a label: ``new-source-`` and lower-case letters, digits, hyphens."""
    return _MEANT.fullmatch(text) is not None
