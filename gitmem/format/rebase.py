"""Relative link destinations, rewritten for a text that is shown from another folder."""

from __future__ import annotations

import posixpath
import re

_DESTINATION = re.compile(r"(?<=\]\()(?![a-z][a-z0-9+.-]*:|[/#])([^()\s#]+)(?=[#)])", re.IGNORECASE)


def rebase(text: str, from_folder: str, to_folder: str) -> str:
    """Rewrite every relative link of a text that moves from one workspace folder to another (13.2).

    Folders are workspace paths, ``""`` the root. Absolute links, URLs and bare fragments stay as they are.
    """
    if from_folder == to_folder or "](" not in text:
        return text

    def moved(match: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(from_folder, match.group(1)))
        return posixpath.relpath(target, to_folder or ".")

    return _DESTINATION.sub(moved, text)
