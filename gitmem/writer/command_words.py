"""What an agent's command is told besides its task, and what it may say back (0.16, 0.19)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gitmem.format.text import excerpt
from gitmem.ids import BlockId
from gitmem.writer.agent import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from gitmem.writer.agent import Prompt

OUTCOME = "outcome.txt"
"""The file beside ``topics/`` in which an agent says what its files do not say."""

OUTCOME_BYTES = 65_536

IN_A_FOLDER = f"""\
# How you work

The folder that you were started in holds topics/ and nothing else. It is a copy made for this task: read and change
the files there with whatever you have for that, and nothing outside of it. Only Markdown files below topics/ are taken
back, when you have ended; everything else in the folder is thrown away. The links of footnotes lead to archives that
are not in the folder; leave them as they are. A file that you move is recognized by the ids of its blocks.

What the files cannot say, you write into a file {OUTCOME} in the folder you were started in, beside topics/, a line
for each thing. For each block that you removed the reason, one of superseded, merged, wrong, transient, project state:

    REMOVED ^f888f60e: superseded by ^0a1b2c3d

And when nothing is worth recording, only this one line, with the topics as they were:

    NOTHING TO RECORD: small talk only

If you cannot write that file, end your answer with those lines instead. End when you are done: nobody answers."""

_NOTHING = re.compile(r"NOTHING TO RECORD\b[ .:]*")
_REMOVED = re.compile(r"REMOVED \^?([A-Za-z0-9-]+)[ ]*:[ ]*(\S.*)")
_MARKS = "*_`#>-~ \t\r"
"""What an agent puts around a line to make it stand out."""

_SHORTEST_SECRET = 6
_LIKE_A_KEY = re.compile(r"\b(?=[A-Za-z0-9_+=-]*[0-9])(?=[A-Za-z0-9_+=-]*[A-Za-z])[A-Za-z0-9_+=-]{20,}")
_LOGIN = re.compile(r"(?<=://)[^/\s@]+(?=@)")
_LINE_CHARS = 200


def told(task: Prompt) -> bytes:
    """What goes to a command's standard input."""
    return f"{task.rules}\n\n{IN_A_FOLDER}\n\n{task.material}".encode()


def outcome_of(file: str, answer: str) -> Outcome:
    """What an agent said: in the file, else in the last lines of its answer.

    Of an answer only the lines at its very end count, because commands often print what they were told, too.
    """
    lines = [line.strip(_MARKS) for line in file.split("\n")] if file.strip() else list(_last_lines(answer))
    reasons = {BlockId(found[1]): found[2] for line in lines if (found := _REMOVED.match(line))}
    return Outcome(any(_NOTHING.match(line) for line in lines), reasons)


def _last_lines(answer: str) -> Iterable[str]:
    for line in reversed(answer.split("\n")):
        bare = line.strip(_MARKS)
        if bare and not (_NOTHING.match(bare) or _REMOVED.match(bare)):
            return
        yield bare


def last_line(output: str, secrets: Mapping[str, str]) -> str:
    """The last line of what a command printed, short and without what looks like a key.

    The values of ``secrets`` are left out whatever they look like.
    """
    lines = [line for line in output.split("\n") if line.strip()]
    text = lines[-1] if lines else ""
    for value in sorted(secrets.values(), key=len, reverse=True):
        text = text.replace(value, "[...]") if len(value) >= _SHORTEST_SECRET else text
    return excerpt(_LIKE_A_KEY.sub("[...]", _LOGIN.sub("[...]", text)), _LINE_CHARS)
