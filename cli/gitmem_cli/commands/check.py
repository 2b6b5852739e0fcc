"""``gitmem check``: whether anything is wrong with the memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gitmem_cli import render
from gitmem_cli.command import command as declare
from gitmem_cli.command import json_option
from gitmem_cli.findings import finding_lines, verdict
from gitmem_cli.opening import open_workspace
from gitmem_cli.shown import count, joined, styled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.audit.base import CheckAnswer
    from gitmem_cli.invocation import Invocation


@declare(
    "check",
    examples=[
        "gitmem check",
        "gitmem check --staged",
        "gitmem check HEAD~5..HEAD --json",
        "gitmem check --all",
        "gitmem check --fix",
        "gitmem check --format sarif",
    ],
    exits=(1, 3, 4, 5, 7),
)
@click.argument("revision", metavar="[REV|A..B]", required=False)
@click.option("--staged", is_flag=True, help="Check what `git commit` would commit.")
@click.option("--all", "all_history", is_flag=True, help="Check every change of the history again, and the state.")
@click.option("--fix", is_flag=True, help="First mend what cannot change meaning: line ends, a byte order mark.")
@click.option(
    "--format",
    "shape",
    type=click.Choice(["text", "json", "sarif"]),
    default="text",
    help="How to print the findings.  [default: text]",
)
@json_option
def command(  # noqa: PLR0913 (one parameter for each option)
    invocation: Invocation,
    revision: str | None,
    *,
    staged: bool,
    all_history: bool,
    fix: bool,
    shape: str,
    as_json: bool,
) -> int:
    """Run the checks over the working directory, what is staged, a revision, a range, or all history.

    Without arguments the files are checked as they stand, edits that nobody committed included. Exit 1 means that
    a finding is an error; warnings alone are exit 0.
    """
    answer = open_workspace(invocation).check(revision, staged=staged, all_history=all_history, fix=fix)
    if as_json or shape == "json":
        render.document(answer)
    elif shape == "sarif":
        from gitmem_cli.sarif import sarif  # noqa: PLC0415 (reading metadata is slow)

        render.document(sarif(answer))
    else:
        render.page(_lines(answer))
    return 0 if answer.ok else 1


def _lines(answer: CheckAnswer) -> Iterator[str]:
    for path in answer.fixed:
        yield joined((styled("fixed", color="green", bold=True), styled(path, color="cyan")))
    for finding in answer.findings:
        yield from finding_lines(finding)
    looked = [count(answer.commits, "commit")] if answer.commits else []
    looked.append(count(answer.files, "file"))
    yield f"{answer.scope}: {verdict(answer.findings)} in {' and '.join(looked)}"
