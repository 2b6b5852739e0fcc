"""Bring the documents up to date with the program: ``python docs/render.py``; with ``--check`` only say what is not.

README.md gets its tables, and what its commands and its snippet print now; five others get what their commands print;
commands.md is written whole.
"""
# ruff: noqa: INP001  (docs is a folder of documents, not a package)

from __future__ import annotations

import difflib
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from console import ROOT, read_steps, run_steps, with_outputs
from reference import commands_table, reference, settings_table
from snippet import with_snippet_output

if TYPE_CHECKING:
    from collections.abc import Iterator

README = ROOT / "README.md"
COMMANDS = ROOT / "docs" / "commands.md"
TOLD = tuple(ROOT / "docs" / f"{name}.md" for name in ("auditing", "checking", "editing", "forgetting", "safety"))
"""Documents whose commands are run, each in a home of its own."""

SNIPPETS = tuple(ROOT / "docs" / f"{name}.md" for name in ("backends", "embedding", "tools"))
"""Documents whose Python is run."""

_TABLE = re.compile(r"^(<!-- (commands|settings): [^\n]*-->\n).*?(?=^<!-- end -->$)", re.DOTALL | re.MULTILINE)
_TABLES = {"commands": commands_table, "settings": settings_table}


def readme(text: str) -> str:
    """The README as it should be."""
    text = _TABLE.sub(lambda found: f"{found[1]}\n{_TABLES[found[2]]()}\n\n", text)
    return told(with_snippet_output(text))


def told(text: str) -> str:
    """A document with what its commands print."""
    return with_outputs(text, run_steps(read_steps(text)))


def main(*, check: bool) -> Iterator[str]:
    """Write the documents, or give the lines in which they differ from what is true."""
    wanted = {
        README: readme,
        **dict.fromkeys(TOLD, told),
        **dict.fromkeys(SNIPPETS, with_snippet_output),
        COMMANDS: lambda _: reference(),
    }
    there = {path: path.read_text("utf-8") if path.exists() else "" for path in wanted}
    with ThreadPoolExecutor() as at_once:  # what takes time are the commands
        made = {path: at_once.submit(make, there[path]) for path, make in wanted.items()}
    for path, future in made.items():
        true = future.result()
        if check:
            name = path.relative_to(ROOT).as_posix()
            yield from difflib.unified_diff(
                there[path].splitlines(), true.splitlines(), name, "what is true", lineterm=""
            )
        else:
            path.write_text(true, "utf-8")


if __name__ == "__main__":
    differences = list(main(check=sys.argv[1:] == ["--check"]))
    if differences:
        sys.exit("\n".join([*differences, "`make docs` writes what is true"]))
