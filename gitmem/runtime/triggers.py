"""When a host lets memory write, and what it hears: nothing, or why something is left (``behaviours.md`` 10.1 to 10.5).

Nothing that a writer does takes a conversation down with it: whatever is raised becomes a ``WriteFailure``.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.errors import Code, GitmemError, NotFound
from gitmem.writer.write import Folded, SessionFailure, WriteFailure

if TYPE_CHECKING:
    from collections.abc import Callable

_LOG = logging.getLogger("gitmem.triggers")
_LOG.addHandler(logging.NullHandler())  # a host that wants to hear of it says so; nothing is printed otherwise

LOCK_SECONDS = 1.0
"""How long a background writer waits for a lock before it leaves its turns for later."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """What became of one conversation.

    ``turns`` and new ``claims`` were written, in the memory commit ``revision`` (``None``: none were). ``failure`` says
    why what was due is left; ``None``: nothing that was due is left.
    """

    session: str
    turns: int
    claims: int
    revision: str | None
    failure: WriteFailure | None

    @property
    def is_settled(self) -> bool:
        """Whether trying again would change nothing (10.9)."""
        return self.failure is None or not self.failure.retryable


def settled(session: str | None, fold: Callable[[str], Folded], writer: str) -> Folded:
    """Fold one conversation, ``provider/thread``; never raises. ``writer`` is the kind that would have folded it."""
    try:
        if not session:
            return _failed("", _MISSING, writer)
        return fold(session)
    except Exception as error:  # noqa: BLE001  (a host goes on whatever its memory does)
        return _failed(session or "", failure_of(error), writer)


def attempt_of(session: str | None, folded: Folded) -> Attempt:
    """What became of the only conversation of a run."""
    failure = next(iter(folded.failures), None)
    return Attempt(
        session=session or "",
        turns=sum(batch.turns for batch in folded.batches),
        claims=sum(len(batch.block_ids) for batch in folded.batches),
        revision=folded.batches[-1].revision if folded.batches else None,
        failure=None if failure is None else WriteFailure(failure.reason_code, failure.message, failure.retryable),
    )


def failure_of(error: Exception) -> WriteFailure:
    """The failure that an exception stands for (10.5).

    An error of gitmem keeps its code. Of anything else only the kind is told, since its text may hold anything (all of
    it is logged), and it is not worth trying again unless it says so itself, in an attribute ``retryable``.
    """
    if isinstance(error, NotFound) and error.code is Code.SOURCE_NOT_FOUND:
        return WriteFailure(Code.SESSION_NODES_UNAVAILABLE, error.message, retryable=False)
    if isinstance(error, GitmemError):
        return WriteFailure(error.code, error.message, error.retryable)
    _LOG.error("writing failed in a way that nobody foresaw", exc_info=error)
    retryable = getattr(error, "retryable", False) is True
    if isinstance(error, OSError):
        message = f"the disk or its permissions refuse: {error.strerror or type(error).__name__}"
        return WriteFailure(Code.STORAGE_UNAVAILABLE, message, retryable)
    return WriteFailure(Code.TRANSACTION_FAILURE_UNKNOWN, f"writing failed: {type(error).__name__}", retryable)


_MISSING = WriteFailure(Code.MISSING_SESSION_ID, "a turn came without the conversation it belongs to", retryable=False)


def _failed(session: str, failure: WriteFailure, writer: str) -> Folded:
    told = SessionFailure(session, failure.reason_code, failure.message, failure.retryable)
    return Folded(writer, dry_run=False, derived_commit=None, batches=(), failures=(told,))
