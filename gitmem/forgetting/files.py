"""File versions, each by its path and blob id: what of them is erased, and their bytes without it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gitmem.forgetting.archives import without_frames, without_promotions
from gitmem.forgetting.finder import Needle, text_needles
from gitmem.forgetting.topics import clean_topic, without_links
from gitmem.forgetting.views import clean_recent, clean_relations, clean_timeline
from gitmem.format.layout import (
    CORE,
    CORE_SHARED,
    PROMOTIONS,
    RECENT,
    RELATIONS,
    TIMELINE,
    is_legacy_archive,
    is_topic,
    is_v2_archive,
)
from gitmem.ids import BlockId, Oid, TopicPath

if TYPE_CHECKING:
    from gitmem.forgetting.erased import Erased
    from gitmem.forgetting.topics import ClaimCut
    from gitmem.format.model import Claim, Record

Version = tuple[str, Oid]
"""A path and the blob that stands there."""

_BLOCK_LINK = re.compile(rb"#\^([A-Za-z0-9_-]+)\)")
_ESCAPE = "surrogateescape"
_FEW = 100
"""So many names are looked for one by one."""


class Files:
    """What is known of every file version that was looked at.

    ``marked`` change wherever they stand; ``links`` are the blocks that a version links to, after whose end it changes
    too. ``gone`` are the blocks that a version loses. ``cuts`` are the claims that change, by id and by what they said.
    ``records`` are the erased frames, by handle; ``needles`` what may not be found any more.
    """

    def __init__(self, erased: Erased) -> None:
        """Know nothing yet."""
        self.erased = erased
        self.marked: set[Version] = set()
        self.links: dict[Version, frozenset[BlockId]] = {}
        self.gone: dict[Version, frozenset[BlockId]] = {}
        self.cuts: dict[tuple[str, str], ClaimCut] = {}
        self.records: dict[str, Record] = {}
        self.needles: set[Needle] = set()
        self.too_short = 0
        self.suspects: set[BlockId] = set()
        self.claims: dict[tuple[str, str], Claim] = {}

    def look(self, path: str, oid: Oid, data: bytes) -> None:
        """Find out what of a version is erased; each version once."""
        version = (path, oid)
        if is_topic(path) or path in {CORE, CORE_SHARED}:
            self._look_at_topic(version, data)
        elif path.startswith(f"{TIMELINE}/"):
            shown = {BlockId(name.decode()) for name in _BLOCK_LINK.findall(data)}
            if self.erased.may_be_linked(data) or not self.suspects.isdisjoint(shown):
                self.marked.add(version)
        elif is_v2_archive(path) or is_legacy_archive(path):
            self._look_at_archive(version, data)
        elif path == PROMOTIONS and without_promotions(data, self.erased) != data:
            self.marked.add(version)

    def rewritten(self, path: str, data: bytes, dead: frozenset[BlockId]) -> bytes | None:
        """The bytes without what is erased; ``dead`` are the blocks that do not stand any more in the same tree.

        ``None``: the file goes. Also for text that no commit holds, such as a file that somebody is editing.
        """
        if is_v2_archive(path) or is_legacy_archive(path):
            return without_frames(path, data, self.erased).data
        if path == PROMOTIONS:
            return without_promotions(data, self.erased)
        if not self._may_name(path, data, dead):
            return data
        text = data.decode("utf-8", _ESCAPE)
        left = self._without(path, text, dead)
        return data if left == text else None if left is None else left.encode("utf-8", _ESCAPE)

    def _may_name(self, path: str, data: bytes, dead: frozenset[BlockId]) -> bool:
        """Whether a text may name something erased: looked at for a few names, taken for granted where there are many.

        Recent rows name messages by their handles, and claims that say something else now.
        """
        if path != RECENT:
            return self.erased.may_be_linked(data) or any(block.encode() in data for block in dead)
        names = {*dead, *self.records, *(block for block, _ in self.claims)}
        return (
            len(names) > _FEW or len(self.records) < len(self.erased.digests) or any(n.encode() in data for n in names)
        )

    def _without(self, path: str, text: str, dead: frozenset[BlockId]) -> str | None:
        if is_topic(path) or path in {CORE, CORE_SHARED}:
            clean = clean_topic(TopicPath(path), text, self.erased)
            return clean.text if clean.text is None or not dead else without_links(TopicPath(path), clean.text, dead)
        if path.startswith(f"{TIMELINE}/"):
            return clean_timeline(path, text, self.erased, dead)
        if path == RECENT:
            return clean_recent(text, self.erased, dead, self.claims)
        return clean_relations(text, dead) if path == RELATIONS else text

    def _look_at_topic(self, version: Version, data: bytes) -> None:
        linked = frozenset(BlockId(name.decode()) for name in _BLOCK_LINK.findall(data))
        if linked:
            self.links[version] = linked
        if not self.erased.may_be_linked(data):
            return
        text = data.decode("utf-8", _ESCAPE)
        clean = clean_topic(TopicPath(version[0]), text, self.erased)
        if clean.text == text:
            return
        self.marked.add(version)
        if is_topic(version[0]):
            self.gone[version] = clean.gone
            self.suspects |= clean.gone
            for cut in clean.cuts:
                self._cut(cut)

    def _cut(self, cut: ClaimCut) -> None:
        key = (cut.before.id, cut.before.content)
        self.cuts[key] = cut
        if cut.after is not None and cut.after.content != cut.before.content:
            self.claims[key] = cut.after

    def _look_at_archive(self, version: Version, data: bytes) -> None:
        gone = without_frames(version[0], data, self.erased).gone
        if gone:
            self.marked.add(version)
        for record in gone:
            if record.handle not in self.records:
                self.records[record.handle] = record
                self.needle(record.handle, data[record.body_start : record.body_end].decode("utf-8", "replace"))
                self.needles.add(Needle("anchor", record.target.encode()))

    def needle(self, handle: str, body: str) -> None:
        """Look for a message's handle and words from now on."""
        words = set(text_needles("text", body))
        self.too_short += not words
        self.needles |= words
        self.needles.add(Needle("handle", handle.encode()))
