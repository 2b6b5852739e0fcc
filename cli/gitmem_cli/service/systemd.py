"""The watcher as a service of the user's systemd: one unit file below ``~/.config/systemd/user``."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

from gitmem.errors import Code, Refused
from gitmem_cli.service.job import Installed, has, must, run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem_cli.service.job import Job, Ran

_OURS = "# Written by `gitmem watch --install`."
_WORKSPACE = "# workspace: "
_UNIT = """\
{ours} `{remove}` removes it.
{workspace}
[Unit]
Description=gitmem watch: idle conversations and the nightly pass of the memory {id}

[Service]
Environment={path}
ExecStart={command}
Restart=on-failure
RestartSec=300
Nice=10

[Install]
WantedBy=default.target
"""
_UNFIT_FOR_A_PROGRAM = re.compile(r"[\x00-\x1f\x7f\"'\\]")
_TO_ESCAPE = re.compile(r'[\x00-\x1f\x7f"\\%\udc80-\udcff]')


def is_usable(job: Job) -> bool:
    """Whether the user has a systemd that answers."""
    return has("systemctl", job.environ) and _systemctl(job, "show-environment").status == 0


def install(job: Job) -> Installed:
    """Write the unit, enable and start it. Raises ``Refused`` when systemd does not take it; then no unit stays."""
    path, text = unit_path(job), unit_text(job)
    before = _read(path, job)
    if before != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    try:
        must(_systemctl(job, "daemon-reload"), "`systemctl --user daemon-reload`")
        must(_systemctl(job, "enable", "--now", path.name), f"`systemctl --user enable --now {path.name}`")
        if before not in {None, text}:
            must(_systemctl(job, "restart", path.name), f"`systemctl --user restart {path.name}`")
    except Refused:
        if before is None:
            _remove(path, job)
        raise
    return Installed(
        ok=True, kind="systemd", name=path.name, path=str(path), line=None, changed=before != text, remove=job.remove
    )


def uninstall(job: Job) -> str | None:
    """Stop, disable and remove the unit; gives its path, ``None`` when there is none."""
    path = unit_path(job)
    if _read(path, job) is None:
        return None
    _remove(path, job)
    return str(path)


def unit_path(job: Job) -> Path:
    """Where the job's unit stands."""
    home = job.environ.get("HOME")
    settings = job.environ.get("XDG_CONFIG_HOME") or (Path(home) if home else Path.home()) / ".config"
    return Path(settings) / "systemd" / "user" / f"{job.name}.service"


def unit_text(job: Job) -> str:
    """The unit. The search path is that of whoever installs it: systemd's own would not find every agent."""
    return _UNIT.format(
        ours=_OURS,
        remove=json.dumps(job.remove)[1:-1],
        workspace=_WORKSPACE + json.dumps(str(job.root)),
        id=job.workspace_id,
        path=quoted(f"PATH={job.environ.get('PATH', '')}"),
        command=exec_start((*job.command, "watch")),
    )


def exec_start(command: Sequence[str]) -> str:
    """A command as ``ExecStart`` takes it; see systemd.service(5), "Command lines".

    The colon keeps systemd from replacing variables; old ones do not know it. A program whose own path has quotes or
    backslashes, which systemd does not start, is started by a shell.
    """
    if _UNFIT_FOR_A_PROGRAM.search(command[0]):
        command = ("/bin/sh", "-c", 'exec "$0" "$@"', *command)
    colon = ":" if any("$" in argument for argument in command) else ""
    return colon + " ".join(map(quoted, command))


def quoted(argument: str) -> str:
    """One argument, quoted as systemd.syntax(7) says, with no specifier in it."""
    return f'"{_TO_ESCAPE.sub(_escaped, argument)}"'


def _escaped(found: re.Match[str]) -> str:
    mark = found[0]
    if mark in '"\\':
        return f"\\{mark}"
    return "%%" if mark == "%" else f"\\x{ord(mark) & 0xFF:02x}"  # a byte that is no UTF-8 is itself


def _read(path: Path, job: Job) -> str | None:
    """The job's unit as it is installed. Raises ``Refused`` for one of another folder, and for a foreign one."""
    try:
        text = path.read_text("utf-8", "replace")
    except FileNotFoundError:
        return None
    if not text.startswith(_OURS):
        message = f"{path} was not written by gitmem; move it away first"
        raise Refused(Code.WRITER_PRECONDITION_FAILED, message)
    job.refuse_if_of(_workspace(text))
    return text


def _workspace(text: str) -> str | None:
    line = next((line for line in text.split("\n") if line.startswith(_WORKSPACE)), None)
    try:
        found = None if line is None else json.loads(line.removeprefix(_WORKSPACE))
    except ValueError:
        return None
    return found if isinstance(found, str) else None


def _remove(path: Path, job: Job) -> None:
    """Take it away, whether or not systemd answers: without it, what enabling made is removed here."""
    if has("systemctl", job.environ):
        _systemctl(job, "disable", "--now", path.name)
    path.unlink(missing_ok=True)
    (path.parent / "default.target.wants" / path.name).unlink(missing_ok=True)
    if has("systemctl", job.environ):
        _systemctl(job, "daemon-reload")


def _systemctl(job: Job, *arguments: str) -> Ran:
    return run(("systemctl", "--user", *arguments), job.environ)
