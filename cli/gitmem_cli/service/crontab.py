"""The watcher as one line of the user's crontab, which looks every five minutes; every other line stays as it is."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

from gitmem.errors import Code, Refused
from gitmem_cli.service.job import Installed, has, must, run

if TYPE_CHECKING:
    from gitmem_cli.service.job import Job

_WHEN = "*/5 * * * *"
_NO_CRONTAB = re.compile(r"no crontab|no such file", re.IGNORECASE)
_PERCENT = "''\\%"
"""A percent sign inside single quotes: cron would make a line break of it, and takes the backslash away.

The quotes before it are for a backslash that stands there already, and mean nothing to the shell.
"""


def is_usable(job: Job) -> bool:
    """Whether there is a crontab."""
    return has("crontab", job.environ)


def install(job: Job) -> Installed:
    """Put the line into the crontab, in the place of an older one of this job."""
    line, lines = crontab_line(job), _read(job)
    before = [old for old in lines if _is_ours(old, job)]
    for old in before:
        job.refuse_if_of(_workspace(old))
    if before != [line]:
        kept = [old for old in lines if not _is_ours(old, job)]
        _write(job, [*kept, line])
    return Installed(
        ok=True, kind="crontab", name=job.name, path=None, line=line, changed=before != [line], remove=job.remove
    )


def uninstall(job: Job) -> str | None:
    """Take the line out; gives it, ``None`` when there is none."""
    if not is_usable(job):
        return None
    lines = _read(job)
    ours = [line for line in lines if _is_ours(line, job)]
    for line in ours:
        job.refuse_if_of(_workspace(line))
    if not ours:
        return None
    _write(job, [line for line in lines if not _is_ours(line, job)])
    return "\n".join(ours)


def crontab_line(job: Job) -> str:
    """The line of the job. Raises ``Refused`` for a command that no line can hold."""
    command = shlex.join((*job.command, "watch", "--once"))
    line = f"PATH={shlex.quote(job.environ.get('PATH', ''))} {command} >/dev/null"
    if re.search(r"[\0\n\r]", line):
        message = "a crontab cannot hold a command with a line break in it; move the workspace to a plainer path"
        raise Refused(Code.WRITER_PRECONDITION_FAILED, message)
    return f"{_WHEN} {line.replace('%', _PERCENT)} # {job.name}"


def _is_ours(line: str, job: Job) -> bool:
    return line.endswith(f" # {job.name}") and not line.lstrip().startswith("#")


def _workspace(line: str) -> str | None:
    """The folder that a line of ours watches."""
    try:
        words = shlex.split(line.replace(_PERCENT, "%"), comments=True)
        return words[words.index("-C") + 1]
    except (ValueError, IndexError):
        return None


def _read(job: Job) -> list[str]:
    """The lines of the crontab. Raises ``Refused`` when it cannot be read: writing then would lose what is in it."""
    ran = run(("crontab", "-l"), job.environ)
    if ran.status and not (not ran.out and _NO_CRONTAB.search(ran.err)):
        must(ran, "`crontab -l`")
    text = ran.out.decode("utf-8", "surrogateescape")
    return text.removesuffix("\n").split("\n") if text else []


def _write(job: Job, lines: list[str]) -> None:
    if not lines:
        must(run(("crontab", "-r"), job.environ), "`crontab -r`")
        return
    given = "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")
    must(run(("crontab", "-"), job.environ, given), "`crontab -`")
