"""The entry point: run the command line, and turn whatever happens into an exit code."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from gitmem.errors import GitmemError
from gitmem_cli import errors, render, streams
from gitmem_cli.group import gitmem
from gitmem_cli.streams import OutputError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


NAME = "gitmem"
_COMPLETION = "_GITMEM_COMPLETE"
"""The variable with which a shell asks what could come next."""


def main() -> None:
    """Run the command line of this process and exit."""
    streams.settle()
    instruction = os.environ.get(_COMPLETION)
    sys.exit(_answering(lambda: _complete(instruction)) if instruction else run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command line in this process and return its exit code."""
    as_json = errors.json_wanted(arguments)
    with click.Context(gitmem) as context:
        context.color = render.color_of(os.environ, refused="--no-color" in arguments)
        return _answering(lambda: _guarded(arguments, as_json=as_json))


def _answering(act: Callable[[], int]) -> int:
    """Do something that prints; a reader that went away is no failure, an answer that nothing takes is one."""
    try:
        status = act()
        sys.stdout.flush()
    except BrokenPipeError:
        streams.forget_output()
        return 0
    except OutputError as error:
        streams.forget_output()
        return errors.report_unprinted(error)
    return status


def _guarded(arguments: Sequence[str], *, as_json: bool) -> int:
    try:
        return _run(arguments, as_json=as_json)
    except (BrokenPipeError, OutputError):
        raise
    except (click.Abort, KeyboardInterrupt):
        return errors.EXIT_INTERRUPTED
    except Exception as bug:  # noqa: BLE001 (the one edge: whatever nobody foresaw is reported, never shown raw)
        from gitmem_cli.crash_log import write_crash_log  # noqa: PLC0415 (needed once in a lifetime)

        if (damage := errors.from_git_error(bug)) is not None:
            return errors.report(damage, as_json=as_json)
        return errors.report_bug(bug, write_crash_log(bug, os.environ), as_json=as_json)


def _run(arguments: Sequence[str], *, as_json: bool) -> int:
    try:
        status = _invoke(arguments)
        sys.stdout.flush()
    except GitmemError as error:
        return errors.report(error, as_json=as_json)
    except click.ClickException as error:
        return errors.report_usage(error, as_json=as_json)
    except (BrokenPipeError, OutputError):
        raise
    except OSError as error:
        return errors.report(errors.from_os_error(error), as_json=as_json)
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
