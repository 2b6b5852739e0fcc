"""On whose behalf a workspace is used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.authority import OWNER, Authority
from gitmem.request import Surface

if TYPE_CHECKING:
    from gitmem.request import Person


@dataclass(frozen=True, slots=True)
class Caller:
    """On whose behalf a workspace is used: the author of its commits, and the surface they come through."""

    author: Person
    surface: Surface = Surface.CLI
    authority: Authority = OWNER
