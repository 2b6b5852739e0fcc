"""``gitmem watch``: writing what conversations have left, and the nightly pass."""

from __future__ import annotations

import logging
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NoReturn

import click

from gitmem.errors import Code, InvalidRequest
from gitmem_cli import render
from gitmem_cli.command import command as declare
from gitmem_cli.command import json_option
from gitmem_cli.looking import Looking
from gitmem_cli.opening import open_workspace
from gitmem_cli.watched import is_worth_telling, line_of, status_of, values_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gitmem.runtime.watcher import Done
    from gitmem_cli.foreground import Stop
    from gitmem_cli.invocation import Invocation
    from gitmem_cli.service.job import Installed, Job


@declare(
    "watch",
    examples=["gitmem watch", "gitmem watch --once --json", "gitmem watch --install", "gitmem watch --uninstall"],
    exits=(1, 3, 4, 5, 7),
)
@click.option("--once", is_flag=True, help="Look once and end; for cron and its like.")
@click.option("--install", "wants_install", is_flag=True, help="Have it run by itself, with systemd or cron.")
@click.option("--uninstall", "wants_removal", is_flag=True, help="Remove what --install made.")
@json_option
@click.option("--jsonl", "as_lines", is_flag=True, help="Print one JSON object a line, each as soon as it is done.")
def command(  # noqa: PLR0913 (one parameter for each option)
    invocation: Invocation,
    *,
    once: bool,
    wants_install: bool,
    wants_removal: bool,
    as_json: bool,
    as_lines: bool,
) -> int | None:
    """Write idle conversations, and have the nightly pass.

    A conversation that was idle for 30 minutes is written, however little it has left; conversations are looked at
    every 5 minutes. At 03:00 local time all of them are written, and topics are put in order. Settings are followed
    while it runs. What a writer refuses is left alone until the conversation grows; `gitmem status` tells of the last
    failure, and .git/gitmem/events.jsonl of all of them.
    """
    if sum((once, wants_install, wants_removal)) > 1:
        message = "--once, --install and --uninstall are different things to do; use one of them"
        raise InvalidRequest(Code.INVALID_ARGUMENT, message)
    if wants_install or wants_removal:
        _service(_job(invocation), remove=wants_removal, as_json=as_json or as_lines)
        return None
    _keep_tracebacks(invocation)
    if once:
        return _look_once(invocation, as_json=as_json, as_lines=as_lines)
    if as_json:
        message = "there is no one document to print while it runs; use --jsonl, or --once with --json"
        raise InvalidRequest(Code.INVALID_ARGUMENT, message)
    return _watch(invocation, as_lines=as_lines)


def _keep_tracebacks(invocation: Invocation) -> None:
    """Of what a look survives; nobody would ever hear of it otherwise."""
    from gitmem_cli.crash_log import CrashLogs  # noqa: PLC0415 (only here)

    log, handler = logging.getLogger("gitmem"), CrashLogs(invocation.environ, render.warning)
    log.addHandler(handler)
    click.get_current_context().call_on_close(lambda: log.removeHandler(handler))


# --- looking


def _look_once(invocation: Invocation, *, as_json: bool, as_lines: bool) -> int:
    done = []
    for one in open_workspace(invocation).watch_once():
        done.append(one)
        if not as_json:
            _tell(one, as_lines=as_lines)
    status = next(filter(None, map(status_of, done)), 0)
    if as_json:
        told = [values_of(one) for one in done if is_worth_telling(one)]
        render.document({"ok": status == 0, "done": told})
    return status


def _watch(invocation: Invocation, *, as_lines: bool) -> int | None:
    """Look until somebody says stop."""
    from gitmem_cli.foreground import Stop, Stopped  # noqa: PLC0415 (only here)

    root, stop = invocation.require_root(), Stop()
    with stop.listening():
        if not as_lines:
            render.line(f"watching {root}: conversations that are idle, and by night all of them; Ctrl-C ends it")
        try:
            _look_and_look(Looking(invocation), stop, as_lines=as_lines)
        except Stopped:
            return stop.status


def _look_and_look(looking: Looking, stop: Stop, *, as_lines: bool) -> NoReturn:
    """Look again and again. Raises ``Stopped`` when somebody asks for it, after what is being written."""
    from gitmem.runtime.schedule import moments  # noqa: PLC0415 (only here)

    for _moment in moments(_local_time, stop.sleep):
        for one in looking.look():
            _tell(one, as_lines=as_lines)
            if stop.status is not None:
                break  # to where it sleeps, which it then does not
    raise AssertionError  # pragma: no cover  (the moments never end)


def _local_time() -> datetime:
    return datetime.now(UTC).astimezone()


def _tell(done: Done, *, as_lines: bool) -> None:
    if not is_worth_telling(done):
        return
    if as_lines:
        render.record(values_of(done))
    else:
        render.line(f"{_local_time():%H:%M} {line_of(done)}")


# --- running by itself


def _job(invocation: Invocation) -> Job:
    from gitmem_cli.service.job import Job  # noqa: PLC0415 (only to install)

    workspace = open_workspace(invocation)
    settings = [part for key, value in invocation.overrides.items() for part in ("-c", f"{key}={value}")]
    root = workspace.repo.path.resolve()
    # the interpreter is the one that runs now; without -P it would import from whatever folder it is started in
    command = (sys.executable, "-P", "-m", "gitmem_cli", "-C", str(root), *settings)
    return Job(str(workspace.status().workspace_id), root, command, invocation.environ)


def _service(job: Job, *, remove: bool, as_json: bool) -> None:
    from gitmem_cli.service import install, uninstall  # noqa: PLC0415 (only to install)

    if not remove:
        _show(install(job), _installed_lines, as_json=as_json)
        return
    answer = uninstall(job)
    if as_json:
        render.document(answer)
        return
    for what in answer.removed:
        render.line(f"removed {what}")
    if not answer.removed:
        render.line("nothing was installed")


def _show(answer: Installed, lines: Callable[[Installed], Iterator[str]], *, as_json: bool) -> None:
    if as_json:
        render.document(answer)
        return
    for text in lines(answer):
        render.line(text)
    if answer.kind == "systemd":
        render.note("it ends when you log out, unless `loginctl enable-linger` was run once")


def _installed_lines(answer: Installed) -> Iterator[str]:
    done = "installed" if answer.changed else "is installed already"
    if answer.kind == "systemd":
        yield f"{answer.name} {done} and runs"
        yield f"  unit: {answer.path}"
        yield f"  what it does: journalctl --user -u {answer.name}"
    else:
        yield f"{answer.name} {done}; this line of your crontab looks every five minutes"
        yield f"  {answer.line}"
    yield f"  to remove it: {answer.remove}"
