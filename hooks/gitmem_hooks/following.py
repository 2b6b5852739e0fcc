"""``post-commit``, ``post-merge``, ``post-rewrite``: the views follow what plain git committed.

The work is done by the gitmem command, as a process of its own and only where there is something to render: it loads
far more than a hook may.
"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

from gitmem.ids import ZERO_OID, Oid
from gitmem.store.head import in_progress, read_head
from gitmem.store.revision import derived_fresh, is_rendered_here
from gitmem_hooks.place import repository
from gitmem_hooks.surroundings import without_git
from gitmem_hooks.telling import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.store.repository import Repo

_DISABLED = 5
"""The exit of a command where memory is switched off: then nobody expects views."""


def run(arguments: Sequence[str]) -> int:
    """Derive where the newest commit has no views yet; never fails, since the commit stands in any case."""
    repo = repository()
    if list(arguments) == ["post-rewrite", "amend"]:
        _tell_of_amended_views(repo)
    if _is_due(repo):
        _derive(repo)
    return 0


def _is_due(repo: Repo) -> bool:
    """On a branch, nothing under way, and its newest commit is no derive commit that was made here."""
    head = read_head(repo)
    if head.branch is None or head.tip == ZERO_OID or in_progress(repo, head) is not None:
        return False
    return not is_rendered_here(repo, head.tip)


def _derive(repo: Repo) -> None:
    command = [sys.executable, "-P", "-m", "gitmem_cli", "-C", os.fspath(repo.path), "hooks", "derive"]
    done = subprocess.run(  # noqa: S603 (arguments are ours)
        command,
        env=without_git(os.environ),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if done.returncode not in {0, _DISABLED}:
        reason = done.stderr.strip().partition("\n")[0].removeprefix("error: ") or done.returncode
        say([f"gitmem: committed, but the views were not rendered ({reason}); `gitmem doctor` renders them"])


def _tell_of_amended_views(repo: Repo) -> None:
    """Where the system does not tell ``prepare-commit-msg`` what was typed, a derive commit may have been amended."""
    for line in sys.stdin:
        old, new, *_ = line.split()
        if derived_fresh(repo, Oid(old)) and not derived_fresh(repo, Oid(new)):
            say([f"gitmem: views and memory are mixed in {new[:12]}; `git reset --soft {old[:12]}` takes that back"])
