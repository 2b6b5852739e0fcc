"""The table of capabilities (``behaviours.md`` part 8), written out by hand: nobody computes a right."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gitmem.authority import IN_PERSON, NOBODY, OWNER, PAIRED, Authority
from gitmem.errors import Code, NotAllowed
from gitmem.format.model import Tier
from gitmem.policy.authority import Allow, Capability, Deny, decide, require

EVERYTHING = frozenset(Capability)
IN_PERSON_ONLY = {Capability.GO_BACK, Capability.PROMOTE, Capability.FORGET}
UNPAIRED = Authority(None, "7391")

TABLE = [
    (IN_PERSON, EVERYTHING),
    (OWNER, EVERYTHING - IN_PERSON_ONLY),
    (PAIRED, {Capability.READ, Capability.APPEND}),
    (replace(PAIRED, interactive=True), {Capability.READ, Capability.APPEND}),
    (UNPAIRED, frozenset()),
    (replace(UNPAIRED, interactive=True), frozenset()),
    (NOBODY, frozenset()),
    (Authority(Tier.OWNER, "", interactive=True), frozenset()),
    (Authority(Tier.PAIRED, ""), frozenset()),
]


@pytest.mark.parametrize(("authority", "allowed"), TABLE)
@pytest.mark.parametrize("capability", Capability)
def test_the_table(authority: Authority, allowed: frozenset[Capability], capability: Capability) -> None:  # 8.10, 8.12
    assert isinstance(decide(authority, capability), Allow if capability in allowed else Deny)
    if capability in allowed:
        require(authority, capability)
    else:
        with pytest.raises(NotAllowed) as caught:
            require(authority, capability)
        assert caught.value.code is Code.NOT_ALLOWED


@pytest.mark.parametrize("authority", [authority for authority, _ in TABLE])
@pytest.mark.parametrize("tier", [Tier.OWNER, Tier.PAIRED, None])
def test_delegating_never_widens(authority: Authority, tier: Tier | None) -> None:  # behaviours.md part 8
    handed = authority.delegated(tier)
    may = {capability for capability in Capability if isinstance(decide(authority, capability), Allow)}
    still = {capability for capability in Capability if isinstance(decide(handed, capability), Allow)}
    assert still <= may - IN_PERSON_ONLY
    assert handed.principal_id == authority.principal_id
    assert not handed.interactive
    assert authority.delegated().delegated(tier) == handed
