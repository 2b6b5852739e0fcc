"""Having ``gitmem watch`` run by itself: as a systemd service of the user where there is one, else from the crontab."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.errors import Code, Refused
from gitmem_cli.service import crontab, systemd

if TYPE_CHECKING:
    from gitmem_cli.service.job import Installed, Job


@dataclass(frozen=True, slots=True)
class Uninstalled:
    """What was removed: the path of a unit, or a line of the crontab; nothing when nothing was installed."""

    ok: bool
    removed: tuple[str, ...]


def install(job: Job) -> Installed:
    """Have it run from now on; again: the same, brought up to date.

    Raises ``Refused`` (``WRITER_PRECONDITION_FAILED``) where nothing can run it, and where the job's name is taken by
    another folder, such as a clone, that is still there.
    """
    if systemd.is_usable(job):
        installed = systemd.install(job)
        crontab.uninstall(job)  # from a time when there was no systemd
        return installed
    if crontab.is_usable(job):
        return crontab.install(job)
    message = (
        "neither systemd for users nor cron is here to run it; run `gitmem watch` yourself, or `gitmem watch --once` "
        "every five minutes from whatever starts programs here"
    )
    raise Refused(Code.WRITER_PRECONDITION_FAILED, message)


def uninstall(job: Job) -> Uninstalled:
    """Remove what was installed for the workspace and nothing else. Raises ``Refused`` as ``install`` does."""
    removed = (systemd.uninstall(job), crontab.uninstall(job))
    return Uninstalled(ok=True, removed=tuple(what for what in removed if what is not None))
