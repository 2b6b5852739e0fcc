"""Whole-file changes and patches become drafts (``behaviours.md`` parts 4 and 5a)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.edit.rebase import rebased
from gitmem.edit.topic_path import topic_path
from gitmem.edit.unified_diff import apply_patch, parse_patch
from gitmem.errors import Code, InvalidRequest, NotFound, Refused
from gitmem.request import FileMove, FileWrite

if TYPE_CHECKING:
    from gitmem.edit.base import StagingArea
    from gitmem.edit.bench import Bench
    from gitmem.format.model import Topic
    from gitmem.ids import TopicPath
    from gitmem.request import FilesEdit, PatchEdit

Renamed = dict[str, "TopicPath"]
"""Whole files that moved: the old path and the new one."""


def draft_files(bench: Bench, edit: FilesEdit) -> Renamed:
    """Draft every change in its order.

    Raises ``InvalidRequest`` for an empty list or a path given twice, ``NotFound(PATH_NOT_FOUND)`` for a file that is
    not there, ``Refused(PATCH_CONFLICT)`` for moving onto a file that is.
    """
    if not edit.changes:
        raise InvalidRequest(Code.INVALID_ARGUMENT, "changes must not be empty")
    renamed: Renamed = {}
    named: set[str] = set()
    for change in edit.changes:
        path = topic_path(change.path)
        if path in named:
            raise InvalidRequest(Code.INVALID_ARGUMENT, f"{path} is given twice", path=path)
        named.add(path)
        if isinstance(change, FileWrite):
            _write(bench, path, change.content)
        elif isinstance(change, FileMove):
            renamed[path] = _rename(bench, path, topic_path(change.to))
        else:
            _existing(bench, path)
            bench.drafts.put(path, None)
    return renamed


def _write(bench: Bench, path: TopicPath, content: str) -> None:
    if "\r\n" in content:
        bench.warnings.append(f"{path}: CRLF line ends are written as LF")
    bench.drafts.put(path, content.replace("\r\n", "\n"))


def _rename(bench: Bench, path: TopicPath, to: TopicPath) -> TopicPath:
    topic = _existing(bench, path)
    if bench.drafts.text(to) is not None:
        raise Refused(Code.PATCH_CONFLICT, f"{to} already exists; move its blocks instead", path=to)
    bench.drafts.rename(path, to, rebased(topic, to))
    return to


def _existing(bench: Bench, path: TopicPath) -> Topic:
    topic = bench.drafts.topic(path)
    if topic is None:
        raise NotFound(Code.PATH_NOT_FOUND, f"there is no file {path}", path=path)
    return topic


def draft_patch(bench: Bench, edit: PatchEdit, staging: StagingArea) -> None:
    """Draft what a patch leaves; raises ``Refused`` when it does not fit, or names what may not be written."""
    sections = [(topic_path(patch.path), patch) for patch in parse_patch(edit.text)]
    named: set[str] = set()
    for path, patch in sections:
        if path in named:
            raise Refused(Code.PATCH_CONFLICT, f"{path} has two sections in the patch; write one", path=path)
        named.add(path)
        data = apply_patch(staging.read(path), patch)
        if data is not None and b"\r\n" in data and b"\r\n" not in (staging.read(path) or b""):
            bench.warnings.append(f"{path}: CRLF line ends are written as LF")
        text = None if data is None else data.decode("utf-8", "surrogateescape").replace("\r\n", "\n")
        bench.drafts.put(path, text)
