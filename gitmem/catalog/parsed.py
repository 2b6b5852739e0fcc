"""What a walk through history parsed last: consecutive commits change the same files again and again."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Generic, TypeVar

from gitmem.catalog.manifest import read_topic
from gitmem.format.frame import scan_v2
from gitmem.format.layout import is_v2_archive
from gitmem.format.legacy import scan_legacy

if TYPE_CHECKING:
    from gitmem.facts.contribution import Contribution
    from gitmem.format.model import Archive
    from gitmem.store.tree import Entry, Tree

V = TypeVar("V")

TOPICS_HELD = 256
ARCHIVES_HELD = 8


class _Latest(Generic[V]):
    """The values used last."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._values: OrderedDict[str, V] = OrderedDict()

    def get(self, key: str) -> V | None:
        found = self._values.get(key)
        if found is not None:
            self._values.move_to_end(key)
        return found

    def put(self, key: str, value: V) -> None:
        self._values[key] = value
        while len(self._values) > self._limit:
            self._values.popitem(last=False)


class Parsed:
    """Topics and archives at commits, parsed once while they stay in use; an archive that grew is scanned on."""

    def __init__(self, *, shared: bool) -> None:
        """``shared`` uses what the repository's handle remembers, which a walk through many files would overfill."""
        self._shared = shared
        self._topics: _Latest[Contribution] = _Latest(TOPICS_HELD)
        self._archives: _Latest[tuple[str, bytes, Archive]] = _Latest(ARCHIVES_HELD)

    def topic(self, tree: Tree, entry: Entry, *, shared: bool) -> Contribution:
        """What a topic says; ``shared`` as for all, for this one."""
        name = f"{entry.oid} {entry.path}"
        found = self._topics.get(name)
        if found is None:
            found = read_topic(tree, entry.path, remember=shared and self._shared)
            self._topics.put(name, found)
        return found

    def archive(self, tree: Tree, entry: Entry) -> Archive:
        """The scanned archive."""
        known = self._archives.get(entry.path)
        if known is not None and known[0] == entry.oid:
            return known[2]
        data = tree.read(entry.path) or b""
        archive = _scan(entry.path, data, known)
        self._archives.put(entry.path, (entry.oid, data, archive))
        return archive


def _scan(path: str, data: bytes, known: tuple[str, bytes, Archive] | None) -> Archive:
    if not is_v2_archive(path):
        return scan_legacy(path, data)
    if known is not None:
        _, before, archive = known
        if archive.records and data.startswith(before[: archive.valid_length]):
            return scan_v2(path, data, known=archive)
    return scan_v2(path, data)
