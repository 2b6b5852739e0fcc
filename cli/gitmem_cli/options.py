"""Options that several commands have."""

from __future__ import annotations

import click

at_option = click.option(
    "--at", metavar="REV", help="Answer for this revision: whatever git accepts, a date, or autosave/N."
)
path_option = click.option(
    "--path", metavar="P", help="Only files whose path starts so; archives also by their path without _v2/."
)
