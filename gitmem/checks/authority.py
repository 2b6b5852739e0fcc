"""``authority``: who asks is known completely, or nothing happens (8.10 to 8.13)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.errors import Code, Finding, Severity
from gitmem.format.model import Tier

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.request import NewSource, Request

NAME = "authority"
CODE = Code.NOT_ALLOWED


def run(request: Request) -> Iterator[Finding]:
    """A caller that is not the owner, or without principal; a source that nobody vouches for completely.

    The paired tier's narrower rights are not offered yet, so a paired caller may write nothing.
    """
    if request.authority.tier is not Tier.OWNER or not request.authority.principal_id:
        message = "only the owner may change this memory"
        yield Finding(NAME, Severity.ERROR, "not-the-owner", message, fix="ask the owner to make the change")
    elif not request.authority.interactive and _promotes(request):
        message = "only the owner in person may vouch for what others said"
        fix = "run `gitmem promote` on a terminal; programs cannot confirm for a person"
        yield Finding(NAME, Severity.ERROR, "not-interactive", message, fix=fix)
    for source in request.sources:
        if not _complete(source):
            message = f"the source {source.label or source.handle or ''} comes without complete authority".replace(
                "  ", " "
            )
            fix = "the calling code states trust, principal and kind of speaker; a payload cannot"
            yield Finding(NAME, Severity.ERROR, "incomplete-authority", message, fix=fix)


def _promotes(request: Request) -> bool:
    from gitmem.request import PromoteEdit  # noqa: PLC0415  (git's hooks have no request, and it takes long to load)

    return isinstance(request.edit, PromoteEdit)


def _complete(source: NewSource) -> bool:
    """Trust state, principal and kind of speaker are stated; a pending source needs no tier."""
    return bool(source.trust_state and source.principal_id and source.speaker_kind)
