"""``limits``: how much one call may bring (3.11); a writer's batch is not limited."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING

from gitmem.errors import Code, Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.request import Request

NAME = "limits"
CODE = Code.INVALID_ARGUMENT

MAX_SOURCES = 64
MAX_CHANGES = 64
MAX_SOURCE_BYTES = 256_000
MAX_EDIT_BYTES = 512_000
MAX_SUBJECT_CHARACTERS = 500


def run(request: Request) -> Iterator[Finding]:
    """What is past a limit; sizes count every string of an item, in UTF-8 bytes."""
    if request.subject is not None and len(request.subject) > MAX_SUBJECT_CHARACTERS:
        yield _finding("message-too-long", "the message", len(request.subject), MAX_SUBJECT_CHARACTERS, "characters")
    if not request.limited:
        return
    from gitmem.request import FilesEdit, PatchEdit, RecordsEdit  # noqa: PLC0415  (git's hooks have no request, and it takes long to load)

    edit = request.edit
    changes: tuple[object, ...] = ()
    if isinstance(edit, FilesEdit):
        changes = edit.changes
    elif isinstance(edit, RecordsEdit):
        changes = edit.operations
    edit_bytes = len(edit.text.encode()) if isinstance(edit, PatchEdit) else _string_bytes(changes)
    for code, what, count, most, unit in (
        ("too-many-sources", "the sources", len(request.sources), MAX_SOURCES, "items"),
        ("too-many-changes", "the changes", len(changes), MAX_CHANGES, "items"),
        ("sources-too-large", "the sources", _string_bytes(request.sources), MAX_SOURCE_BYTES, "bytes"),
        ("edit-too-large", "the edit", edit_bytes, MAX_EDIT_BYTES, "bytes"),
    ):
        if count > most:
            yield _finding(code, what, count, most, unit)


def _finding(code: str, what: str, count: int, most: int, unit: str) -> Finding:
    message = f"{what}: {count:,} {unit}, of which {most:,} are allowed in one call"
    return Finding(NAME, Severity.ERROR, code, message, fix="split the request")


def _string_bytes(value: object) -> int:
    """The bytes of every string inside a request value."""
    if isinstance(value, str):
        return len(value.encode("utf-8", "surrogatepass"))
    if isinstance(value, tuple):
        return sum(_string_bytes(item) for item in value)
    if is_dataclass(value):
        return sum(_string_bytes(getattr(value, field.name)) for field in fields(value))
    return 0
