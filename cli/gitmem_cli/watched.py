"""How one thing that the watcher did is told: as a line, as values, as an exit code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.errors import Code, failure
from gitmem.runtime.triggers import Attempt
from gitmem.runtime.watcher import Busy, Night
from gitmem_cli.errors import exit_of
from gitmem_cli.shown import count

if TYPE_CHECKING:
    from gitmem.runtime.watcher import Done


def is_worth_telling(done: Done) -> bool:
    """Whether anything was done: conversations with nothing left are looked at in silence."""
    return not isinstance(done, Attempt) or done.turns > 0 or done.failure is not None


def status_of(done: Done) -> int:
    """The exit code of what was done."""
    failed = None if isinstance(done, Busy) else done.failure
    return 0 if failed is None else exit_of(failure(Code(failed.reason_code), failed.message))


def values_of(done: Done) -> dict[str, object]:
    """What was done, with the keys of its JSON."""
    if isinstance(done, Busy):
        return {"what": "busy"}
    failed: dict[str, object] = {"reason_code": None, "message": None, "retryable": False}
    if done.failure is not None:
        failed = {
            "reason_code": done.failure.reason_code,
            "message": done.failure.message,
            "retryable": done.failure.retryable,
        }
    if isinstance(done, Night):
        return {"what": "night", "night": done.night, "ok": done.failure is None, **failed}
    told = {"session": done.session, "turns": done.turns, "claims": done.claims, "revision": done.revision}
    return {"what": "conversation", "ok": done.failure is None, **told, **failed}


def line_of(done: Done) -> str:
    """What was done, for people."""
    if isinstance(done, Busy):
        return "another process is looking just now"
    if isinstance(done, Night):
        told, later, never = f"the night of {done.night}", "tried again at the next look", "the next night is tried"
        well = f"{told}: topics are in order"
    else:
        told, later, never = done.session, "tried again at the next look", "left alone until it grows"
        well = f"{told}: {count(done.turns, 'turn')} written, {count(done.claims, 'new claim')}"
    if done.failure is None:
        return well
    what_then = later if done.failure.retryable else never
    return f"{told}: {done.failure.message} [{done.failure.reason_code}]; {what_then}"
