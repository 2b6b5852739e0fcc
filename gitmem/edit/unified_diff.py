r"""Unified diffs: read strictly, applied to the byte (``behaviours.md`` part 4, 0.27, 17.11).

Own code, because no published parser keeps the bytes: ``whatthepatch`` cuts lines at U+2028 and form feed, ``unidiff``
passes over headers it does not know, and neither refuses a context line that differs.

Lines end at LF only. A hunk's counts decide where it ends, so that a removed line ``-- x`` (written ``--- x``) stays
inside. ``\ No newline at end of file`` takes the LF from the line before it. There is no fuzz: every context and
removed line must stand where the hunk's header says.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NoReturn

from gitmem.errors import Code, Refused

if TYPE_CHECKING:
    from collections.abc import Iterator

_HUNK = re.compile(rb"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@(?: .*)?\r?", re.DOTALL)
_ORDINARY_MODE = re.compile(rb"(?:(?:new|deleted) file mode|index [0-9a-f]+\.\.[0-9a-f]+)(?: 100644)?\r?")
_NO_NEWLINE = b"\\ "
_OCTAL = re.compile(rb'\\(?:([0-7]{3})|([abtnvfr"\\]))')
_ESCAPES = dict(zip(b'abtnvfr"\\', b'\a\b\t\n\v\f\r"\\', strict=True))
_REFUSED_HEADERS = {
    b"rename ": "a rename",
    b"similarity ": "a rename",
    b"dissimilarity ": "a rewrite",
    b"copy ": "a copy",
    b"old mode ": "a change of file mode",
    b"new mode ": "a change of file mode",
    b"new file mode ": "a file that is not an ordinary text file",
    b"deleted file mode ": "a file that is not an ordinary text file",
    b"index ": "a file that is not an ordinary text file",
    b"Binary files ": "a binary file",
    b"GIT binary patch": "a binary file",
}


class Op(StrEnum):
    """What a hunk's line does; the value is its first character."""

    KEEP = " "
    REMOVE = "-"
    ADD = "+"


@dataclass(frozen=True, slots=True)
class HunkLine:
    """One line of a hunk; ``data`` ends in LF unless the no-newline marker follows it."""

    op: Op
    data: bytes


@dataclass(frozen=True, slots=True)
class Hunk:
    """One hunk; ``start`` is the 0-based index of the first old line it covers, ``number`` its place in the section."""

    number: int
    start: int
    lines: tuple[HunkLine, ...]

    @property
    def old(self) -> tuple[bytes, ...]:
        """The lines it expects."""
        return tuple(line.data for line in self.lines if line.op is not Op.ADD)

    @property
    def new(self) -> tuple[bytes, ...]:
        """The lines it leaves."""
        return tuple(line.data for line in self.lines if line.op is not Op.REMOVE)

    @property
    def end(self) -> int:
        """The index after the last old line it covers."""
        return self.start + len(self.old)


@dataclass(frozen=True, slots=True)
class FilePatch:
    """One file's section, hunks in file order; ``creates`` and ``deletes`` say that the other side is ``/dev/null``."""

    path: str
    creates: bool
    deletes: bool
    hunks: tuple[Hunk, ...]


def parse_patch(text: str) -> tuple[FilePatch, ...]:
    """The sections of a patch in the order written.

    Raises ``Refused(PATCH_CONFLICT)`` with ``details["patch_line"]`` for anything that is not a plain textual change of
    ordinary files: renames, copies, modes, symlinks, binaries, unknown headers, counts that do not fit, overlaps.
    """
    lines = _Lines(text)
    sections = list(_sections(lines))
    if not sections:
        lines.refuse("there is no file section; a section starts with `--- ` and `+++ `")
    return tuple(sections)


def apply_patch(old: bytes | None, patch: FilePatch) -> bytes | None:
    """The file after the patch, ``None`` when it deletes the file; ``old`` is ``None`` for an absent file.

    Raises ``Refused(PATCH_CONFLICT)`` with ``details`` ``{"line", "hunk"}`` (both 1-based) where the file differs from
    what the patch expects.
    """
    if patch.creates:
        if old is not None:
            _conflict(patch, "the patch creates a file that already exists; patch it instead")
        old = b""
    if old is None:
        _conflict(patch, "the patch changes a file that does not exist; create it with `--- /dev/null`")
    before = split_lines(old)
    if patch.deletes and before and not patch.hunks:
        _conflict(patch, "the patch deletes a file without naming a line of it")
    after: list[bytes] = []
    done = 0
    for hunk in patch.hunks:
        _expect(before, hunk, patch)
        after += before[done : hunk.start]
        after += hunk.new
        done = hunk.end
    after += before[done:]
    if patch.deletes:
        return None
    for number, line in enumerate(after[:-1], 1):
        if not line.endswith(b"\n"):
            _conflict(patch, "a line without final newline would stand inside the file", line=number)
    return b"".join(after)


def split_lines(data: bytes) -> list[bytes]:
    """LF-separated lines with their LF; the last may lack it."""
    lines = [line + b"\n" for line in data.split(b"\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


def _expect(before: list[bytes], hunk: Hunk, patch: FilePatch) -> None:
    for offset, expected in enumerate(hunk.old):
        index = hunk.start + offset
        found = before[index] if index < len(before) else None
        if found != expected:
            reason = "the file ends before this line" if found is None else "the file holds another line here"
            _conflict(patch, f"{reason}; read it again and patch what is there", line=index + 1, hunk=hunk.number)
    if hunk.start > len(before):
        _conflict(patch, "the hunk stands after the end of the file", line=hunk.start, hunk=hunk.number)


def _conflict(patch: FilePatch, reason: str, *, line: int | None = None, hunk: int | None = None) -> NoReturn:
    place = f" (line {line})" if line is not None else ""
    details = {key: value for key, value in (("line", line), ("hunk", hunk)) if value is not None}
    raise Refused(Code.PATCH_CONFLICT, f"{patch.path}{place}: {reason}", path=patch.path, details=details)


class _Lines:
    """The patch's lines with a position, so that a refusal can name it."""

    def __init__(self, text: str) -> None:
        try:
            data = text.encode()
        except UnicodeEncodeError as error:
            raise Refused(Code.PATCH_CONFLICT, "the patch is not valid UTF-8 text") from error
        self._lines = data.split(b"\n")
        if not self._lines[-1]:
            del self._lines[-1]
        self._at = 0

    def peek(self) -> bytes | None:
        """The next line without its LF; ``None`` at the end."""
        return self._lines[self._at] if self._at < len(self._lines) else None

    def take(self) -> bytes:
        """The next line, which becomes the one that a refusal names."""
        line = self._lines[self._at]
        self._at += 1
        return line

    def refuse(self, reason: str, path: str | None = None) -> NoReturn:
        """Refuse the patch at the line last taken."""
        raise Refused(
            Code.PATCH_CONFLICT, f"patch line {self._at}: {reason}", path=path, details={"patch_line": self._at}
        )


def _sections(lines: _Lines) -> Iterator[FilePatch]:
    while (line := lines.peek()) is not None:
        lines.take()
        if line.startswith(b"--- "):
            yield _section(lines, _name(lines, line[4:], b"a/"))
        elif line.strip() and not line.startswith(b"diff --git ") and not _ORDINARY_MODE.fullmatch(line):
            kind = next((kind for start, kind in _REFUSED_HEADERS.items() if line.startswith(start)), None)
            lines.refuse(
                f"{kind} cannot be patched; use file changes or record operations" if kind else "not part of a section"
            )


def _section(lines: _Lines, old: str | None) -> FilePatch:
    follows = lines.peek()
    if follows is None or not follows.startswith(b"+++ "):
        lines.refuse("`--- ` must be followed by `+++ `")
    new = _name(lines, lines.take()[4:], b"b/")
    path = new if new is not None else old
    if path is None:
        lines.refuse("both sides are /dev/null")
    if old is not None and new is not None and old != new:
        lines.refuse("a rename cannot be patched; use file changes or record operations", path)
    hunks: list[Hunk] = []
    while (line := lines.peek()) is not None and line.startswith(b"@@"):
        hunks.append(_hunk(lines, len(hunks) + 1, path))
    patch = FilePatch(path, old is None, new is None, tuple(sorted(hunks, key=lambda h: (h.start, h.end))))
    _fits(lines, patch)
    return patch


def _fits(lines: _Lines, patch: FilePatch) -> None:
    if not patch.hunks and not patch.deletes:
        lines.refuse("the section has no hunk", patch.path)
    for hunk, follower in zip(patch.hunks, patch.hunks[1:], strict=False):
        if follower.start < hunk.end or (hunk.start, hunk.end) == (follower.start, follower.end):
            lines.refuse(f"hunks {hunk.number} and {follower.number} overlap", patch.path)
    if patch.creates and (len(patch.hunks) > 1 or patch.hunks[0].old):
        lines.refuse("a created file has one hunk of added lines", patch.path)
    if patch.deletes and any(line.op is Op.ADD for hunk in patch.hunks for line in hunk.lines):
        lines.refuse("a deleted file has no added lines", patch.path)


def _hunk(lines: _Lines, number: int, path: str) -> Hunk:
    header = _HUNK.fullmatch(lines.take())
    if header is None:
        lines.refuse("a hunk starts with `@@ -line,count +line,count @@`", path)
    start, old_count, _, new_count = (1 if group is None else int(group) for group in header.groups())
    if start == 0 and old_count:
        lines.refuse("lines are counted from 1", path)
    body = tuple(_body(lines, old_count, new_count, path))
    if not body:
        lines.refuse("the hunk is empty", path)
    # With no old lines the header names the line *after which* the new ones go.
    return Hunk(number, start - 1 if old_count else start, body)


def _body(lines: _Lines, old_count: int, new_count: int, path: str) -> Iterator[HunkLine]:
    while old_count or new_count:
        line = lines.peek()
        if line is None:
            lines.refuse("the hunk ends before its header's counts are met", path)
        lines.take()
        # Mail programs and editors strip the blank of an empty context line; it still must match an empty line.
        mark, data = (line[:1].decode("latin-1"), line[1:]) if line else (" ", b"")
        if mark not in (Op.KEEP, Op.REMOVE, Op.ADD):
            lines.refuse("a hunk's line starts with a blank, `-` or `+`", path)
        op = Op(mark)
        old_count -= op is not Op.ADD
        new_count -= op is not Op.REMOVE
        if old_count < 0 or new_count < 0:
            lines.refuse("the hunk holds more lines than its header's counts", path)
        marked = (lines.peek() or b"").startswith(_NO_NEWLINE)
        if marked:
            lines.take()
        yield HunkLine(op, data if marked else data + b"\n")
    follows = lines.peek() or b""
    if follows.startswith((b" ", b"-", b"+")) and follows.strip() and not follows.startswith(b"--- "):
        lines.take()
        lines.refuse("the hunk holds more lines than its header's counts", path)


def _name(lines: _Lines, written: bytes, prefix: bytes) -> str | None:
    """The path of a ``---`` or ``+++`` line without its prefix and time stamp; ``None`` for ``/dev/null``."""
    if written.startswith(b'"'):
        quoted = written.rstrip(b"\r")
        raw = _OCTAL.sub(_unescape, quoted[1 : quoted.rfind(b'"')])
    else:
        raw = written.partition(b"\t")[0].rstrip(b"\r")
    if raw == b"/dev/null":
        return None
    try:
        name = raw.removeprefix(prefix).decode()
    except UnicodeDecodeError:
        lines.refuse("the path is not UTF-8")
    if not name:
        lines.refuse("the path is missing")
    return name


def _unescape(match: re.Match[bytes]) -> bytes:
    octal, letter = match.groups()
    return bytes([int(octal, 8) & 0xFF]) if octal else bytes([_ESCAPES[letter[0]]])
