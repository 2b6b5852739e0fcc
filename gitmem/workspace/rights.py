"""What each method of a workspace does, and that its caller may do it (``behaviours.md`` part 8, "capabilities").

Every public method says so with ``@needs``; a test finds one that does not.
"""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Protocol, TypeVar, cast

from gitmem.policy.authority import Capability, require

if TYPE_CHECKING:
    from collections.abc import Callable

    from gitmem.authority import Authority

__all__ = ["Capability", "capability_of", "needs"]

_MARK = "__capability__"

MethodT = TypeVar("MethodT", bound="Callable[..., object]")


class _Used(Protocol):
    """Something that is used on somebody's behalf."""

    @property
    def authority(self) -> Authority:
        """Whose."""
        ...


def needs(capability: Capability) -> Callable[[MethodT], MethodT]:
    """Let the method be called only on behalf of those who have the capability; else ``NotAllowed``."""

    def guard(method: MethodT) -> MethodT:
        @wraps(method)
        def guarded(self: _Used, *args: object, **kwargs: object) -> object:
            require(self.authority, capability)
            return method(self, *args, **kwargs)

        setattr(guarded, _MARK, capability)
        return cast("MethodT", guarded)

    return guard


def capability_of(method: object) -> Capability | None:
    """What a method needs; ``None`` for one that says nothing."""
    found = getattr(method, _MARK, None)
    return found if isinstance(found, Capability) else None
