"""``authority``: who asks is known completely and may do it, or nothing happens (8.10 to 8.13, 8.19)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.errors import Code, Finding, Severity
from gitmem.policy.authority import Capability, Deny, decide

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.request import NewSource, Request

NAME = "authority"
CODE = Code.NOT_ALLOWED


def run(request: Request) -> Iterator[Finding]:
    """A caller who may not do it, and a source that nobody vouches for completely."""
    verdict = decide(request.authority, _capability(request))
    if isinstance(verdict, Deny):
        yield Finding(NAME, Severity.ERROR, "not-allowed", verdict.reason, fix=verdict.fix)
    for source in request.sources:
        if not _complete(source):
            message = f"the source {source.label or source.handle or ''} comes without complete authority".replace(
                "  ", " "
            )
            fix = "the calling code states trust, principal and kind of speaker; a payload cannot"
            yield Finding(NAME, Severity.ERROR, "incomplete-authority", message, fix=fix)


def _capability(request: Request) -> Capability:
    """What the request does. Whether a caller who may only add does no more is for ``appending`` to see."""
    from gitmem.request import PromoteEdit  # noqa: PLC0415  (git's hooks have no request, and it takes long to load)

    return Capability.PROMOTE if isinstance(request.edit, PromoteEdit) else Capability.APPEND


def _complete(source: NewSource) -> bool:
    """Trust state, principal and kind of speaker are stated; a pending source needs no tier."""
    return bool(source.trust_state and source.principal_id and source.speaker_kind)
