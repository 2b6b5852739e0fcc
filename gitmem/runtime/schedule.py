"""When the watcher looks: at once, then every five minutes, and at 03:00."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.runtime.nightly import seconds_until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

POLL_SECONDS = 300.0


def moments(now: Callable[[], datetime], sleep: Callable[[float], None]) -> Iterator[datetime]:
    """The local times to look at, for ever; ``sleep`` is called with seconds between them, and may raise to end it.

    The five minutes begin when what was done is done: a long pass is not followed by another at once.
    """
    while True:
        yield now()
        sleep(min(POLL_SECONDS, seconds_until(now())))
