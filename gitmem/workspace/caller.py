"""On whose behalf a workspace is used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.format.model import Tier
from gitmem.request import Authority, Surface

if TYPE_CHECKING:
    from gitmem.request import Person

OWNER = Authority(Tier.OWNER, "owner")
"""The authority of the memory's owner at work, without a terminal confirmation."""


@dataclass(frozen=True, slots=True)
class Caller:
    """On whose behalf a workspace is used: the author of its commits, and the surface they come through."""

    author: Person
    surface: Surface = Surface.CLI
    authority: Authority = OWNER
