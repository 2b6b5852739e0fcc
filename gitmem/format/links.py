"""Links as a topic file writes them, and what they reach in the workspace.

**Source links.** The path of a source link is the name that stands on disk, character for character, and is never
decoded: the thread ``encoded id`` is stored as ``encoded%20id.md`` and linked as ``…/encoded%20id.md#source-…``, which
is what existing workspaces hold (``behaviours.md`` 1.13). A strict Markdown reader would decode that once; a link
written for such a reader spells the same file ``encoded%2520id.md``. So the literal spelling is always tried first,
and ``other_spelling`` gives the one name that remains to be tried when no such file exists.

**Block links.** Topic files are named by people, so their links are ordinary Markdown: percent-decoded when read, and
percent-encoded where Markdown needs it when written.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import unquote

from gitmem.ids import BlockId, Target, TopicPath

if TYPE_CHECKING:
    from collections.abc import Iterable

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_NEEDS_ENCODING = re.compile(r"[\x00-\x20\x7f\"#%():<>?\[\\\]`|\u0085\u00a0\u2028\u2029]")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


def resolve_target(topic_path: str, target: str) -> Target | None:
    """The workspace form ``sources/….md#anchor`` of a source link written in the topic.

    ``None`` when the link leaves ``sources/``, names no Markdown file or has no anchor; a plain handle has none either.
    """
    path, mark, anchor = target.partition("#")
    if not mark or not anchor or not path.endswith(".md"):
        return None
    resolved = _join(topic_path, path)
    if resolved is None or not resolved.startswith("sources/"):
        return None
    return Target(f"{resolved}#{anchor}")


def relative_target(topic_path: str, target: Target) -> str:
    """How the topic (or any other workspace file) links to the source record: the name on disk, literally."""
    path, _, anchor = target.partition("#")
    return f"{_relative(topic_path, path)}#{anchor}"


def other_spelling(target: Target) -> Target | None:
    """The record meant if the link was written for a Markdown reader that decodes once; ``None``: there is no other."""
    path, _, anchor = target.partition("#")
    decoded = unquote(path)
    if decoded == path or _CONTROL.search(decoded) or decoded.count("/") != path.count("/"):
        return None
    return Target(f"{decoded}#{anchor}")


def resolve_block_link(topic_path: str, destination: str) -> tuple[TopicPath, BlockId | None] | None:
    """The topic and block that a Markdown link destination written in ``topic_path`` reaches.

    The block is ``None`` for a link to a whole file or to a heading. ``None`` when the destination is not a topic:
    an address, an absolute path, or anything outside ``topics/``.
    """
    if _SCHEME.match(destination) or destination.startswith("/"):
        return None
    path, _, fragment = destination.partition("#")
    decoded = unquote(path)
    resolved = topic_path if not path else _join(topic_path, decoded)
    if resolved is None or not resolved.startswith("topics/") or not resolved.endswith(".md"):
        return None
    if _CONTROL.search(decoded) or not (path or fragment):
        return None
    name = unquote(fragment)
    block = BlockId(name[1:]) if name.startswith("^") and len(name) > 1 else None
    return TopicPath(resolved), block


def relative_block_link(from_path: str, to_path: str, block: BlockId) -> str:
    """The destination of a link from one workspace file to a block: relative, encoded where Markdown needs it."""
    return f"{_NEEDS_ENCODING.sub(_encode, _relative(from_path, to_path))}#^{block}"


def _encode(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match.group().encode())


@lru_cache(maxsize=4096)
def _join(from_path: str, path: str) -> str | None:
    """``path`` relative to the folder of ``from_path``, without ``.`` and ``..``; ``None`` above the root."""
    if path.startswith("/"):
        return None
    parts = from_path.split("/")[:-1]
    for part in path.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in {"", "."}:
            parts.append(part)
    return "/".join(parts)


def _relative(from_path: str, to_path: str) -> str:
    folder, goal = from_path.split("/")[:-1], to_path.split("/")
    shared = _shared(folder, goal[:-1])
    steps: Iterable[str] = [".."] * (len(folder) - shared)
    return "/".join([*steps, *goal[shared:]])


def _shared(left: list[str], right: list[str]) -> int:
    count = 0
    for one, other in zip(left, right, strict=False):
        if one != other:
            break
        count += 1
    return count
