"""The one edge where failures become an exit code and words (``cli.md``).

As JSON the envelope goes to standard output, usage errors included; for people the message, its findings and a hint go
to standard error.
"""

from __future__ import annotations

import dataclasses
import errno
import re
import sys
from itertools import pairwise
from typing import TYPE_CHECKING

import click

from gitmem.errors import (
    Code,
    Conflict,
    Disabled,
    Finding,
    GitmemError,
    InvalidRequest,
    NotAllowed,
    NotFound,
    Refused,
    Unavailable,
)
from gitmem_cli import render

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

EXIT_OF_CLASS: dict[type[GitmemError], int] = {
    Refused: 1,
    InvalidRequest: 2,
    Conflict: 3,
    NotFound: 4,
    Disabled: 5,
    NotAllowed: 6,
    Unavailable: 7,
}
EXIT_BUG = 70
EXIT_INTERRUPTED = 130

BUG = "INTERNAL_ERROR"
"""The code of a bug in an envelope; no rule of gitmem has it, so it is not in the closed list."""

_HINTS: dict[Code, str] = {
    Code.CONCURRENT_UPDATE: "read the current revision and try again",
    Code.REPOSITORY_BUSY: "finish what git has begun (`git status` says what), then try again",
    Code.MEMORY_NOT_FOUND: "`gitmem search` finds blocks by what they say",
    Code.REVISION_NOT_FOUND: "`gitmem log` lists revisions",
}
"""A next step for messages that name none themselves."""

_NEXT_STEP = re.compile(r"`(?:gitmem|git) ")


def exit_of(error: GitmemError) -> int:
    """The exit code of a failure, by its class."""
    return next(status for kind, status in EXIT_OF_CLASS.items() if isinstance(error, kind))


def json_wanted(arguments: Sequence[str]) -> bool:
    """Whether a command line asks for JSON; also answers for one that cannot be parsed."""
    options = list(arguments[: arguments.index("--")] if "--" in arguments else arguments)
    formats = [value for option, value in pairwise(options) if option == "--format"]
    formats += [option.removeprefix("--format=") for option in options if option.startswith("--format=")]
    return bool({"--json", "--jsonl"} & set(options) or {"json", "sarif"} & set(formats))


def from_os_error(error: OSError) -> Unavailable:
    """The failure behind an operating system's error, naming the file."""
    where = f" ({error.filename})" if error.filename else ""
    message = f"the disk or its permissions refuse: {error.strerror or error}{where}; nothing half-written is visible"
    name = errno.errorcode.get(error.errno) if error.errno is not None else None
    return Unavailable(Code.STORAGE_UNAVAILABLE, message, details={"errno": name})


def from_git_error(error: Exception) -> Unavailable | None:
    """The failure behind an error of libgit2 that speaks of damage; ``None`` for any other error."""
    if "pygit2" not in sys.modules:
        return None
    from gitmem.store.damage import explained  # noqa: PLC0415 (loads libgit2)

    return explained(error)


def report_unprinted(error: OSError) -> int:
    """Say that standard output did not take the answer, and return the exit code."""
    message = f"the answer could not be printed ({error.strerror}); what the command did stands"
    _say(message, code=Code.STORAGE_UNAVAILABLE)
    return EXIT_OF_CLASS[Unavailable]


def report(error: GitmemError, *, as_json: bool) -> int:
    """Show a failure and return its exit code."""
    if as_json:
        render.document(envelope(error))
    else:
        hint = None if _NEXT_STEP.search(error.message) else _HINTS.get(error.code)
        _say(error.message, code=error.code, lines=_finding_lines(error), hint=hint)
    return exit_of(error)


def report_usage(error: click.ClickException, *, as_json: bool) -> int:
    """Show a command line that was written wrongly and return the exit code."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    if isinstance(error, click.exceptions.NoArgsIsHelpError) and not as_json:
        error.show()
    elif as_json:
        message = (
            "no command is named" if isinstance(error, click.exceptions.NoArgsIsHelpError) else _usage_message(error)
        )
        render.document(_envelope(code=Code.INVALID_ARGUMENT, message=message))
    else:
        message = _usage_message(error)
        hint = f"`{context.command_path} --help`" if context and not _NEXT_STEP.search(message) else None
        _say(message, code=Code.INVALID_ARGUMENT, hint=hint)
    return EXIT_OF_CLASS[InvalidRequest]


def _usage_message(error: click.ClickException) -> str:
    """What click says, written as all other messages are: no capital, no final stop."""
    message = error.format_message()
    return message[:1].lower() + message[1:].removesuffix(".")


def report_bug(error: Exception, log: Path | None, *, as_json: bool) -> int:
    """Show that gitmem itself is wrong, naming the file that says how, and return the exit code."""
    where = f"{log} says what happened" if log else "and the traceback could not be written anywhere"
    message = f"this is a bug in gitmem ({type(error).__name__}); {where}"
    if as_json:
        render.document(_envelope(code=BUG, message=message, details={"log": str(log) if log else None}))
    else:
        _say(message, code=BUG)
    return EXIT_BUG


def _finding_lines(error: GitmemError) -> list[str]:
    """The findings, one a line; what the message says already of its only one is not said again."""
    if len(error.findings) != 1 or error.findings[0].message not in error.message:
        return [finding_line(finding) for finding in error.findings]
    (only,) = error.findings
    return [line] if (line := ": ".join(filter(None, (_place(only), only.fix)))) else []


def envelope(error: GitmemError) -> dict[str, object]:
    """A failure as JSON: ``{ok, error: {code, message, path, retryable, details, findings}}``."""
    return _envelope(
        code=error.code,
        message=error.message,
        path=error.path,
        retryable=error.retryable,
        details=error.details,
        findings=error.findings,
    )


def finding_line(finding: Finding) -> str:
    """One finding for people: ``path:line: message (fix)``, safe for a terminal."""
    place = _place(finding)
    fix = f" ({finding.fix})" if finding.fix else ""
    return render.one_line(f"{place}: {finding.message}{fix}" if place else f"{finding.message}{fix}")


def _place(finding: Finding) -> str:
    return ":".join(str(part) for part in (finding.path, finding.line) if part is not None)


def _envelope(  # noqa: PLR0913 (the keys of the envelope)
    *,
    code: str,
    message: str,
    path: str | None = None,
    retryable: bool = False,
    details: Mapping[str, object] | None = None,
    findings: tuple[Finding, ...] = (),
) -> dict[str, object]:
    error = {
        "code": code,
        "message": message,
        "path": path,
        "retryable": retryable,
        "details": dict(details or {}),
        "findings": [dataclasses.asdict(finding) for finding in findings],
    }
    from gitmem.checks.secret_masking import masked_object  # noqa: PLC0415 (only failures are looked through)

    return {"ok": False, "error": masked_object(error)}


def _say(message: str, *, code: str, lines: Sequence[str] = (), hint: str | None = None) -> None:
    from gitmem.checks.secret_masking import masked  # noqa: PLC0415 (as above)

    click.echo(f"{click.style('error:', fg='red', bold=True)} {render.visible(masked(message))} [{code}]", err=True)
    for line in lines:
        click.echo(f"  {masked(line)}", err=True)
    if hint:
        click.echo(f"{click.style('hint:', fg='cyan')} {hint}", err=True)
