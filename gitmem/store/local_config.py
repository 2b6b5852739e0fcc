"""The repository's own configuration file: whole sections put in and taken out, everything else left as it is."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from gitmem.errors import Code, Conflict
from gitmem.format.workspace_file import TOPIC_DRIVER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

Section = tuple[str, str]
"""A section and its subsection: ``("merge", "gitmem-topic")``."""

HEADINGS: Mapping[Section, Mapping[str, str]] = {
    ("diff", TOPIC_DRIVER): {"xfuncname": "^ {0,3}#{1,6} .*$"},
}
"""What lets the hunks of ``git diff`` and ``git show`` name the heading they stand under."""

_HEADER = re.compile(r"\s*\[")
_OWN = re.compile(r'\s*\[(?P<section>[A-Za-z0-9.-]+)\s+"(?P<subsection>[^"\\]*)"\]\s*')


def sections_text(sections: Mapping[Section, Mapping[str, str]]) -> str:
    """The sections as git writes them."""
    return "".join(
        f'[{section} "{subsection}"]\n' + "".join(f"\t{key} = {_quoted(value)}\n" for key, value in values.items())
        for (section, subsection), values in sections.items()
    )


def put_sections(config: Path, sections: Mapping[Section, Mapping[str, str]]) -> None:
    """Write these sections at the end of the file, in place of any of the same names.

    Raises ``Conflict`` (``REPOSITORY_BUSY``) while somebody else writes the file, and ``OSError``.
    """
    _rewrite(config, lambda text: _ended(_without(text, sections)) + sections_text(sections))


def remove_sections(config: Path, names: Iterable[Section]) -> None:
    """Take these sections out of the file; raises as ``put_sections`` does."""
    gone = frozenset(names)
    if any(name in gone for name in section_names(config)):
        _rewrite(config, lambda text: _without(text, gone))


def section_names(config: Path) -> tuple[Section, ...]:
    """The sections with a subsection that the file has, in order."""
    found = (_OWN.fullmatch(line) for line in _read(config).splitlines())
    return tuple((match["section"], match["subsection"]) for match in found if match)


def _quoted(value: str) -> str:
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t") + '"'


def _ended(text: str) -> str:
    return text if not text or text.endswith("\n") else f"{text}\n"


def _without(text: str, names: Iterable[Section]) -> str:
    gone, kept, inside = frozenset(names), [], False
    for line in text.splitlines(keepends=True):
        if _HEADER.match(line):
            found = _OWN.fullmatch(line)
            inside = found is not None and (found["section"], found["subsection"]) in gone
        if not inside:
            kept.append(line)
    return "".join(kept)


def _read(config: Path) -> str:
    try:
        return config.read_bytes().decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        return ""


def _rewrite(config: Path, change: Callable[[str], str]) -> None:
    """Change the file as git does: by a lock that becomes the file."""
    lock = config.with_name(f"{config.name}.lock")
    try:
        descriptor = os.open(lock, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError as held:
        message = f"{config} is being changed by somebody else; try again, or remove {lock} if nobody is"
        raise Conflict(Code.REPOSITORY_BUSY, message) from held
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="surrogateescape", newline="") as stream:
            stream.write(change(_read(config)))
        if config.exists():
            lock.chmod(config.stat().st_mode & 0o777)
        lock.replace(config)
    except BaseException:
        lock.unlink(missing_ok=True)
        raise
