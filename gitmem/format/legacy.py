"""Archives from before version 2: readable, frozen, and never a reason to trust who is said to have spoken.

``sources/D<n>.md`` and ``sources/<provider>/<thread>.md`` hold records that start at an anchor line, or, in a file
without anchors, at a header line; a record ends where the next one starts (``formats.md``, "Legacy archives")::

    <a id="d1-3"></a>
    [2023-05-08] Caroline: I went to a support group yesterday. [D1:3]

Some files carry comments between anchor and header (``source-id``, ``record-lines``, ...). They name and bound the
record where they agree with the file, and establish nothing else.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from gitmem.format.frame import UNDATED
from gitmem.format.layout import anchor, dialog_name, handle_problem, legacy_names
from gitmem.format.model import Archive, Record
from gitmem.format.speaker import NOBODY, Speaker, normalize_display
from gitmem.ids import SourceId

if TYPE_CHECKING:
    from collections.abc import Iterator

_HEADER = rb"\[([^\[\]\n]*)\] ([^\n]*?): "
_ANCHORED = re.compile(
    rb'^<a id="([A-Za-z0-9_.:-]+)"></a>\r?\n((?:<!-- [a-z-]+:[^\n]* -->\r?\n)*)' + _HEADER,
    re.MULTILINE,
)
_PLAIN = re.compile(rb"^(?P<none>)(?P<comments>)\[(\d{4}[^\[\]\n]*|undated)\] ([^\n]{1,140}?): ", re.MULTILINE)
_COMMENT = re.compile(rb"<!-- (source-id|record-lines):([^\n]*) -->")
_COUNT = re.compile(r"[1-9][0-9]{0,11}")
_TRAILING_HANDLE = re.compile(rb" \[([^\[\]\n]+)\][\r\n]*\Z")
_HINT = re.compile(r"\[([^\[\]\n]+) \(([^\[\]()\n]+)\)\] ")


class _Names(NamedTuple):
    """How handles of this file look: ``prefix`` starts each, ``dialog`` is ``D<n>`` for the oldest kind."""

    prefix: str
    dialog: str | None


def scan_legacy(path: str, data: bytes) -> Archive:
    """Read a legacy archive: always complete, never with metadata, speakers never trusted (``behaviours.md`` 8.4).

    A handle comes from the ``source-id`` comment or the bracket at the record's end, when it agrees with the path and
    the anchor, else from the anchor. Of two records with one anchor the first counts; the second is text of the record
    before it. Bytes that are not UTF-8 are read with replacement. Never raises for what the file holds.
    """
    names = _names_of(path)
    records = _File(path, data, names).records() if names else ()
    return Archive(path, tuple(records), len(data), None, framed=False)


def _names_of(path: str) -> _Names | None:
    if dialog := dialog_name(path):
        return _Names(f"{dialog}:", dialog)
    names = legacy_names(path)
    return _Names(f"{names[0]}/{names[1]}/", None) if names else None


@dataclass(frozen=True, slots=True)
class _File:
    path: str
    data: bytes
    names: _Names

    def records(self) -> Iterator[Record]:
        """Every record that something names, in file order."""
        starts = list(_starts(self.data, _ANCHORED)) or list(_starts(self.data, _PLAIN))
        bounds = [*(found.start() for found in starts), len(self.data)][1:]
        line, counted = 1, 0
        for found, bound in zip(starts, bounds, strict=True):
            header = found.start(3) - 1
            line += self.data.count(b"\n", counted, header)
            counted = header
            if record := self._record(found, bound, line):
                yield record

    def _record(self, found: re.Match[bytes], bound: int, line: int) -> Record | None:
        body_end = _body_end(self.data, found, bound)
        trailing = _TRAILING_HANDLE.search(self.data, found.end(), body_end)
        inline = _text(trailing[1]) if trailing else None
        mark = _text(found[1])
        handle = _handle(self.names, mark, _comment(found, b"source-id"), inline)
        if handle is None:
            return None
        if trailing and inline == handle:
            body_end = trailing.start()
        label = _text(found[4])
        speaker = _hint(label, self.data[found.end() : body_end], framed=bool(found[2]))
        return Record(
            handle=SourceId(handle),
            path=self.path,
            anchor=mark or _anchor_of(handle, self.names),
            line=line,
            start=found.start(),
            end=bound,
            body_start=found.end(),
            body_end=body_end,
            timestamp=_text(found[3]) or UNDATED,
            label=label,
            speaker_id=speaker.id,
            speaker_display=speaker.display,
            speaker_trusted=False,
            metadata=None,
            framed=False,
        )


def _starts(data: bytes, pattern: re.Pattern[bytes]) -> Iterator[re.Match[bytes]]:
    """Where records start: each anchor once, and never inside the lines that a sane count gives to the one before."""
    seen: set[bytes] = set()
    position = 0
    while found := pattern.search(data, position):
        position = found.end()
        if found[1] and found[1] in seen:
            continue
        seen.add(found[1])
        position = max(position, _counted_end(data, found) or 0)
        yield found


def _counted_end(data: bytes, found: re.Match[bytes]) -> int | None:
    """Where ``record-lines`` ends the record; ``None`` without a count, or with one that the file does not bear out."""
    count = _comment(found, b"record-lines")
    if count is None or not _COUNT.fullmatch(count):
        return None
    position = found.end()
    for _ in range(int(count)):
        position = data.find(b"\n", position) + 1
        if not position:
            return None
    return position


def _body_end(data: bytes, found: re.Match[bytes], bound: int) -> int:
    """Where the body ends: as counted, else without the blank lines before the next record."""
    counted = _counted_end(data, found)
    return counted - 1 if counted else found.end() + len(data[found.end() : bound].rstrip(b"\r\n"))


def _comment(found: re.Match[bytes], name: bytes) -> str | None:
    value = dict(_COMMENT.findall(found[2])).get(name)
    return None if value is None else _text(value)


def _text(raw: bytes) -> str:
    return raw.decode(errors="replace")


def _handle(names: _Names, mark: str, comment: str | None, inline: str | None) -> str | None:
    """The record's handle, from what agrees with the file; ``None`` when nothing names it."""
    for candidate in (comment, inline):
        if candidate is not None and _belongs(candidate, names) and mark in {"", _anchor_of(candidate, names)}:
            return candidate
    if not mark:
        return None
    if names.dialog is None:
        return names.prefix + mark
    prefix, _, number = mark.partition("-")
    return names.prefix + number if prefix == names.dialog.lower() and number.isdecimal() else None


def _belongs(handle: str, names: _Names) -> bool:
    if not handle.startswith(names.prefix):
        return False
    return handle[len(names.prefix) :].isdecimal() if names.dialog else handle_problem(handle) is None


def _anchor_of(handle: str, names: _Names) -> str:
    return handle.lower().replace(":", "-") if names.dialog else anchor(handle)


def _hint(label: str, body: bytes, *, framed: bool) -> Speaker:
    """The old ``[Name (id)]`` prefix of an unframed ``user`` record: a search hint, nothing more (8.4)."""
    if framed or label != "user":
        return NOBODY
    found = _HINT.match(_text(body))
    if found is None:
        return NOBODY
    display, ident = normalize_display(found[1]), normalize_display(found[2])
    return Speaker(ident or None, display or None, trusted=False)
