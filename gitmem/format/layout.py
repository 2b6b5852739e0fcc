"""Where everything stands: workspace paths, archive anchors and source handles (``architecture.md`` 2).

The rules for portable file names and for ref names have modules of their own; their names are given here too, so that
a caller who asks "where?" needs one module.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from gitmem.errors import Code, InvalidRequest
from gitmem.format.pathname import collision_key, name_problem, path_problem
from gitmem.format.refname import (
    AUTOSAVE_PREFIX,
    BASES_REF,
    NOTES_REF,
    REMOTES_PREFIX,
    RESCUE_PREFIX,
    SESSIONS_PREFIX,
    SessionName,
    parse_session_ref,
    session_ref,
)
from gitmem.ids import Target

if TYPE_CHECKING:
    from gitmem.ids import SourceId

__all__ = [
    "AUTOSAVE_PREFIX",
    "BASES_REF",
    "CORE",
    "CORE_SHARED",
    "FORGOTTEN",
    "GITATTRIBUTES",
    "GITMEM",
    "LEGACY_CORE",
    "NOTES_REF",
    "PROMOTIONS",
    "RECENT",
    "RELATIONS",
    "REMOTES_PREFIX",
    "RESCUE_PREFIX",
    "SESSIONS_PREFIX",
    "SOURCES",
    "TIMELINE",
    "TOPICS",
    "TOPIC_CORE",
    "Handle",
    "SessionName",
    "anchor",
    "archive_path",
    "collision_key",
    "dialog_name",
    "handle_problem",
    "is_derived",
    "is_handle",
    "is_legacy_archive",
    "is_source",
    "is_topic",
    "is_v2_archive",
    "legacy_names",
    "parse_session_ref",
    "path_problem",
    "session_ref",
    "split_handle",
    "targets_of",
    "timeline_path",
    "v2_names",
]

CORE = "core.md"
CORE_SHARED = "core.shared.md"
RECENT = "recent_events.jsonl"
RELATIONS = "relations.json"
TIMELINE = "timeline"
TOPICS = "topics"
TOPIC_CORE = "topics/core.md"
LEGACY_CORE = "openprogram-migration/legacy-core/"
SOURCES = "sources"
PROMOTIONS = "sources/promotions.jsonl"
FORGOTTEN = "sources/forgotten.jsonl"
GITMEM = ".gitmem"
GITATTRIBUTES = ".gitattributes"

_LEDGERS = frozenset({PROMOTIONS, FORGOTTEN})
_VIEWS = frozenset({CORE, CORE_SHARED, RECENT, RELATIONS})
_V2 = re.compile(r"sources/([^/]+)/_v2/([^/]+)\.md")
_LEGACY = re.compile(r"sources/([^/]+)/([^/]+)\.md")
_DIALOG_FILE = re.compile(r"sources/(D[0-9]+)\.md")
_DIALOG = re.compile(r"D([0-9]+):([0-9]+)")
_UNSAFE = re.compile(r"[\[\]<>]")
_STEPS = frozenset({".", ".."})


@dataclass(frozen=True, slots=True)
class Handle:
    """A source handle taken apart; ``message`` may hold slashes, ``provider`` and ``thread`` are one component each."""

    provider: str
    thread: str
    message: str

    def __str__(self) -> str:
        """The handle as it is written: ``provider/thread/message``."""
        return f"{self.provider}/{self.thread}/{self.message}"


# --- handles and archives ---------------------------------------------------------------------------------------


def split_handle(handle: SourceId) -> Handle:
    """Take ``provider/thread/message`` apart (``behaviours.md`` 7.9, 7.10).

    Raises ``InvalidRequest`` when a part is missing, when provider or thread is ``.`` or ``..``, and when the handle
    is not safe: not printable, or holding one of ``[ ] < >``. ``Dn:m`` is no such handle (see ``targets_of``).
    """
    problem = handle_problem(handle)
    if problem:
        raise InvalidRequest(Code.INVALID_ARGUMENT, f"the source handle {handle!r} {problem}")
    return Handle(*handle.split("/", 2))


def handle_problem(handle: str) -> str | None:
    """Say why a text is no v2 handle, or ``None``."""
    provider, _, rest = handle.partition("/")
    thread, _, message = rest.partition("/")
    if not (provider and thread and message):
        return "needs three parts, provider/thread/message"
    if provider in _STEPS or thread in _STEPS:
        return "is not safe: '.' and '..' cannot name a folder"
    if not handle.isprintable() or _UNSAFE.search(handle):
        return "is not safe: it must be printable and hold none of [ ] < >"
    return None


def is_handle(text: str) -> bool:
    """Whether a text is a plain handle, of either kind."""
    return _DIALOG.fullmatch(text) is not None or handle_problem(text) is None


def archive_path(provider: str, thread: str) -> str:
    """Give the v2 archive's path, ``sources/<provider>/_v2/<thread>.md`` with both names percent-encoded.

    Raises ``InvalidRequest`` for names that no workspace can hold as files: steps, Windows devices, git's folder,
    over 255 bytes, or a provider that would stand where ``promotions.jsonl`` or ``forgotten.jsonl`` does.
    """
    folder, file = _quote(provider), f"{_quote(thread)}.md"
    problem = name_problem(folder) or name_problem(file) or _folder_problem(folder)
    if problem or provider in _STEPS or thread in _STEPS:
        raise InvalidRequest(
            Code.INVALID_ARGUMENT,
            f"no archive can stand for {provider!r} and {thread!r}: a name {problem or 'is a step in the file tree'}",
        )
    return f"sources/{folder}/_v2/{file}"


def _folder_problem(folder: str) -> str | None:
    key = collision_key(f"sources/{folder}")
    return "is taken by a file of the runtime" if key in _LEDGERS else None


def _quote(name: str) -> str:
    try:
        return quote(name, safe="")
    except UnicodeEncodeError as error:
        raise InvalidRequest(Code.INVALID_ARGUMENT, f"{name!r} is not Unicode text") from error


def anchor(handle: str) -> str:
    """Give a handle's anchor: ``source-`` and the first 16 hex digits of its SHA-256."""
    return f"source-{hashlib.sha256(handle.encode()).hexdigest()[:16]}"


def targets_of(handle: SourceId) -> tuple[Target, ...]:
    """Give the places where the handle's record may stand, the preferred one first (``behaviours.md`` 2.3, 7.14).

    Raises ``InvalidRequest`` as ``split_handle`` does.
    """
    if found := _DIALOG.fullmatch(handle):
        return (Target(f"sources/D{found[1]}.md#d{found[1]}-{found[2]}"),)
    parts = split_handle(handle)
    path = archive_path(parts.provider, parts.thread)
    mark = anchor(handle)
    return Target(f"{path}#{mark}"), Target(f"{path.replace('/_v2/', '/', 1)}#{mark}")


def v2_names(path: str) -> tuple[str, str] | None:
    """Give provider and thread of a v2 archive's path; ``None`` when it is none, or not encoded canonically."""
    found = _V2.fullmatch(path)
    names = _names(found)
    if found is None or names is None or tuple(map(_quote, names)) != found.groups():
        return None
    return names


def legacy_names(path: str) -> tuple[str, str] | None:
    """Give provider and thread of a legacy provider archive's path, or ``None``."""
    return _names(_LEGACY.fullmatch(path))


def _names(found: re.Match[str] | None) -> tuple[str, str] | None:
    if found is None:
        return None
    names = unquote(found[1]), unquote(found[2])
    return None if any("/" in name for name in names) else names


def dialog_name(path: str) -> str | None:
    """Give ``D<n>`` of ``sources/D<n>.md``, or ``None``."""
    found = _DIALOG_FILE.fullmatch(path)
    return found[1] if found else None


# --- kinds of paths ---------------------------------------------------------------------------------------------


def is_topic(path: str) -> bool:
    """Whether the path is a topic file: below ``topics/``, ending in ``.md``."""
    return path.startswith("topics/") and path.endswith(".md")


def is_source(path: str) -> bool:
    """Whether the path is below ``sources/``: archives, promotions and forgotten handles."""
    return path.startswith("sources/")


def is_derived(path: str) -> bool:
    """Whether the path is a derived view's; everything below ``timeline/`` is."""
    return path in _VIEWS or path.startswith("timeline/")


def is_v2_archive(path: str) -> bool:
    """Whether the path is ``sources/<provider>/_v2/<thread>.md``."""
    return _V2.fullmatch(path) is not None


def is_legacy_archive(path: str) -> bool:
    """Whether the path is ``sources/<provider>/<thread>.md`` or ``sources/D<n>.md``."""
    return _LEGACY.fullmatch(path) is not None or _DIALOG_FILE.fullmatch(path) is not None


def timeline_path(when: str) -> str:
    """Give the timeline file of an event time ``YYYY``, ``YYYY-MM`` or ``YYYY-MM-DD``."""
    return f"timeline/{when.replace('-', '/')}.md"
