"""Running the git program, for the few things that libgit2 does not do (``behaviours.md`` 0.26)."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

from gitmem.config import gathered
from gitmem.errors import Code, Unavailable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

QUIET = ("-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "color.ui=false")
"""Options with which git runs nothing of the user's own, and prints no colour (``architecture.md`` section 7)."""

WHICH_REPOSITORY = frozenset(
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
    folder: Path,
    arguments: Sequence[str],
    environ: Mapping[str, str],
    *,
    allowed: tuple[int, ...] = (0,),
    given: str | None = None,
) -> str:
    """Run git in a folder and return what it printed; ``given`` is its standard input, by default nothing.

    Raises ``Unavailable`` (``GIT_UNAVAILABLE``) when git is not installed, and when it ends with a status that is not
    ``allowed``.
    """
    surroundings = {name: value for name, value in environ.items() if name not in WHICH_REPOSITORY}
    command = ["git", "-C", str(folder), *arguments]
    try:
        done = subprocess.run(  # noqa: S603 (arguments are ours, and no shell reads them)
            command,
            env=surroundings,
            input=given or "",
            capture_output=True,
            encoding="utf-8",
            errors="surrogateescape",
            check=False,
        )
    except FileNotFoundError as missing:
        message = "the git program is not installed or not on PATH; on Debian: apt install git"
        raise Unavailable(Code.GIT_UNAVAILABLE, message) from missing
    if done.returncode not in allowed:
        named = next((word for word in arguments if word not in QUIET), "")
        said = done.stderr.strip().removeprefix("fatal: ") or f"it ended with status {done.returncode}"
        raise Unavailable(Code.GIT_UNAVAILABLE, f"git {named} failed: {said}")
    return done.stdout


def git_settings(folder: Path, pattern: str, environ: Mapping[str, str]) -> dict[str, str]:
    """The settings whose keys match an expression, from every file that git reads; of several values of a list all.

    Keys are spelled in lower case but for their middle part; a key alone means ``true``. Raises as ``run_git`` does.
    """
    printed = run_git(folder, ["config", "-z", "--get-regexp", pattern], environ, allowed=(0, _NOTHING_SET))
    entries = (entry.partition("\n") for entry in printed.split("\0") if entry)
    return gathered((key, value if newline else "true") for key, newline, value in entries)


_NOTHING_SET = 1
"""Git's exit status when no setting matches."""
