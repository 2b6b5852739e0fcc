"""The formats that can be read, in the order in which they are asked whether a document is theirs.

A format is one module that ends with ``FORMAT = Format(name, read, looks_like, named=…, people=…)``, and its line here.

- ``looks_like(sample)`` judges ``sample.name``, ``sample.head`` (the first 256 KiB) and the names beside it. The first
  format that says yes has the document: say yes only to what no other format could be. In a zip or folder
  (``sample.is_member``) documents that nobody knows are passed over in silence, so be strict there.
- ``read(document, session)`` yields ``Draft``, ``Skipped``, ``Current``, ``Written`` and ``ReadError`` in file order,
  as a stream: it holds no document whole that can be large. It opens with ``with document.open() as stream`` (bytes:
  UTF-8, no byte order mark, UTF-16 already turned), line by line with ``numbered_lines(document)`` of
  ``gitmem.interop.lines``, or value by value with ``gitmem.interop.json_stream``, and reports with
  ``document.place(line, item).error(Fault.…, "…")``. ``OSError`` may pass through: it becomes one report, and what was
  given before it goes in.
- A format that is spread over several files says yes to exactly one of them (a list of users, say) and opens the others
  through ``document.beside``, by name.
- A turn's id must be the same each time that the export is made: the platform's id, else ``content_id`` of the text
  with what tells equal texts apart (``gitmem.conversations.adding``), never a position that a longer export moves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.errors import Code, InvalidRequest
from gitmem.interop import chatgpt, claude, claude_code, codex, jsonl, openprogram, slack, telegram, whatsapp

if TYPE_CHECKING:
    from gitmem.interop.format import Format

AUTO = "auto"

FORMATS: tuple[Format, ...] = (
    chatgpt.FORMAT,
    claude.FORMAT,
    claude_code.FORMAT,
    codex.FORMAT,
    openprogram.FORMAT,
    slack.FORMAT,
    telegram.FORMAT,
    whatsapp.FORMAT,
    jsonl.FORMAT,
)


def format_named(name: str) -> Format | None:
    """Give the format of that name, ``None`` for ``auto``. Raises ``InvalidRequest`` for a name that is not known."""
    known = {entry.name: entry for entry in FORMATS}
    if name != AUTO and name not in known:
        raise InvalidRequest(
            Code.INVALID_ARGUMENT, f"{name!r} is no format that can be read; the formats are {AUTO}, {', '.join(known)}"
        )
    return known.get(name)
