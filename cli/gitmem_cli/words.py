"""Two versions of a text as one, word by word."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from gitmem_cli import render
from gitmem_cli.render import visible

if TYPE_CHECKING:
    from collections.abc import Iterator

_TOKEN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|\w+|\s+|[^\w\s]")
"""A word, a run of blanks, or one mark; scripts that write no blanks are compared by character."""


def compared(before: str, after: str) -> str:
    """One line that shows both: ``[-gone-]{+new+}``, or red and green where somebody looks at colours."""
    colourful = _colourful()
    parts = pieces(" ".join(before.split()), " ".join(after.split()))
    return "".join(_shown(kind, visible(text), colourful=colourful) for kind, text in parts)


def pieces(before: str, after: str) -> Iterator[tuple[str, str]]:
    """The stretches that are ``equal``, ``gone`` or ``new``, in order; a change is what goes, then what comes.

    Two changes with nothing but a blank between them are one.
    """
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    gone = come = blank = ""
    from difflib import SequenceMatcher  # noqa: PLC0415 (only for what changed)

    for kind, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        left, right = "".join(old[i:j]), "".join(new[k:m])
        if kind != "equal":
            gone, come, blank = gone + blank + left, come + blank + right, ""
        elif left.isspace() and (gone or come):
            blank = left
        else:
            yield from _change(gone, come)
            yield "equal", blank + left
            gone = come = blank = ""
    yield from _change(gone, come)
    if blank:
        yield "equal", blank


def _change(gone: str, come: str) -> Iterator[tuple[str, str]]:
    if gone:
        yield "gone", gone
    if come:
        yield "new", come


def _shown(kind: str, text: str, *, colourful: bool) -> str:
    if kind == "equal":
        return text
    gone = kind == "gone"
    if colourful:
        return click.style(text, fg="red" if gone else "green", strikethrough=gone or None, underline=not gone or None)
    return f"[-{text}-]" if gone else f"{{+{text}+}}"


def _colourful() -> bool:
    context = click.get_current_context(silent=True)
    wanted = None if context is None else context.color
    return render.on_terminal() if wanted is None else wanted
