"""``gitmem update``: the memory_update contract."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gitmem.errors import Code, InvalidRequest
from gitmem_cli.command import command as declare
from gitmem_cli.command import json_option
from gitmem_cli.inputs import STDIN, read_json, read_text
from gitmem_cli.opening import open_workspace
from gitmem_cli.options import message_option
from gitmem_cli.results import show_result

if TYPE_CHECKING:
    from gitmem.answers import Result
    from gitmem.workspace import Workspace
    from gitmem_cli.invocation import Invocation


@declare(
    "update",
    examples=[
        "gitmem update --base HEAD --patch change.diff",
        "gitmem update --base f21745e5ae56 --changes files.json --sources said.json -m 'memory: Ada moved'",
        "gitmem update --base HEAD --records - --json < operations.json",
    ],
    exits=(1, 3, 4, 5, 7),
)
@click.option("--base", metavar="REV", required=True, help="The revision that the edit was made from.")
@click.option("--patch", metavar="F", help="A unified diff of topic files.")
@click.option("--changes", metavar="F", help="JSON: [{path, action: write or delete, content}].")
@click.option("--records", metavar="F", help="JSON: [{op: create_record, ...}], operations on blocks.")
@click.option("--sources", metavar="F", help="JSON: [{label, role, content, timestamp, ...}], messages to archive.")
@message_option
@json_option
def command(  # noqa: PLR0913 (one parameter for each option)
    invocation: Invocation,
    *,
    base: str,
    patch: str | None,
    changes: str | None,
    records: str | None,
    sources: str | None,
    message: str | None,
    as_json: bool,
) -> None:
    """Change topics by a patch, whole files or operations on blocks.

    Give exactly one of --patch, --changes and --records; F may be - for standard input. New evidence comes with
    --sources, and is cited by its label. The update is refused when memory has moved on since REV.
    """
    if [patch, changes, records, sources].count(STDIN) > 1:
        raise InvalidRequest(Code.INVALID_ARGUMENT, "only one of the files can be standard input")
    payload = {
        "patch": None if patch is None else read_text(invocation, patch, "--patch"),
        "changes": None if changes is None else _list(invocation, changes, "--changes"),
        "memory_changes": None if records is None else _list(invocation, records, "--records"),
        "sources": None if sources is None else _list(invocation, sources, "--sources"),
        "commit_message": message,
    }
    if [patch, changes, records].count(None) != 2:  # noqa: PLR2004 (one of the three is given)
        raise InvalidRequest(Code.INVALID_ARGUMENT, "give exactly one of --patch, --changes and --records")
    workspace = open_workspace(invocation)
    result = _updated(workspace, {**payload, "base_revision": workspace.resolve(base)})
    show_result(workspace, result, as_json=as_json)


def _updated(workspace: Workspace, payload: object) -> Result:
    """Update, naming what is wrong as the options do: tools call the records ``memory_changes``."""
    try:
        return workspace.update(payload)
    except InvalidRequest as wrong:
        message = wrong.message.replace("memory_changes", "records")
        raise InvalidRequest(wrong.code, message, path=wrong.path, details=wrong.details) from wrong


def _list(invocation: Invocation, argument: str, option: str) -> object:
    """The JSON of a file; null would count as not given."""
    value = read_json(invocation, argument, option)
    if value is None:
        raise InvalidRequest(Code.INVALID_ARGUMENT, f"{option} {argument} must hold a list, not null")
    return value
