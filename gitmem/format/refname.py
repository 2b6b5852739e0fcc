"""Names of gitmem's own refs (``architecture.md`` 2); git's syntax allows few characters, file systems fewer."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import quote, unquote

from gitmem.errors import Code, InvalidRequest

AUTOSAVE_PREFIX = "refs/gitmem/autosave/"
RESCUE_PREFIX = "refs/gitmem/rescue/"
SESSIONS_PREFIX = "refs/gitmem/sessions/"
REMOTES_PREFIX = "refs/gitmem/remotes/"
NOTES_REF = "refs/notes/gitmem/written"
BASES_REF = "refs/worktree/gitmem/bases"

MAX_COMPONENT_BYTES = 240
"""The longest component of a session ref, so that git can still make a lock file beside it."""

_SESSION = re.compile(r"refs/gitmem/sessions/([^/]+)/([^/]+)/([^/]+)")
_PLAIN = re.compile(r"refs/gitmem/sessions/([\w-]{1,240})/([\w-]{1,240})/([\w-]{1,240})", re.ASCII)
"""Most refs: every character of the names stands for itself."""


@dataclass(frozen=True, slots=True)
class SessionName:
    """One branch of a conversation, by its decoded names."""

    provider: str
    thread: str
    branch: str


def session_ref(provider: str, thread: str, branch: str) -> str:
    """Name the ref of a conversation's branch: three percent-encoded components, so none is ever a folder of another.

    Raises ``InvalidRequest`` for an empty name, one that is not Unicode, or one over 240 bytes when encoded. Twins
    under ``collision_key`` are for the caller to refuse, who knows the existing refs.
    """
    return SESSIONS_PREFIX + "/".join(_component(name) for name in (provider, thread, branch))


def parse_session_ref(ref: str) -> SessionName | None:
    """Read a session ref back; ``None`` when it is not one in its canonical spelling."""
    if plain := _PLAIN.fullmatch(ref):
        return SessionName(*plain.groups())
    found = _SESSION.fullmatch(ref)
    if found is None:
        return None
    name = SessionName(*(unquote(part, errors="replace") for part in found.groups()))
    try:
        return name if session_ref(name.provider, name.thread, name.branch) == ref else None
    except InvalidRequest:
        return None


def _component(name: str) -> str:
    try:
        encoded = quote(name, safe="").replace(".", "%2E").replace("~", "%7E")
    except UnicodeEncodeError as error:
        raise InvalidRequest(Code.INVALID_ARGUMENT, f"the session name {name!r} is not Unicode text") from error
    if not 0 < len(encoded) <= MAX_COMPONENT_BYTES:
        raise InvalidRequest(
            Code.INVALID_ARGUMENT,
            f"the session name {name[:40]!r} must have 1 to {MAX_COMPONENT_BYTES} bytes when percent-encoded",
        )
    return encoded
