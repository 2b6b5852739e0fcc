"""One thing that was done to the runtime's own files, as commands tell it (``cli.md``, ``doctor`` and ``maintain``)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ActionAnswer:
    """One thing that was done: ``removed``, ``index.lock``, ``it was held by the interrupted write``."""

    what: str
    target: str
    outcome: str
