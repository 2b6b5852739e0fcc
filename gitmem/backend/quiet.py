"""A hook that fails: logged without a word of the memory, and answered as if there were none."""

from __future__ import annotations

import logging
from functools import wraps
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from gitmem.errors import GitmemError

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")
R = TypeVar("R")

_LOG = logging.getLogger("gitmem.backend")
_LOG.addHandler(logging.NullHandler())  # a host that wants to hear of it says so; nothing is printed otherwise


def quiet(answer: Callable[[Exception], R]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Have a hook answer this instead of raising; what it is answered is made from the failure."""

    def guard(hook: Callable[P, R]) -> Callable[P, R]:
        @wraps(hook)
        def guarded(*args: P.args, **kwargs: P.kwargs) -> R:
            try:
                return hook(*args, **kwargs)
            except Exception as error:  # noqa: BLE001  (a hook never takes its host down)
                code = error.code if isinstance(error, GitmemError) else type(error).__name__
                _LOG.error("%s failed: %s", hook.__name__, code)
                return answer(error)

        return guarded

    return guard
