"""``python -m gitmem_hooks HOOK``: what the scripts in ``.git/hooks`` and the merge drivers run; exit 1 stops git."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING

from gitmem.errors import Code, GitmemError
from gitmem_hooks.telling import say

if TYPE_CHECKING:
    from collections.abc import Sequence

HOOKS = {
    "pre-commit": "pre_commit",
    "pre-merge-commit": "pre_commit",
    "prepare-commit-msg": "amending",
    "commit-msg": "message",
    "post-commit": "following",
    "post-merge": "following",
    "post-rewrite": "following",
    "pre-receive": "receiving",
    "merge-archive": "merging_archives",
    "merge-topic": "merging_topics",
}
"""Where each hook lives: a module with ``run(arguments)``, which gives the exit; only the one that runs is loaded."""

_STOPPED_BY_FAILURE = frozenset({"pre-commit", "pre-merge-commit", "pre-receive", "merge-archive", "merge-topic"})
"""What is in doubt is not let through here; the others come before or after a commit that is right in any case."""

_USAGE = f"usage: python -m gitmem_hooks {'|'.join(HOOKS)} [ARGUMENT...]"


def main(arguments: Sequence[str]) -> int:
    """Run one hook in the current folder; what it has to say goes to standard error."""
    if not arguments or arguments[0] not in HOOKS:
        say([_USAGE])
        return 2
    name = arguments[0]
    try:
        status: int = import_module(f"gitmem_hooks.{HOOKS[name]}").run(arguments)
    except GitmemError as error:
        if error.code is Code.WORKSPACE_NOT_FOUND:
            return 0
        say([f"gitmem: {error.message} [{error.code}]"])
        return 1 if name in _STOPPED_BY_FAILURE else 0
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
