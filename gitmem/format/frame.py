"""Version-2 source archives: a header, then strict frames that a line count bounds (``behaviours.md`` part 7).

"Line" means LF-separated, so the blank line that closes a frame is the blank line that opens the next one, and after
the last frame it is what follows the file's last LF::

    header LF  (LF frame LF)*
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gitmem.errors import Code, InvalidRequest, Refused
from gitmem.format.layout import anchor, handle_problem, split_handle, v2_names
from gitmem.format.model import Archive, Defect, Record, TrustMetadata
from gitmem.format.speaker import decode_speaker_id, speaker_label, speaker_marker, speaker_of
from gitmem.format.text import one_line
from gitmem.format.trust import decode_metadata, encode_metadata
from gitmem.ids import SourceId

if TYPE_CHECKING:
    from collections.abc import Iterable

HEADER = b"<!-- openprogram-source-archive:v2 -->\n"
UNDATED = "undated"

_MAX_TIME_CHARS = 64
_BRACKETS = str.maketrans("[]", "()")
# A count of more digits than any file has lines is no count: it is refused here, before anything is made of it.
_FRAME = re.compile(
    rb'\n<a id="([^"\n]*)"></a>\n'
    rb"<!-- source-id:([^\n]*) -->\n"
    rb"(?:<!-- speaker-id:([^\n]*) -->\n)?"
    rb"(?:<!-- source-meta:([^\n]*) -->\n)?"
    rb"<!-- record-lines:([1-9][0-9]{0,11}) -->\n"
    rb"\[([^\[\]\n]*)\] ([^\n]*?): "
)


# --- writing ----------------------------------------------------------------------------------------------------


def render_frame(  # noqa: PLR0913  (the fields of a frame, each by its name)
    *,
    handle: SourceId,
    timestamp: str | None,
    role: str,
    body: str,
    speaker_id: str | None = None,
    speaker_display: str | None = None,
    metadata: TrustMetadata | None = None,
) -> bytes:
    """Give the bytes that one message adds to an archive, the separating blank line first.

    ``metadata`` is ``None`` only for re-rendering a frame that has none. The body is kept to the byte. Raises
    ``InvalidRequest`` for an unsafe handle and for text that is not Unicode (a lone surrogate).
    """
    split_handle(handle)
    lines = [f'\n<a id="{anchor(handle)}"></a>', f"<!-- source-id:{handle} -->"]
    marker = speaker_marker(speaker_display, speaker_id)
    if marker is not None:
        lines.append(f"<!-- speaker-id:{marker} -->")
    if metadata is not None:
        lines.append(f"<!-- source-meta:{encode_metadata(metadata)} -->")
    lines.append(f"<!-- record-lines:{body.count(chr(10)) + 1} -->")
    label = speaker_label(speaker_display, speaker_id, role)
    lines.append(f"[{_header_time(timestamp)}] {label}: {body}\n")
    try:
        return "\n".join(lines).encode()
    except UnicodeEncodeError as error:
        raise InvalidRequest(Code.INVALID_ARGUMENT, f"the text of {handle} is not Unicode: a lone surrogate") from error


def _header_time(timestamp: str | None) -> str:
    return one_line(timestamp or "").translate(_BRACKETS)[:_MAX_TIME_CHARS].strip(" ") or UNDATED


def append_frames(path: str, data: bytes | None, archive: Archive | None, frames: Iterable[bytes]) -> bytes:
    """Give the archive's new bytes: ``data`` (``None``: a new file) and the frames of ``render_frame``.

    Raises ``Refused`` (``COMMIT_REJECTED``) when the archive is invalid or truncated: it is never appended to (7.4).
    """
    if data is None or archive is None:
        return HEADER + b"".join(frames)
    if archive.defect is not None:
        raise Refused(
            Code.COMMIT_REJECTED,
            f"{path} is invalid or truncated at line {archive.defect.line}, so nothing may be appended to it: "
            f"{archive.defect.message}",
            path=path,
        )
    added = b"".join(frames)
    return data[: archive.valid_length] + added if added else data


# --- reading ----------------------------------------------------------------------------------------------------


def scan_v2(path: str, data: bytes, *, known: Archive | None = None) -> Archive:
    """Scan an archive strictly forward; stop at the first malformed or truncated frame and look no further (7.4).

    ``known`` is the result for a byte prefix of ``data`` under the same path: the scan goes on where it ended. A blank
    line after the last frame is no defect; it already separates the next one, so ``valid_length`` stands before it.
    Never raises for what the file holds.
    """
    if not data.startswith(HEADER):
        message = f"the first line must be {HEADER.decode().rstrip()}"
        return Archive(path, (), 0, Defect("missing-header", message, 1), framed=True)
    scan = _Scan(path, data, v2_names(path))
    if known is not None and len(HEADER) <= known.valid_length <= len(data) and _separated(data, known.valid_length):
        scan.resume(known)
    return scan.run()


class _Scan:
    """A scan under way; ``position`` is where the next frame must start, ``line`` the 1-based line there."""

    def __init__(self, path: str, data: bytes, names: tuple[str, str] | None) -> None:
        self.path = path
        self.data = data
        self.prefix = "/".join((*names, "")) if names else None
        self.position = len(HEADER)
        self.line = 2
        self.records: list[Record] = []
        self.seen: set[str] = set()

    def resume(self, known: Archive) -> None:
        """Take over what a scan of a prefix found."""
        self.records = list(known.records)
        self.seen = {record.handle for record in known.records}
        self.position = known.valid_length
        if self.records:
            last = self.records[-1]
            self.line = last.line + self.data.count(b"\n", last.body_start, self.position)

    def run(self) -> Archive:
        """Read frames until the end or the first that is none."""
        text_end = self._text_end()
        defect = None
        while defect is None and not self._at_end():
            defect = self._frame(text_end)
        return Archive(self.path, tuple(self.records), self.position, defect, framed=True)

    def _at_end(self) -> bool:
        left = len(self.data) - self.position
        return left == 0 or (left == 1 and self.data.endswith(b"\n"))

    def _text_end(self) -> int:
        """Offset of the first byte that is not UTF-8."""
        try:
            self.data[self.position :].decode()
        except UnicodeDecodeError as error:
            return self.position + error.start
        return len(self.data)

    def _frame(self, text_end: int) -> Defect | None:
        found = _FRAME.match(self.data, self.position, text_end)
        if found is None:
            return self._defect("malformed-frame", "what stands here is not the start of a complete frame")
        end = self._record_end(found)
        if end is None:
            return self._defect(
                "truncated-frame",
                "the record has not the lines its count says, with a blank line or the end after them",
            )
        if end > text_end:
            return self._defect("not-utf8", "the record is not UTF-8 text")
        handle = found[2].decode()
        fault = self._handle_fault(handle, found[1]) or _marker_fault(found)
        if fault is not None:
            return self._defect(*fault)
        self._take(found, SourceId(handle), end)
        return None

    def _record_end(self, found: re.Match[bytes]) -> int | None:
        """Offset after the record's last LF, when a blank line or the end of the file follows."""
        position = found.end()
        for _ in range(int(found[5])):
            position = self.data.find(b"\n", position) + 1
            if not position:
                return None
        return position if _separated(self.data, position) else None

    def _handle_fault(self, handle: str, mark: bytes) -> tuple[str, str] | None:
        if handle_problem(handle):
            return "bad-handle", f"the handle {handle!r} {handle_problem(handle)}"
        if self.prefix is None or handle.split("/", 2)[:2] != self.prefix.split("/")[:2]:
            return "path-mismatch", f"{handle} does not belong into {self.path}"
        if anchor(handle).encode() != mark:
            return "anchor-mismatch", f"the anchor of {handle} must be {anchor(handle)}"
        if handle in self.seen:
            return "duplicate-source", f"{handle} stands in the file already"
        return None

    def _take(self, found: re.Match[bytes], handle: SourceId, end: int) -> None:
        data, start = self.data, found.start()
        header_line = self.line + data.count(b"\n", start, found.end())
        label = found[7].decode()
        speaker = speaker_of(label, None if found[3] is None else decode_speaker_id(found[3].decode()))
        self.records.append(
            Record(
                handle=handle,
                path=self.path,
                anchor=found[1].decode(),
                line=header_line,
                start=start,
                end=end,
                body_start=found.end(),
                body_end=end - 1,
                timestamp=found[6].decode() or UNDATED,
                label=label,
                speaker_id=speaker.id,
                speaker_display=speaker.display,
                speaker_trusted=speaker.trusted,
                metadata=None if found[4] is None else decode_metadata(found[4].decode()),
                framed=True,
            )
        )
        self.seen.add(handle)
        self.position = end
        self.line = header_line + int(found[5])

    def _defect(self, code: str, message: str) -> Defect:
        return Defect(code, f"{message}; what follows is not read", self.line + 1)


def _separated(data: bytes, position: int) -> bool:
    """Whether a blank line, or the end of the file, is what follows a record that ends here."""
    return data[position : position + 1] in {b"", b"\n"}


def _marker_fault(found: re.Match[bytes]) -> tuple[str, str] | None:
    if found[3] is not None and decode_speaker_id(found[3].decode()) is None:
        return "bad-speaker", "the speaker-id is not in its canonical percent-encoding"
    if found[4] is not None and decode_metadata(found[4].decode()) is None:
        return "bad-metadata", "the source-meta is not canonical"
    return None
