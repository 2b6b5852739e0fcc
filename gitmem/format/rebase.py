"""Relative link destinations, rewritten for a text that is shown in another file."""

from __future__ import annotations

import posixpath
import re

_DESTINATION = re.compile(r"(?<=\]\()(?![a-z][a-z0-9+.-]*:|/)([^()\s#]*)(?=(#?)[^()\s]*\))", re.IGNORECASE)


def rebase(text: str, origin: str, shown: str) -> str:
    """Rewrite every relative link of a text from the file ``origin`` that is shown in the file ``shown`` (13.2).

    Both are workspace paths. A bare fragment means a place in ``origin``; absolute links and URLs stay as they are.
    """
    if origin == shown or "](" not in text:
        return text
    folder, goal = posixpath.dirname(origin), posixpath.dirname(shown) or "."

    def moved(match: re.Match[str]) -> str:
        path, fragment = match.groups()
        if not path and not fragment:
            return path
        return posixpath.relpath(posixpath.normpath(posixpath.join(folder, path)) if path else origin, goal)

    return _DESTINATION.sub(moved, text)
