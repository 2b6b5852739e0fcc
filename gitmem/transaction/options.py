"""What a transaction is told besides the request: how long to wait, what the time is, who watches."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from gitmem.policy.secrets import SecretPolicy
from gitmem.store.steps import POINTS, no_step

if TYPE_CHECKING:
    from collections.abc import Callable

    from gitmem.policy.secrets import AskedPolicy
    from gitmem.store.commits import Sign
    from gitmem.store.steps import OnStep


STEPS = tuple(
    f"{when}-{point}" for point in ("compare", "stage", "check", "derive", *POINTS) for when in ("before", "after")
)
"""Every name that ``on_step`` is called with in a transaction, in order; from ``after-ref-move`` on it counts."""


def _now() -> datetime:
    return datetime.now(UTC).astimezone()


@dataclass(frozen=True, slots=True)
class Options:
    """``lock_timeout`` is in seconds; ``now`` gives an aware moment; ``on_step`` is called at every fault point.

    ``sign`` signs the commits of a transaction, views included. ``secrets`` gives what is done about secrets.
    """

    lock_timeout: float = 5.0
    now: Callable[[], datetime] = field(default=_now)
    on_step: OnStep = no_step
    sign: Sign | None = None
    secrets: AskedPolicy = SecretPolicy
