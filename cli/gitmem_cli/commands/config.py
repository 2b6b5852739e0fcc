"""``gitmem config``: the local settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gitmem.config import SETTINGS, Config, Setting, check_value, setting, spelled, value_of
from gitmem_cli import render
from gitmem_cli.command import command as declare
from gitmem_cli.command import json_option
from gitmem_cli.git_program import run_git

if TYPE_CHECKING:
    from gitmem_cli.invocation import Invocation


@declare(
    "config",
    examples=[
        "gitmem config",
        "gitmem config gitmem.search.topK",
        "gitmem config gitmem.search.topK 8",
        "gitmem config --json",
    ],
    exits=(7,),
)
@click.argument("key", required=False)
@click.argument("value", required=False)
@json_option
def command(invocation: Invocation, key: str | None, value: str | None, *, as_json: bool) -> None:
    """List, read or set the local settings.

    Without arguments every setting is listed with its value, default and meaning; with KEY its value is printed; with
    VALUE it is set in the workspace's own git config, or in the user's where there is no workspace. Works while memory
    is switched off.
    """
    invocation.require_owner("read or change settings")
    if key is None:
        _list(invocation.config, as_json=as_json)
        return
    known = setting(key)
    if value is None:
        current = value_of(invocation.config, known)
    else:
        _set(invocation, known, check_value(key, value))
        current = known.parse(value)
    if as_json:
        render.document({"key": known.key, "value": current})
    elif value is None:
        render.line(spelled(current))


def _list(config: Config, *, as_json: bool) -> None:
    if as_json:
        render.document({"settings": [_described(known, config) for known in SETTINGS]})
        return
    rows = [
        (known.key, spelled(value_of(config, known)), spelled(known.default), known.allowed, known.meaning)
        for known in SETTINGS
    ]
    render.table(("setting", "value", "default", "takes", "meaning"), rows)


def _described(known: Setting, config: Config) -> dict[str, object]:
    return {
        "key": known.key,
        "value": value_of(config, known),
        "default": known.default,
        "type": known.kind,
        "takes": known.allowed,
        "meaning": known.meaning,
    }


def _set(invocation: Invocation, known: Setting, text: str) -> None:
    scope = "--global" if invocation.root is None else "--local"
    run_git(
        invocation.root or invocation.directory, ["config", scope, "--replace-all", known.key, text], invocation.environ
    )
