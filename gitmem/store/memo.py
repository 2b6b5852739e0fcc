"""What was parsed once is not parsed again: a bounded memory of parsed files, by blob id and path."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Generic, TypeVar

from gitmem.format import layout

if TYPE_CHECKING:
    from collections.abc import Callable

    from gitmem.format.model import Archive, Topic
    from gitmem.ids import Oid, TopicPath

V = TypeVar("V")

TOPICS_KEPT = 1_000
ARCHIVES_KEPT = 32
"""A parsed file takes a few times its size; a transaction and a page of results touch fewer."""


class Recent(Generic[V]):
    """A mapping that forgets what was used longest ago."""

    def __init__(self, limit: int) -> None:
        """Keep at most ``limit`` values."""
        self._limit = limit
        self._lock = threading.Lock()
        self._values: OrderedDict[tuple[str, str], V] = OrderedDict()

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
            self._values[key] = value
            while len(self._values) > self._limit:
                self._values.popitem(last=False)
            return value


class Memo:
    """Parsed topics and archives, and which commits are derive commits; shared by every handle on one repository."""

    def __init__(self) -> None:
        """Start without any."""
        self.topics: Recent[Topic] = Recent(TOPICS_KEPT)
        self.archives: Recent[Archive] = Recent(ARCHIVES_KEPT)
        self.derive_commits: dict[str, bool] = {}

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
