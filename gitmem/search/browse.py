"""Listing the files of a memory, with how much each holds (``behaviours.md`` 17.12)."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.format import layout
from gitmem.format.text import one_line
from gitmem.ids import TopicPath
from gitmem.search.paths import below, path_prefix

if TYPE_CHECKING:
    from gitmem.memory import Memory

MOST_ENTRIES = 200
"""Files that one answer lists unless more are asked for."""


@dataclass(frozen=True, slots=True)
class BrowseEntry:
    """One file: ``kind`` is topic, core (the master of the core), archive, ledger or view.

    ``title`` is a topic's outermost heading, or made from the file's name. ``blocks`` and ``records`` count what it
    holds.
    """

    path: str
    kind: str
    title: str
    blocks: int
    records: int


@dataclass(frozen=True, slots=True)
class BrowseAnswer:
    """Topics, then archives, then views, by path. ``total`` counts those that were cut off (``truncated``) too."""

    revision: str | None
    fresh: bool
    prefix: str
    total: int
    truncated: bool
    entries: tuple[BrowseEntry, ...]


def browse(memory: Memory, prefix: str = "", *, limit: int = MOST_ENTRIES) -> BrowseAnswer:
    """List topics and archives below a prefix; derived views only where the prefix names them.

    Raises ``Refused`` (``PATH_OUTSIDE_WORKSPACE``).
    """
    wanted = path_prefix(prefix)
    paths = sorted((e.path for e in memory.snapshot.entries() if _is_listed(e.path, wanted)), key=_place)
    return BrowseAnswer(
        revision=memory.revision,
        fresh=memory.fresh,
        prefix=wanted,
        total=len(paths),
        truncated=len(paths) > limit,
        entries=tuple(_entry(memory, path) for path in paths[:limit]),
    )


def _is_listed(path: str, prefix: str) -> bool:
    if not below(path, prefix):
        return False
    return layout.is_topic(path) or layout.is_source(path) or (bool(prefix) and layout.is_derived(path))


def _place(path: str) -> tuple[bool, bool, str]:
    return layout.is_derived(path), layout.is_source(path), path


def _entry(memory: Memory, path: str) -> BrowseEntry:
    held = memory.view.corpus.holdings(path)
    return BrowseEntry(path, _kind(path), _title(memory, path), held.blocks, held.records)


def _kind(path: str) -> str:
    if path == layout.TOPIC_CORE:
        return "core"
    if layout.is_topic(path):
        return "topic"
    if layout.is_derived(path):
        return "view"
    return "ledger" if path in {layout.PROMOTIONS, layout.FORGOTTEN} else "archive"


def _title(memory: Memory, path: str) -> str:
    names = layout.v2_names(path) or layout.legacy_names(path)
    if names is not None:
        return "/".join(names)
    if not layout.is_topic(path):
        return posixpath.basename(path)
    claims = memory.facts.of_topic(TopicPath(path))
    if claims and claims[0].headings:
        return one_line(claims[0].headings[0])
    stem = posixpath.basename(path).removesuffix(".md")
    return " ".join(stem.replace("-", " ").replace("_", " ").split()).capitalize() or stem
