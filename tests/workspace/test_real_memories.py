"""OpenProgram's own topics and archives, taken over as they are: parsed, cited, read and searched."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gitmem.format.layout import is_topic, is_v2_archive
from gitmem.ids import TopicPath
from workspaces import make

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from gitmem.format.model import Claim
    from gitmem.workspace import Workspace


@pytest.fixture(scope="module")
def topics(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """Topics that cite archives of the oldest kind."""
    given = shared_data / "openprogram" / "topics_legacy_sources"
    workspace = make(tmp_path_factory.mktemp("topics") / "w", adopt=given)
    yield workspace
    workspace.close()


@pytest.fixture(scope="module")
def archive(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """Archives of version 2."""
    workspace = make(tmp_path_factory.mktemp("archive") / "w", adopt=shared_data / "openprogram" / "v2_archive")
    yield workspace
    workspace.close()


def claims(workspace: Workspace) -> list[Claim]:
    memory = workspace.memory()
    paths = [entry.path for entry in memory.snapshot.entries("topics") if is_topic(entry.path)]
    return [claim for path in paths for claim in memory.facts.of_topic(TopicPath(path))]


def test_every_claim_is_held_and_every_citation_resolves(topics: Workspace) -> None:
    held = claims(topics)
    facts = topics.memory().facts
    assert len(held) == topics.status().topics.blocks == 184
    links = [link for claim in held for evidence in claim.evidence for link in evidence.sources]
    assert links
    assert all(link.resolved is not None and facts.record(link.resolved) is not None for link in links)


def test_every_claim_and_every_message_it_cites_can_be_read(topics: Workspace) -> None:
    for claim in claims(topics)[::9]:
        read = topics.get(claim.id)
        assert claim.content in read.content
        assert read.blocks[0].trust_state == "trusted"
        for ref in read.blocks[0].refs:
            assert topics.get(ref).kind == "source"


def test_every_claim_is_found_by_what_it_says(topics: Workspace) -> None:
    missed = [c.id for c in claims(topics)[::5] if c.id not in {h.id for h in topics.search(c.content).results[:3]}]
    assert missed == []


def test_every_message_is_found_by_what_it_says(archive: Workspace) -> None:
    memory = archive.memory()
    paths = [entry.path for entry in memory.snapshot.entries("sources") if is_v2_archive(entry.path)]
    archives = [memory.snapshot.archive(path) for path in paths]
    records = [record for found in archives if found is not None for record in found.records]
    assert len(records) == archive.status().sources.records == 1451
    assert len(paths) == 70
    for record in records[::97]:
        read = archive.get(record.handle)
        assert (read.path, read.line) == (record.path, record.line)
        body = read.content.partition(": ")[2]
        assert record.handle in {hit.id for hit in archive.search(body, k=20).results}


@pytest.mark.parametrize("which", ["topics", "archive"])
def test_what_was_taken_over_passes_every_check(which: str, request: pytest.FixtureRequest) -> None:
    workspace: Workspace = request.getfixturevalue(which)
    assert workspace.check().findings == ()
    assert workspace.check(all_history=True).findings == ()


def test_a_line_of_an_old_archive_is_found_where_it_stands(topics: Workspace, shared_data: Path) -> None:
    (found,) = topics.grep("I went to a LGBTQ support group yesterday").results
    lines = (shared_data / "openprogram" / "topics_legacy_sources" / found.path).read_text("utf-8").split("\n")
    assert lines[found.line - 1] == found.text
