"""How a command is declared: a function, its options, examples that run, and the exit codes it can end with.

::

    @command("grep", examples=["gitmem grep 'budget tracker'"], exits=(0, 2, 4))
    @click.argument("text")
    @json_option
    def command(invocation: Invocation, text: str, as_json: bool) -> None: ...

The function gets the ``Invocation`` first, then its parameters; it returns nothing, or the exit code where 0 would not
be true.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

import click

from gitmem_cli.invocation import Invocation

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

EXITS: dict[int, str] = {
    0: "done",
    1: "refused or found wrong: a check failed, nothing changed",
    2: "used wrongly",
    3: "conflict: stale base revision, the lock is held, a merge or rebase in progress, detached HEAD; try again",
    4: "no such thing: workspace, revision, path, block, source",
    5: "memory is disabled (gitmem.backend=none)",
    6: "not allowed for this tier",
    7: "the environment: git missing, disk full, endpoint unreachable",
    70: "a bug in gitmem: the log file is named",
    130: "interrupted",
}
"""What each exit code means (``cli.md``)."""

ALWAYS = (0, 2, 70, 130)
"""Exit codes that every command can end with."""


class Documented(click.Command):
    """A command whose help ends with examples and exit codes."""

    def __init__(self, name: str, *, examples: Sequence[str], exits: Sequence[int], **rest: Any) -> None:  # noqa: ANN401 (click's own keyword arguments)
        """Take click's arguments, and the two sections."""
        super().__init__(name, **rest)
        self.examples = tuple(examples)
        self.exits = tuple(sorted({*ALWAYS, *exits}))

    def format_epilog(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples and the exit codes."""
        with formatter.section("Examples"):
            for example in self.examples:
                formatter.write(f"{'':>{formatter.current_indent}}{example}\n")
        with formatter.section("Exit codes"):
            formatter.write_dl([(str(code), EXITS[code]) for code in self.exits])


class DocumentedGroup(Documented, click.Group):
    """A command of several, whose help ends as theirs does; ``alone`` is the one that is meant where none is named."""

    def __init__(self, name: str, *, alone: str | None = None, **rest: Any) -> None:  # noqa: ANN401 (click's own keyword arguments)
        """Take click's arguments, and those of ``Documented``."""
        super().__init__(name, **rest)
        self.alone = alone

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the command in that is meant."""
        named = args and (not args[0].startswith("-") or args[0] in ctx.help_option_names)
        return super().parse_args(ctx, args if named or self.alone is None else [self.alone, *args])


def command(name: str, *, examples: Sequence[str], exits: Sequence[int] = ()) -> Callable[..., Documented]:
    """Declare a command; ``exits`` names the codes it can end with beyond those of every command.

    The first line of the docstring is its one line of help, the rest its purpose.
    """

    def declare(function: Callable[..., int | None]) -> Documented:
        def callback(**parameters: object) -> int | None:
            invocation = click.get_current_context().find_object(Invocation)
            return function(invocation, **parameters)

        parameters = getattr(function, "__click_params__", [])[::-1]
        text = inspect.getdoc(function) or ""
        return Documented(
            name,
            examples=examples,
            exits=exits,
            callback=callback,
            params=parameters,
            help=text,
            short_help=text.partition("\n")[0],
        )

    return declare


def group(
    name: str, *, examples: Sequence[str], exits: Sequence[int] = (), alone: str | None = None
) -> Callable[[Callable[[], None]], DocumentedGroup]:
    """Declare a command of several, which are added with ``add_command``; its function does nothing.

    ``alone`` names the one that runs where none is named.
    """

    def declare(function: Callable[[], None]) -> DocumentedGroup:
        text = inspect.getdoc(function) or ""
        short = text.partition("\n")[0]
        return DocumentedGroup(name, examples=examples, exits=exits, alone=alone, help=text, short_help=short)

    return declare


json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")
