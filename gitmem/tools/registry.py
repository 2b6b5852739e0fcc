"""Every tool there is, in the order in which a model is told of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.policy.authority import Capability, Deny, decide
from gitmem.tools.changing import PROMOTE, UPDATE
from gitmem.tools.explaining import HISTORY, WHY
from gitmem.tools.reading import BROWSE, GET, STATUS
from gitmem.tools.searching import GREP, SEARCH

if TYPE_CHECKING:
    from gitmem.authority import Authority
    from gitmem.tools.base import Tool

TOOLS: tuple[Tool, ...] = (SEARCH, GREP, GET, BROWSE, WHY, HISTORY, STATUS, UPDATE, PROMOTE)


def tools_for(authority: Authority) -> tuple[Tool, ...]:
    """The tools that somebody may be offered: none to nobody, and those that take a person only to one."""
    if isinstance(decide(authority, Capability.READ), Deny):
        return ()
    may_promote = not isinstance(decide(authority, Capability.PROMOTE), Deny)
    return tuple(tool for tool in TOOLS if may_promote or not tool.in_person)
