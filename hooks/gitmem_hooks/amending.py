"""``prepare-commit-msg``: a derive commit is never amended; what was meant is the memory commit below it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from gitmem.store.head import in_progress, read_head
from gitmem.store.revision import derived_fresh
from gitmem_hooks.place import repository
from gitmem_hooks.telling import say

if TYPE_CHECKING:
    from collections.abc import Sequence

_MESSAGE_OF = "commit"
"""Git's second argument when the message is an existing commit's: ``--amend``, ``-c``, ``-C``."""

_SHORTEST = "--am"
"""Git takes the beginning of an option for the option where it is no other's."""


_REFUSED = (
    "gitmem: the newest commit only renders the views, and amending it would mix them with the memory: it was not done",
    "  `gitmem commit --amend` amends the memory commit below it; `git commit` without --amend makes a new one",
)


def run(arguments: Sequence[str]) -> int:
    """Stop ``git commit --amend`` on a derive commit; 0 for anything else."""
    _hook, _file, *source = arguments
    if not _amends(source):
        return 0
    repo = repository()
    head = read_head(repo)
    if in_progress(repo, head) is not None or not derived_fresh(repo, head.tip):
        return 0
    say(_REFUSED)
    return 1


def _amends(source: Sequence[str]) -> bool:
    """Whether git amends. With ``-m`` its arguments do not say; what was typed does, where one can see it."""
    typed = _command_of(os.getppid())
    if typed is not None and "commit" in typed:
        options = typed[typed.index("commit") + 1 :]
        return any(_is_amend(word, before) for before, word in zip(["", *options], options, strict=False))
    return bool(source) and source[0] == _MESSAGE_OF and source[1:] == ["HEAD"]


def _is_amend(word: str, before: str) -> bool:
    return word.startswith(_SHORTEST) and "--amend".startswith(word) and before not in {"-m", "-F", "--message", "--"}


def _command_of(process: int) -> list[str] | None:
    """The words of a running command; ``None`` where the system does not tell."""
    try:
        return Path(f"/proc/{process}/cmdline").read_text("utf-8", "surrogateescape").split("\0")[:-1]
    except OSError:
        pass
    try:
        asked = ["ps", "-o", "args=", "-p", str(process)]
        done = subprocess.run(asked, capture_output=True, encoding="utf-8", errors="replace", check=False)  # noqa: S603 (arguments are ours)
    except OSError:
        return None
    return done.stdout.split() if done.returncode == 0 else None
