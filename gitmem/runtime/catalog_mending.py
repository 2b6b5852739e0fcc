"""The catalogue, compared with what the files say (``cli.md``, ``doctor``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.facts.contribution import contributes
from gitmem.facts.scan import scan_facts
from gitmem.format.layout import is_source, is_topic
from gitmem.ids import TopicPath
from gitmem.runtime.actions import ActionAnswer
from gitmem.store.snapshot import Snapshot

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.catalog.catalog import Catalog
    from gitmem.format.model import Record
    from gitmem.ids import Oid
    from gitmem.store.repository import Repo

_FILE = "index.sqlite"


def mend_catalog(repo: Repo, catalog: Catalog, tip: Oid) -> Iterator[ActionAnswer]:
    """Bring the catalogue to the tip, and build it anew where it does not hold what a scan of the files finds.

    Reads everything. Raises ``Unavailable`` when it cannot be brought there.
    """
    stood = catalog.stands
    catalog.refresh(tip)
    if catalog.was_damaged:
        yield ActionAnswer("rebuilt", _FILE, "it was damaged")
    elif not stood:
        yield ActionAnswer("built", _FILE, "there was none")
    snapshot = Snapshot.at(repo, tip)
    if not (catalog.is_sound() and _holds(catalog, snapshot)):
        catalog.rebuild(tip)
        yield ActionAnswer("rebuilt", _FILE, "it did not hold what the memory holds")


def _holds(catalog: Catalog, snapshot: Snapshot) -> bool:
    """Whether every claim, link and archived message is in it as the files have it, and nothing else is counted."""
    scanned, held, facts = scan_facts(snapshot), catalog.statistics(), catalog.facts()
    paths = [entry.path for entry in snapshot.entries() if contributes(entry.path)]
    topics = [TopicPath(path) for path in paths if is_topic(path)]
    archives = [path for path in paths if is_source(path) and path.endswith(".md")]
    blocks = sum(1 for _ in scanned.all_claims())
    if (held.topics, held.blocks, held.archives) != (len(topics), blocks, len(archives)):
        return False
    handles = {record.handle for path in archives for record in _records(snapshot, path)}
    return (
        all(facts.of_topic(path) == scanned.of_topic(path) for path in topics)
        and set(facts.links()) == set(scanned.links())
        and all(facts.sources(handle) == scanned.sources(handle) for handle in handles)
    )


def _records(snapshot: Snapshot, path: str) -> tuple[Record, ...]:
    archive = snapshot.archive(path)
    return () if archive is None else archive.records
