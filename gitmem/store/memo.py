"""What was parsed once is not parsed again: a bounded memory of parsed files, by blob id and path."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Generic, TypeVar

from gitmem.format import layout
from gitmem.store.deflate import Deflater

if TYPE_CHECKING:
    from collections.abc import Callable

    from gitmem.format.model import Archive, Topic
    from gitmem.ids import Oid, TopicPath

V = TypeVar("V")

TOPICS_KEPT = 1_000
ARCHIVES_KEPT = 32
"""A parsed file takes a few times its size; a transaction and a page of results touch fewer."""

RECORDS_KEPT = 50_000
"""Of all archives that are kept together, about a kilobyte each."""

LARGE = 64 << 10
"""Bytes from which on reading a blob again costs more than keeping it."""

LARGE_KEPT = 32 << 20
"""Bytes of large blobs that are kept: a batch of a long conversation reads its archive ten times."""

AT_LEAST = 2
"""A file before and after a change is kept whatever it weighs."""


class Recent(Generic[V]):
    """A mapping that forgets what was used longest ago."""

    def __init__(self, limit: int, weigh: Callable[[V], int] = lambda _: 0, weight: int = 0) -> None:
        """Keep at most ``limit`` values, and no more than weigh ``weight`` together, but for the last two."""
        self._limit, self._weigh, self._heaviest = limit, weigh, weight
        self._lock = threading.Lock()
        self._values: OrderedDict[tuple[str, str], V] = OrderedDict()
        self._weight = 0

    def get(self, key: tuple[str, str], make: Callable[[], V]) -> V:
        """The value of the key, made when it is not known."""
        found = self.peek(key)
        return found if found is not None else self.put(key, make())

    def peek(self, key: tuple[str, str]) -> V | None:
        """The value of the key if it is known."""
        with self._lock:
            found = self._values.get(key)
            if found is not None:
                self._values.move_to_end(key)
            return found

    def put(self, key: tuple[str, str], value: V) -> V:
        """Remember the value, forgetting the oldest beyond the limit."""
        with self._lock:
            self._weight += self._weigh(value) - (self._weigh(self._values[key]) if key in self._values else 0)
            self._values[key] = value
            while len(self._values) > (AT_LEAST if self._weight > self._heaviest else self._limit):
                self._weight -= self._weigh(self._values.popitem(last=False)[1])
            return value


class Memo:
    """Parsed topics and archives, derive commits, what was compressed last; shared by all handles on a repository."""

    def __init__(self) -> None:
        """Start without any."""
        self.topics: Recent[Topic] = Recent(TOPICS_KEPT)
        self.archives: Recent[Archive] = Recent(ARCHIVES_KEPT, lambda archive: len(archive.records), RECORDS_KEPT)
        self.large: Recent[bytes] = Recent(ARCHIVES_KEPT, len, LARGE_KEPT)
        self.derive_commits: dict[str, bool] = {}
        self.deflater = Deflater()

    def contents(self, oid: Oid, data: bytes) -> bytes:
        """Remember the bytes of a blob where they are many."""
        return self.large.put((oid, ""), data) if len(data) >= LARGE else data

    def topic(self, path: str, oid: Oid, read: Callable[[], bytes]) -> Topic:
        """The parsed topic of this blob at this path."""
        from gitmem.format.topic import parse_topic  # noqa: PLC0415 - importing the store must not import mistune

        def parse() -> Topic:
            topic_path: TopicPath = path  # type: ignore[assignment]
            return parse_topic(topic_path, read().decode("utf-8", "replace"))

        return self.topics.get((oid, path), parse)

    def archive(self, path: str, oid: Oid, read: Callable[[], bytes], known: Archive | None = None) -> Archive:
        """The scanned archive of this blob at this path; ``known`` is the scan of a byte prefix of it."""

        def scan() -> Archive:
            if layout.is_v2_archive(path):
                from gitmem.format.frame import scan_v2  # noqa: PLC0415 - only when an archive is read

                return scan_v2(path, read(), known=known)
            from gitmem.format.legacy import scan_legacy  # noqa: PLC0415 - only when an archive is read

            return scan_legacy(path, read())

        return self.archives.get((oid, path), scan)
