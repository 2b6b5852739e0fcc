"""The entry point: run the command line, and turn whatever happens into an exit code."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from gitmem.errors import GitmemError
from gitmem_cli import errors, render
from gitmem_cli.group import gitmem

if TYPE_CHECKING:
    from collections.abc import Sequence


NAME = "gitmem"
_COMPLETION = "_GITMEM_COMPLETE"
"""The variable with which a shell asks what could come next."""


def main() -> None:
    """Run the command line of this process and exit."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # what the terminal cannot show
    instruction = os.environ.get(_COMPLETION)
    sys.exit(_complete(instruction) if instruction else run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command line in this process and return its exit code."""
    as_json = errors.json_wanted(arguments)
    with click.Context(gitmem) as context:
        context.color = render.color_of(os.environ, refused="--no-color" in arguments)
        return _guarded(arguments, as_json=as_json)


def _guarded(arguments: Sequence[str], *, as_json: bool) -> int:
    try:
        return _run(arguments, as_json=as_json)
    except BrokenPipeError:
        _forget_output()
        return 0
    except (click.Abort, KeyboardInterrupt):
        return errors.EXIT_INTERRUPTED
    except Exception as bug:  # noqa: BLE001 (the one edge: whatever nobody foresaw is reported, never shown raw)
        from gitmem_cli.crash_log import write_crash_log  # noqa: PLC0415 (needed once in a lifetime)

        return errors.report_bug(bug, write_crash_log(bug, os.environ), as_json=as_json)


def _run(arguments: Sequence[str], *, as_json: bool) -> int:
    try:
        status = _invoke(arguments)
        sys.stdout.flush()
    except GitmemError as error:
        return errors.report(error, as_json=as_json)
    except click.ClickException as error:
        return errors.report_usage(error, as_json=as_json)
    except BrokenPipeError:
        raise
    except OSError as error:
        failure = errors.from_os_error(error)
        if failure is None:
            raise
        return errors.report(failure, as_json=as_json)
    return status or 0


def _invoke(arguments: Sequence[str]) -> int | None:
    """As click's own ``main`` does, which would end the process at a closed pipe with an exit code of its own."""
    try:
        with gitmem.make_context(NAME, list(arguments)) as context:
            status: int | None = gitmem.invoke(context)
            return status
    except click.exceptions.Exit as ended:
        return ended.exit_code


def _complete(instruction: str) -> int:
    from click.shell_completion import shell_complete  # noqa: PLC0415 (only shells ask)

    return shell_complete(gitmem, {}, NAME, _COMPLETION, instruction)


def _forget_output() -> None:
    """Point standard output nowhere: Python flushes it once more at exit, and the reader is gone."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    except (OSError, ValueError):
        return
