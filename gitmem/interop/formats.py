"""The formats that can be read, by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.errors import Code, InvalidRequest
from gitmem.interop import chatgpt, jsonl
from gitmem.interop.detect import detect_format

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from gitmem.conversations.model import SessionId
    from gitmem.interop.reading import Reading

AUTO = "auto"


@dataclass(frozen=True, slots=True)
class Format:
    """One format: ``read`` gives a file's readings; ``named`` says whether the caller may name the conversation.

    ``people`` says whether files of this format tell several people apart.
    """

    name: str
    read: Callable[[Path, SessionId | None], Iterator[Reading]]
    named: bool
    people: bool


FORMATS = (
    Format(jsonl.NAME, jsonl.read_jsonl, named=True, people=True),
    Format(chatgpt.NAME, lambda path, _session: chatgpt.read_chatgpt(path), named=False, people=False),
)


def find_format(name: str, path: Path) -> Format | None:
    """Give the format of that name, or the file's own for ``auto``; ``None`` when the file shows none.

    Raises ``InvalidRequest`` for a name that is not known, and ``OSError`` when the file cannot be read.
    """
    known = {entry.name: entry for entry in FORMATS}
    if name != AUTO and name not in known:
        raise InvalidRequest(
            Code.INVALID_ARGUMENT, f"{name!r} cannot be read yet; the formats are {AUTO}, {', '.join(known)}"
        )
    return known.get(detect_format(path) or "") if name == AUTO else known[name]
