"""Options that several commands have."""

from __future__ import annotations

import click

at_option = click.option(
    "--at", metavar="REV", help="Answer for this revision: whatever git accepts, a date, or autosave/N."
)
path_option = click.option(
    "--path", metavar="P", help="Only files whose path starts so; archives also by their path without _v2/."
)
message_option = click.option("-m", "message", metavar="MSG", help="The subject of the commit.  [default: computed]")
words_option = click.option("--words", is_flag=True, help="Show changed claims word by word.")
signature_option = click.option(
    "--show-signature", is_flag=True, help="Say of each commit whether it is signed, and by whom."
)
dry_run_option = click.option("--dry-run", is_flag=True, help="Only say what would change.")
