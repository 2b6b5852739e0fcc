"""Console blocks of a document: reading them, running them all in one fresh home, and comparing what they print.

A block is fenced as ``console``. A line that starts with ``$`` is a command, lines that start with ``>`` go on with it,
the rest is what both streams print. A line of ``…`` stands for any number of lines.
"""
# ruff: noqa: INP001  (docs is a folder of documents, not a package)

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

ROOT = Path(__file__).resolve().parents[1]
ELLIPSIS = "…"
HOME_SHOWN = "/home/mara"
"""What the documents show instead of the folder that the blocks were run in."""

_FENCE = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_BETWEEN = "\x01"
_ANNOUNCE = f"status=$?; printf '{_BETWEEN}'; (exit $status)"
"""What stands before each command: a mark in the output, and the exit code of the command before for its ``$?``."""

_GITCONFIG = "[user]\n\tname = Mara\n\temail = mara@example.org\n[init]\n\tdefaultBranch = main\n"

_CHANGES = (
    (re.compile(r"\b[0-9a-f]{40}\b"), "<commit>"),
    (re.compile(r"(?<![\w^-])[0-9a-f]{12}\b"), "<short commit>"),
    (re.compile(r"^([*|\\/ ]*)[0-9a-f]{7,10}(?= )", re.MULTILINE), r"\1<short commit>"),
    (re.compile(r"\bw-[0-9a-f]{8}\b"), "<workspace id>"),
    (re.compile(r"\b\d{4}-\d\d-\d\d \d\d:\d\d(?!:)"), "<now>"),
    (re.compile(r"\b\d{8}T\d{6}Z-\d+"), "<stamp>"),
    (re.compile(r"\bcli-\d{4}-\d\d(/[0-9a-f]{16})?"), "<said at the command line>"),
    (re.compile(r"(\^|: )[0-9a-f]{8}(?= +topics/people/tilda\.md)"), r"\1<written at the command line>"),
)
"""What differs from run to run: the time, ids of commits and workspaces, and of blocks that rest on something said now.

Ids of blocks that rest on the conversations of the fixtures stay the same.
"""


@dataclass(frozen=True)
class Step:
    """One command and the lines that a document shows under it."""

    command: str
    shown: tuple[str, ...]


@dataclass
class _Reading:
    commands: list[list[str]] = field(default_factory=list)
    shown: list[list[str]] = field(default_factory=list)

    def take(self, line: str) -> None:
        if line.startswith("$ "):
            self.commands.append([line[2:]])
            self.shown.append([])
        elif line.startswith("> ") and not self.shown[-1]:
            self.commands[-1].append(line[2:])
        else:
            self.shown[-1].append(line)


def read_steps(document: str) -> list[Step]:
    """The commands of all console blocks of a document, in order."""
    reading = _Reading()
    for block in _FENCE.findall(document):
        for line in block.splitlines():
            reading.take(line)
    parts = zip(reading.commands, reading.shown, strict=True)
    return [Step("\n".join(command), tuple(shown)) for command, shown in parts]


def run_steps(steps: Iterable[Step]) -> list[tuple[str, ...]]:
    """What each command prints, run one after the other by one shell in a home that holds this checkout as gitmem/."""
    with tempfile.TemporaryDirectory(prefix="gitmem-docs-") as folder:
        home = Path(folder).resolve()
        (home / "gitmem").symlink_to(ROOT)
        (home / ".gitconfig").write_text(_GITCONFIG, "utf-8")
        script = home / ".steps.sh"
        script.write_text("".join(f"{_ANNOUNCE}\n{step.command}\n" for step in steps), "utf-8")
        done = subprocess.run(  # noqa: S603  (the documents' own commands)
            ["bash", str(script)],  # noqa: S607  (bash comes from PATH, as for a reader)
            cwd=home,
            env=_environment(home),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        printed = done.stdout.decode().replace(str(home), HOME_SHOWN)
    return [tuple(part.splitlines()) for part in printed.split(_BETWEEN)[1:]]


def _environment(home: Path) -> dict[str, str]:
    """Nothing of whoever runs this but where programs are."""
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    nothing = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0"}
    return {"HOME": str(home), "PATH": path, "TZ": "UTC", "LC_ALL": "C.UTF-8", "TERM": "dumb", **nothing}


def agrees(shown: Sequence[str], printed: Sequence[str]) -> bool:
    """Whether printed lines are those shown, but for what differs from run to run and what is left out."""
    parts = [re.escape(_steady(line)) if line != ELLIPSIS else None for line in shown]
    pattern = "".join(r"(?:.*\n)*?" if part is None else rf"{part}\n" for part in parts)
    return re.fullmatch(pattern, "".join(f"{_steady(line)}\n" for line in printed)) is not None


def _steady(line: str) -> str:
    for pattern, name in _CHANGES:
        line = pattern.sub(name, line)
    return line.rstrip()


def with_outputs(document: str, outputs: Sequence[tuple[str, ...]]) -> str:
    """The document with what its commands print now, where that is not what it shows."""
    steps = iter(zip(read_steps(document), outputs, strict=True))

    def rewritten(block: re.Match[str]) -> str:
        commands = sum(line.startswith("$ ") for line in block[1].splitlines())
        lines: list[str] = []
        for step, printed in (next(steps) for _ in range(commands)):
            first, *more = step.command.splitlines()
            lines += [f"$ {first}", *(f"> {line}" for line in more)]
            lines += step.shown if agrees(step.shown, printed) else (line.rstrip() for line in printed)
        return "".join(("```console\n", *(f"{line}\n" for line in lines), "```"))

    return _FENCE.sub(rewritten, document)
