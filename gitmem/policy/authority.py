"""What a caller may do: the constant table of ``behaviours.md`` part 8 ("capabilities").

Nothing is granted that is not written down here: a caller without a tier or a principal may do nothing, and delegating
to somebody (:meth:`gitmem.request.Authority.delegated`) never adds a right.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from gitmem.errors import Code, NotAllowed
from gitmem.format.model import Tier

if TYPE_CHECKING:
    from gitmem.authority import Authority


class Capability(StrEnum):
    """What a call does to the memory, or with it."""

    READ = "read what the caller may see"
    AUDIT = "see who changed what"
    APPEND = "add to the memory"
    CHANGE = "rewrite or delete what the memory says"
    RECORD = "take in conversations"
    DISTILL = "fold conversations into topics"
    MAINTAIN = "look after the repository"
    GO_BACK = "take back what was written"
    PROMOTE = "vouch for what others said"
    FORGET = "erase for good"


_PAIRED = frozenset({Capability.READ, Capability.APPEND})
_IN_PERSON = frozenset({Capability.GO_BACK, Capability.PROMOTE, Capability.FORGET})
"""What only the owner may do, and only in person: nothing that a program could decide."""


@dataclass(frozen=True, slots=True)
class Allow:
    """It may be done."""


@dataclass(frozen=True, slots=True)
class Deny:
    """It may not; ``reason`` says why, ``fix`` what to do instead."""

    reason: str
    fix: str


def decide(authority: Authority, capability: Capability) -> Allow | Deny:
    """Whether a caller may do it; whoever is not known completely may do nothing (8.10, 8.12)."""
    if authority.tier is None or not authority.principal_id:
        return Deny(f"nobody vouches for this caller, who may not {capability}", "ask the owner to do it")
    if authority.tier is not Tier.OWNER:
        if capability in _PAIRED:
            return Allow()
        return Deny(f"a {authority.tier} caller may not {capability}", "ask the owner to do it")
    if capability in _IN_PERSON and not authority.interactive:
        return Deny(f"only the owner in person may {capability}", "let the owner do it; programs cannot decide it")
    return Allow()


def require(authority: Authority, capability: Capability) -> None:
    """Return when the caller may do it. Raises ``NotAllowed`` (``NOT_ALLOWED``)."""
    verdict = decide(authority, capability)
    if isinstance(verdict, Deny):
        message = f"{verdict.reason}; {verdict.fix}"
        raise NotAllowed(Code.NOT_ALLOWED, message)
