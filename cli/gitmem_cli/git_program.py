"""Running the git program, for the few things that libgit2 does not do (``behaviours.md`` 0.26)."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

from gitmem.errors import Code, Unavailable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

_WHICH_REPOSITORY = frozenset(
    {
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_COMMON_DIR",
        "GIT_DIR",
        "GIT_INDEX_FILE",
        "GIT_NAMESPACE",
        "GIT_OBJECT_DIRECTORY",
        "GIT_PREFIX",
        "GIT_WORK_TREE",
    }
)
"""Variables with which git tells a hook or an alias about *its* repository, which need not be the workspace."""


def run_git(
    folder: Path, arguments: Sequence[str], environ: Mapping[str, str], *, allowed: tuple[int, ...] = (0,)
) -> str:
    """Run git in a folder and return what it printed.

    Raises ``Unavailable`` (``GIT_UNAVAILABLE``) when git is not installed, and when it ends with a status that is not
    ``allowed``.
    """
    surroundings = {name: value for name, value in environ.items() if name not in _WHICH_REPOSITORY}
    command = ["git", "-C", str(folder), *arguments]
    try:
        done = subprocess.run(  # noqa: S603 (arguments are ours, and no shell reads them)
            command,
            env=surroundings,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="surrogateescape",
            check=False,
        )
    except FileNotFoundError as missing:
        message = "the git program is not installed or not on PATH; on Debian: apt install git"
        raise Unavailable(Code.GIT_UNAVAILABLE, message) from missing
    if done.returncode not in allowed:
        said = done.stderr.strip().removeprefix("fatal: ") or f"it ended with status {done.returncode}"
        raise Unavailable(Code.GIT_UNAVAILABLE, f"git {arguments[0]} failed: {said}")
    return done.stdout
