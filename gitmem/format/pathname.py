"""Which names a workspace file may have, so that git and every platform can hold it (``architecture.md`` 5)."""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import unquote

MAX_NAME_BYTES = 255
"""The longest file name that common file systems hold."""

_DEVICES = re.compile(r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])[ ]*(?:[.:].*)?", re.IGNORECASE)
_FORBIDDEN = re.compile(r'[<>:"\\|?*\x00-\x1f\x7f-\x9f]')
_SURROGATE = re.compile("[\ud800-\udfff]")
_IGNORED_BY_HFS = re.compile("[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]")
_BIDIRECTIONAL = re.compile("[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""What turns the direction of text or breaks its lines: a name with it reads as another."""

_SHORT_GIT = re.compile(r"git~[0-9]+|gi[0-9a-f]{4}~[0-9]", re.IGNORECASE)


def is_utf8(path: str) -> bool:
    """Whether a path is text; bytes that are not UTF-8 stand in it as lone surrogates."""
    return _SURROGATE.search(path) is None


def name_problem(name: str) -> str | None:
    """Say why one path component is not portable, or ``None``; the sentence follows the name."""
    if name in {"", ".", ".."}:
        return "is empty or a step in the file tree"
    if is_git_disguise(name):
        return "is git's own folder, or read as it on some platform"
    if found := _FORBIDDEN.search(name) or _BIDIRECTIONAL.search(name):
        refuses = "changes how text reads" if _BIDIRECTIONAL.match(found[0]) else "Windows refuses"
        return f"holds a character that {refuses}"
    if name[-1] in ". ":
        return "ends in a dot or a blank, which Windows drops"
    if _DEVICES.fullmatch(name):
        return "is the name of a device on Windows"
    return _size_problem(name)


def _size_problem(name: str) -> str | None:
    try:
        size = len(name.encode())
    except UnicodeEncodeError:
        return "is not Unicode text"
    return f"is longer than {MAX_NAME_BYTES} bytes" if size > MAX_NAME_BYTES else None


def path_problem(path: str) -> str | None:
    """Say why a workspace path is not portable, or ``None``: relative, ``/`` between components, each one sound."""
    if path.startswith("/"):
        return "is absolute"
    for name in path.split("/"):
        if problem := name_problem(name):
            return problem
    return None


def is_git_disguise(name: str) -> bool:
    """Whether a file system may take the name for ``.git``: case, ignored characters, NTFS streams and short names."""
    visible = _IGNORED_BY_HFS.sub("", name)
    bare = visible.split(":", 1)[0].rstrip(". ")
    folded = unicodedata.normalize("NFC", bare).casefold()
    return folded == ".git" or _SHORT_GIT.fullmatch(bare) is not None


def collision_key(path: str) -> str:
    """Give the key under which two paths are twins: NFC and casefold (``behaviours.md`` 7.11).

    Paths below ``sources/`` and ``refs/`` are percent-encoded, so their names are compared decoded.
    """
    name = unquote(path) if path.startswith(("sources/", "refs/")) else path
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
