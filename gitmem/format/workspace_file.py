"""The tracked ``.gitmem`` and ``.gitattributes``: what makes a repository a workspace (``architecture.md`` 2)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NoReturn

from gitmem.errors import Code, Refused
from gitmem.format.git_config import ConfigSyntaxError, parse_git_config
from gitmem.format.layout import CORE, CORE_SHARED, GITMEM, RECENT, RELATIONS
from gitmem.ids import WorkspaceId

FORMAT_VERSION = 1
DEFAULT_CORE_MAX_TOKENS = 2000
DEFAULT_RECENT_LIMIT = 50
MAX_RECENT_LIMIT = 500

TOPIC_DRIVER = "gitmem-topic"
"""The diff and merge driver of topic files; ``git config`` says what it runs, without it git's own text rules stand."""

ARCHIVE_DRIVER = "gitmem-archive"
"""The merge driver of source archives, which keeps the frames of both sides."""

VIEW_DRIVER = "gitmem-view"
"""The merge driver of derived views, which takes either side: they are derived anew."""

GITATTRIBUTES_TEXT = "\n".join(
    (
        "# Bytes are bytes: no line-end conversion, keywords, filters or re-encoding.",
        "* -text -ident -filter !working-tree-encoding",
        f"topics/**/*.md diff={TOPIC_DRIVER} merge={TOPIC_DRIVER}",
        f"sources/**/*.md merge={ARCHIVE_DRIVER}",
        "sources/*.jsonl merge=union",
        *(
            f"{pattern} linguist-generated merge={VIEW_DRIVER}"
            for pattern in (f"/{CORE}", f"/{CORE_SHARED}", "timeline/**", f"/{RECENT}", f"/{RELATIONS}")
        ),
        "",
    )
)

_ID = re.compile(r"w-[0-9a-f]{8}")
_NUMBER = re.compile(r"[0-9]{1,9}")
_PREFIX = "gitmem."


@dataclass(frozen=True, slots=True)
class WorkspaceSettings:
    """What ``.gitmem`` decides: whatever shapes the bytes of a view is part of the memory."""

    id: WorkspaceId
    format_version: int = FORMAT_VERSION
    core_max_tokens: int = DEFAULT_CORE_MAX_TOKENS
    recent_limit: int = DEFAULT_RECENT_LIMIT


def is_workspace_id(text: str) -> bool:
    """Whether the text is ``w-`` and 8 hex digits (``behaviours.md`` 9.1)."""
    return _ID.fullmatch(text) is not None


def parse_workspace_file(data: bytes) -> WorkspaceSettings:
    """Read ``.gitmem``: keys ``gitmem.formatVersion``, ``gitmem.id``, ``core.maxTokens``, ``recent.limit``.

    The last two may also stand under ``[gitmem "core"]`` and ``[gitmem "recent"]``; the last line counts; a limit that
    is no number in its range (tokens from 1; 1 to 500 events) is read as its default (16.9); other keys are ignored.
    Raises ``Refused`` (``COMMIT_REJECTED``) when the text is not git configuration, or names no valid id, or another
    format.
    """
    values = _values(data)
    version, ident = values.get("formatversion", ""), values.get("id", "")
    if not _NUMBER.fullmatch(version):
        _refuse("names no format version; add 'formatVersion = 1' under [gitmem]")
    if int(version) != FORMAT_VERSION:
        _refuse(f"is of format {version}, this gitmem reads format {FORMAT_VERSION}; install one that reads it")
    if not is_workspace_id(ident):
        _refuse("names no workspace id; 'id' under [gitmem] must be w- and 8 hex digits")
    return WorkspaceSettings(
        id=WorkspaceId(ident),
        format_version=FORMAT_VERSION,
        core_max_tokens=_number(values, "core.maxtokens", DEFAULT_CORE_MAX_TOKENS, None),
        recent_limit=_number(values, "recent.limit", DEFAULT_RECENT_LIMIT, MAX_RECENT_LIMIT),
    )


def render_workspace_file(settings: WorkspaceSettings) -> bytes:
    """Give the bytes of a ``.gitmem`` with exactly these settings."""
    return (
        "# What decides the bytes of this memory. Other settings are local: git config gitmem.*\n"
        f"[gitmem]\n\tformatVersion = {settings.format_version}\n\tid = {settings.id}\n"
        f"[core]\n\tmaxTokens = {settings.core_max_tokens}\n"
        f"[recent]\n\tlimit = {settings.recent_limit}\n"
    ).encode()


def _values(data: bytes) -> dict[str, str]:
    try:
        settings = parse_git_config(data.decode())
    except UnicodeDecodeError:
        _refuse("is not UTF-8 text")
    except ConfigSyntaxError as error:
        _refuse(f"cannot be read: {error}")
    return {setting.key.removeprefix(_PREFIX): setting.value or "" for setting in settings}


def _number(values: dict[str, str], key: str, default: int, most: int | None) -> int:
    text = values.get(key, "")
    number = int(text) if _NUMBER.fullmatch(text) else 0
    return number if number >= 1 and (most is None or number <= most) else default


def _refuse(problem: str) -> NoReturn:
    raise Refused(Code.COMMIT_REJECTED, f"{GITMEM} {problem}", path=GITMEM)
