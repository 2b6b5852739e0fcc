"""``commit-msg``: the trailers of a transaction for a commit made by hand, computed from what is staged."""

from __future__ import annotations

import re
import subprocess
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from gitmem.facts.difference import claims_between, records_between
from gitmem.format.layout import is_derived
from gitmem.format.model import Tier
from gitmem.format.trailers import WRITER, render_trailers
from gitmem_hooks.plumbing import Plumbing
from gitmem_hooks.staged import read_staged

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gitmem_hooks.staged import Staged

_OURS = re.compile(rf"^({WRITER}|Derived-From):", re.MULTILINE)
_SCISSORS = re.compile(r"^. -+ >8 -+$", re.MULTILINE)
_SETTINGS = ("trailer.separators=:", "trailer.where=end", "trailer.ifexists=addIfDifferent", "trailer.ifmissing=add")
_HAND, _MERGE = "hand", "merge"


def run(arguments: Sequence[str]) -> int:
    """Add the trailers to the file that git names, unless they are there; the subject is left as it is."""
    path = Path(arguments[1])
    text = path.read_text("utf-8", "replace")
    if _OURS.search(text) or not _says_something(text):
        return 0
    with closing(Plumbing()) as git:
        trailers = tuple(_trailers(read_staged(git)))
    if trailers:
        _add(path, trailers)
    return 0


def _trailers(staged: Staged) -> Iterator[str]:
    """None for a commit that changes nothing but views."""
    changes = tuple(change for change in staged.changes if not is_derived(change.path))
    if changes or staged.merged:
        difference = claims_between(staged.before, staged.after, changes)
        handles = tuple(record.handle for record in records_between(staged.before, staged.after, changes))
        yield from render_trailers(difference, _MERGE if staged.merged else _HAND, Tier.OWNER, handles)


def _says_something(text: str) -> bool:
    """Whether there is a message at all; with trailers in an empty one, git would not stop any more."""
    written = _SCISSORS.split(text)[0]
    if any(line[:1].isalnum() for line in written.splitlines()):
        return True
    command = ["git", "stripspace", "--strip-comments"]  # which knows what a comment begins with here
    stripped = subprocess.run(command, input=written.encode(), capture_output=True, check=False)  # noqa: S603 (arguments are ours)
    return bool(stripped.stdout.strip())


def _add(path: Path, trailers: Sequence[str]) -> None:
    """Let git put them where trailers belong: after those that are there, before comments and the diff of ``-v``."""
    with path.open("rb+") as file:  # `git merge -m` ends the last line with the file
        if not file.read().endswith(b"\n"):
            file.write(b"\n")
    command = ["git", *(part for setting in _SETTINGS for part in ("-c", setting))]
    command += ["interpret-trailers", "--in-place", "--no-divider"]
    command += [part for trailer in trailers for part in ("--trailer", trailer)]
    subprocess.run([*command, str(path)], check=False)  # noqa: S603 (arguments are ours)
