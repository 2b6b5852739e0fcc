"""What the commands have in common that have a writer work."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import click

if TYPE_CHECKING:
    from collections.abc import Callable

    from gitmem.writer.write import WriteFailure

F = TypeVar("F", bound="Callable[..., object]")

_WRITER = click.option(
    "--writer", metavar="W", help="Who writes: embedded, model, command.  [default: gitmem.writer.kind]"
)
_MODEL = click.option(
    "--model", metavar="M", help="The model to ask, such as openai:NAME.  [default: gitmem.writer.model]"
)


def writer_options(function: F) -> F:
    """``--writer`` and ``--model``."""
    return _WRITER(_MODEL(function))


def exit_of_failure(failure: WriteFailure | None) -> int:
    """The exit code of what went wrong; 0 when nothing did."""
    if failure is None:
        return 0
    from gitmem.errors import Code  # noqa: PLC0415 (only when something failed)
    from gitmem.errors import failure as error_of  # noqa: PLC0415 (as above)
    from gitmem_cli.errors import exit_of  # noqa: PLC0415 (as above)

    return exit_of(error_of(Code(failure.reason_code), ""))
