"""One way to refuse what would not be a valid topic."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from gitmem.errors import Code, Refused

if TYPE_CHECKING:
    from gitmem.errors import Finding


def refuse(message: str, path: str | None = None, findings: tuple[Finding, ...] = ()) -> NoReturn:
    """Raise ``Refused(INVALID_TOPIC_FORMAT)`` (``behaviours.md`` 3.5)."""
    raise Refused(Code.INVALID_TOPIC_FORMAT, message, path=path, findings=findings)
