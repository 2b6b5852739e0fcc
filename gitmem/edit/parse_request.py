"""From JSON payloads to request values (``cli.md`` "Inputs"; ``behaviours.md`` 3.1 to 3.3, part 5).

What a payload may never say is who vouches for it: keys about authority are dropped (8.11).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from gitmem.edit.parse_records import parse_records
from gitmem.edit.payload import Item, filled, invalid, text
from gitmem.edit.source_label import is_source_label
from gitmem.edit.topic_path import topic_path
from gitmem.ids import Revision
from gitmem.request import FileDelete, FilesEdit, FileWrite, NewSource, PatchEdit

if TYPE_CHECKING:
    from gitmem.request import Edit, FileChange

AUTHORITY_KEYS = frozenset(
    {
        "authority",
        "authority_tier",
        "handle",
        "principal",
        "principal_id",
        "source_id",
        "speaker",
        "speaker_kind",
        "speaker_trusted",
        "tier",
        "trust",
        "trust_state",
    }
)
"""Keys of a source that only the caller's own code may decide; a payload's are ignored."""


@dataclass(frozen=True, slots=True)
class UpdateInput:
    """The payload of ``memory_update``, read; the caller adds authority, surface and author."""

    base_revision: Revision
    edit: Edit
    sources: tuple[NewSource, ...]
    subject: str | None
    warnings: tuple[str, ...]


def parse_update(payload: object, *, speakers: bool = True) -> UpdateInput:
    """Read ``{base_revision, patch | changes | memory_changes, sources?, commit_message?, git_commit?}``.

    ``speakers=False`` drops the speaker of the sources: a model does not say who spoke. Raises
    ``InvalidRequest(INVALID_ARGUMENT)``, and ``Refused`` for paths that may not be written.
    """
    item = Item.of(payload, "update")
    item.closed("base_revision", "patch", "changes", "memory_changes", "sources", "commit_message", "git_commit")
    edit = parse_edit(patch=item.get("patch"), changes=item.get("changes"), memory_changes=item.get("memory_changes"))
    subject = item.get("commit_message")
    ignored = "git_commit is ignored: every transaction is a commit"
    return UpdateInput(
        base_revision=Revision(item.filled("base_revision").strip()),
        edit=edit,
        sources=() if item.get("sources") is None else parse_sources(item.get("sources"), speakers=speakers),
        subject=None if subject is None else text(subject, "commit_message"),
        warnings=() if item.get("git_commit") is None else (ignored,),
    )


def parse_edit(*, patch: object = None, changes: object = None, memory_changes: object = None) -> Edit:
    """The one edit that is given; none or several is ``INVALID_ARGUMENT`` (3.1)."""
    given = [value for value in (patch, changes, memory_changes) if value is not None]
    if len(given) != 1:
        invalid("give exactly one of patch, changes and memory_changes")
    if patch is not None:
        return PatchEdit(filled(patch, "patch"))
    return parse_changes(changes) if changes is not None else parse_records(memory_changes)


def parse_changes(payload: object) -> FilesEdit:
    """Read ``[{path, action: write|delete, content?}]``; paths are compared after normalization (5.1, 5.2)."""
    changes: list[FileChange] = []
    for item in Item.each(payload, "changes"):
        item.closed("path", "action", "content")
        path = topic_path(item.filled("path"))
        if any(path == change.path for change in changes):
            invalid(f"{item.place}.path {path!r} is given twice")
        changes.append(_change(item))
    return FilesEdit(tuple(changes))


def _change(item: Item) -> FileChange:
    path, action = topic_path(item.filled("path")), item.filled("action")
    if action == "write":
        return FileWrite(path, item.text("content"))
    if action == "delete":
        if item.optional("content"):
            invalid(f"{item.place}: a delete has no content")
        return FileDelete(path)
    return invalid(f"{item.place}.action must be write or delete, not {action!r}")


def parse_sources(payload: object, *, speakers: bool = True) -> tuple[NewSource, ...]:
    """Read ``[{label, role, content, timestamp?, speaker_id?, speaker_display?}]``, labels distinct."""
    sources: list[NewSource] = []
    for item in Item.each(payload, "sources"):
        known = {key: value for key, value in item.values.items() if key not in AUTHORITY_KEYS}
        source = _source(Item(item.place, known), speakers=speakers)
        if any(source.label == other.label for other in sources):
            invalid(f"{item.place}.label {source.label!r} is given twice")
        sources.append(source)
    return tuple(sources)


def _source(item: Item, *, speakers: bool) -> NewSource:
    item.closed("label", "role", "content", "timestamp", "speaker_id", "speaker_display")
    label, role = item.filled("label"), item.filled("role").strip()
    if not is_source_label(label):
        invalid(f"{item.place}.label must look like new-source-x: letters, digits, dots and hyphens")
    if not role.isprintable() or not role.isascii() or ":" in role:
        invalid(f"{item.place}.role must be one plain word such as user or assistant")
    return NewSource(
        content=item.filled("content"),
        role=role,
        label=label,
        timestamp=_timestamp(item),
        speaker_id=item.optional("speaker_id") if speakers else None,
        speaker_display=item.optional("speaker_display") if speakers else None,
    )


def _timestamp(item: Item) -> str | None:
    """A time as given; Unix seconds become UTC (0.29)."""
    value = item.get("timestamp")
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            return datetime.fromtimestamp(value, UTC).isoformat()
        except (ValueError, OverflowError, OSError):
            invalid(f"{item.place}.timestamp {value!r} is no time")
    written = (item.optional("timestamp") or "").strip()
    if not written.isprintable() or any(mark in written for mark in "[]"):
        invalid(f"{item.place}.timestamp must be one line without brackets")
    return written or None
