"""Every method of a workspace says what it does, and asks whether its caller may do it (part 8, "capabilities")."""

from __future__ import annotations

import inspect
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from gitmem.authority import NOBODY, OWNER, PAIRED, Authority
from gitmem.errors import NotAllowed
from gitmem.policy.authority import Capability, Deny, decide
from gitmem.workspace import Workspace
from gitmem.workspace.rights import capability_of
from workspaces import ME, QUICK, make

if TYPE_CHECKING:
    from pathlib import Path

FREE = {
    "open",  # which asks for the authority
    "discover",
    "create",  # nothing is there yet
    "close",
    "extract_before_discard",  # looks at its argument only
    "writer",  # says which writer there would be
}

METHODS = sorted(
    name for name, member in inspect.getmembers(Workspace, callable) if not name.startswith("_") and name not in FREE
)


def test_every_method_names_its_capability() -> None:
    assert [name for name in METHODS if capability_of(getattr(Workspace, name)) is None] == []
    assert set(FREE) <= {name for name in dir(Workspace) if callable(getattr(Workspace, name))}


@pytest.mark.parametrize("authority", [OWNER, PAIRED, NOBODY])
def test_what_a_caller_may_not_do_is_refused_before_anything_is_looked_at(tmp_path: Path, authority: Authority) -> None:
    make(tmp_path / "w").close()
    with Workspace.open(tmp_path / "w", replace(ME, authority=authority), QUICK) as workspace:
        refused = {name: capability_of(getattr(Workspace, name)) or Capability.READ for name in METHODS}
        refused = {name: needed for name, needed in refused.items() if isinstance(decide(authority, needed), Deny)}
        for name in refused:
            with pytest.raises(NotAllowed):
                getattr(workspace, name)(*_nonsense(name))
        assert ("undo" in refused, "forget" in refused, "promote" in refused) == (True, True, True)
        assert ("remember" in refused) == (authority is NOBODY)


def _nonsense(name: str) -> list[object]:
    """Arguments that no method could do anything with: it must not come to that."""
    parameters = list(inspect.signature(getattr(Workspace, name)).parameters.values())[1:]
    required = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [object() for one in parameters if one.kind in required and one.default is inspect.Parameter.empty]


def test_a_function_that_tells_the_caller_later_needs_a_word_on_the_authority(tmp_path: Path) -> None:
    make(tmp_path / "w").close()
    with Workspace.open(tmp_path / "w", lambda: ME, QUICK) as workspace, pytest.raises(NotAllowed):
        workspace.browse()
    with Workspace.open(tmp_path / "w", lambda: ME, QUICK, authority=OWNER) as workspace:
        assert workspace.browse().total == 0
