"""The git program, for the two things that it does better than anybody: packing, and keeping an index."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.errors import Code, Unavailable

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_OURS = ("-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "repack.packKeptObjects=true")


@dataclass(frozen=True, slots=True)
class Git:
    """Runs git with the environment that the caller gave, but for what says which repository is meant."""

    environment: Mapping[str, str]

    def run(self, *arguments: str, within: Path | None = None, stdin: bytes = b"") -> bytes:
        """What git prints. Raises ``Unavailable`` (``GIT_UNAVAILABLE``) when it is not there, or fails."""
        surroundings = {name: value for name, value in self.environment.items() if not name.startswith("GIT_")}
        command = ["git", *(("-C", str(within)) if within is not None else ()), *_OURS, *arguments]
        try:
            done = subprocess.run(  # noqa: S603  (arguments are ours, and no shell reads them)
                command, input=stdin, capture_output=True, check=False, env={**surroundings, "LC_ALL": "C"}
            )
        except FileNotFoundError as missing:
            message = "the git program is not installed or not on PATH; on Debian: apt install git"
            raise Unavailable(Code.GIT_UNAVAILABLE, message) from missing
        if done.returncode:
            said = done.stderr.decode("utf-8", "replace").strip()
            raise Unavailable(Code.GIT_UNAVAILABLE, f"git {arguments[0]} failed: {said}")
        return done.stdout
