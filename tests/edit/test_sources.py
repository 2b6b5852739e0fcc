"""New evidence becomes frames (behaviours.md part 7, 8.10-8.13, 0.22)."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import pytest

from gitmem.authority import Authority
from gitmem.edit.sources import archive_sources, stamp_sources
from gitmem.errors import Code, GitmemError, InvalidRequest, NotAllowed
from gitmem.facts.scan import scan_facts
from gitmem.format.model import Tier, TrustState
from gitmem.request import NewSource, NoEdit
from memory_tree import MemoryTree
from memory_workspace import OWNER, Workspace, request

SAID = NewSource(content="hello\r\nyou ", role="user", label="new-source-a", timestamp="2024-03-15T10:00:00+01:00")


def archived(tree: MemoryTree, *sources: NewSource, provenance: str | None = "test") -> dict[str, str]:
    asked = replace(request(NoEdit(), provenance=provenance), sources=sources)
    return dict(archive_sources(asked, tree, scan_facts(tree)))


def handle_of(source: NewSource, provenance: str = "test") -> str:
    return archived(MemoryTree(), *stamp_sources([source], OWNER), provenance=provenance)["new-source-a"]


def refusal(tree: MemoryTree, *sources: NewSource, provenance: str | None = "test") -> GitmemError:
    before = dict(tree.files)
    with pytest.raises(GitmemError) as caught:
        archived(tree, *sources, provenance=provenance)
    assert tree.files == before
    return caught.value


def test_a_message_becomes_a_frame_with_its_authority() -> None:
    # behaviours.md 7.2, 7.16, 0.22
    workspace = Workspace()
    outcome = workspace.edit(NoEdit(), SAID)
    assert outcome.touched == ()
    archive = workspace.tree.archive("sources/gitmem/_v2/test.md")
    assert archive is not None
    (record,) = archive.records
    assert (archive.defect, record.timestamp) == (None, "2024-03-15T10:00:00+01:00")
    assert workspace.tree.files[archive.path][record.body_start : record.body_end] == b"hello\r\nyou "
    assert record.metadata is not None
    assert (record.metadata.trust_state, record.metadata.authority_tier) == (TrustState.TRUSTED, Tier.OWNER)


def test_a_retry_archives_nothing_new() -> None:
    # behaviours.md 7.8, 7.16
    workspace = Workspace()
    workspace.edit(NoEdit(), SAID)
    before = dict(workspace.tree.files)
    workspace.edit(NoEdit(), SAID)
    assert workspace.tree.files == before


@pytest.mark.parametrize(
    "other",
    [
        replace(SAID, content="hello"),
        replace(SAID, role="assistant"),
        replace(SAID, timestamp=None),
        replace(SAID, speaker_id="7"),
        replace(SAID, trust_state=TrustState.TRUSTED, principal_id="other", speaker_kind="human", tier=Tier.OWNER),
        replace(SAID, trust_state=TrustState.TRUSTED, principal_id="owner", speaker_kind="human", tier=Tier.PAIRED),
    ],
)
def test_another_message_or_authority_gives_another_handle(other: NewSource) -> None:
    # behaviours.md 7.16
    assert handle_of(SAID) != handle_of(other)


def test_the_display_name_is_no_part_of_the_handle_and_the_origin_is() -> None:
    # behaviours.md 7.16
    assert handle_of(SAID) == handle_of(replace(SAID, speaker_display="Ada"))
    assert handle_of(SAID) != handle_of(SAID, "elsewhere")
    assert handle_of(SAID, "openprogram/sess 7").startswith("gitmem/openprogram-sess-7/")


def test_equal_messages_of_one_request_are_told_apart() -> None:
    twice = stamp_sources([SAID, replace(SAID, label="new-source-b")], OWNER)
    labels = archived(MemoryTree(), *twice)
    assert labels["new-source-a"] != labels["new-source-b"]


def test_a_given_handle_is_kept_and_archived_once() -> None:
    # behaviours.md 7.8
    tree = MemoryTree()
    source = replace(SAID, handle="p/t/m", label=None)
    assert archived(tree, *stamp_sources([source, source], OWNER)) == {}
    archive = tree.archive("sources/p/_v2/t.md")
    assert archive is not None
    assert [record.handle for record in archive.records] == ["p/t/m"]


def test_pending_callers_archive_pending_sources() -> None:
    # behaviours.md 8.18
    (source,) = stamp_sources([SAID], Authority(tier=None, principal_id="guest"))
    assert (source.trust_state, source.tier, source.principal_id) == (TrustState.PENDING, None, "guest")
    assert stamp_sources([source], OWNER) == (source,)


@pytest.mark.parametrize(
    "source",
    [
        SAID,
        replace(SAID, principal_id="owner", speaker_kind="human"),
        replace(SAID, trust_state=TrustState.TRUSTED, speaker_kind="human"),
        replace(SAID, trust_state=TrustState.TRUSTED, principal_id="owner"),
        replace(SAID, handle="p/t/m"),
    ],
)
def test_incomplete_authority_fails_closed(source: NewSource) -> None:
    # behaviours.md 8.10, 8.12, 8.13
    tree = MemoryTree()
    assert isinstance(refusal(tree, source), NotAllowed)
    assert tree.files == {}


def test_an_empty_origin_fails_closed() -> None:
    # behaviours.md 8.10
    assert isinstance(refusal(MemoryTree(), *stamp_sources([SAID], OWNER), provenance=None), NotAllowed)


@pytest.mark.parametrize(("forgotten", "code"), [("p/t/other", None), ("p/t/m", Code.FORGOTTEN_SOURCE)])
def test_forgotten_handles_do_not_come_back(forgotten: str, code: Code | None) -> None:
    digest = hashlib.sha256(forgotten.encode()).hexdigest()
    line = f'{{"at":"2026-08-10T12:00:00+00:00","handle_sha256":"{digest}"}}\n'
    tree = MemoryTree({"sources/forgotten.jsonl": line})
    sources = stamp_sources([replace(SAID, handle="p/t/m")], OWNER)
    if code is None:
        assert archived(tree, *sources) == {"new-source-a": "p/t/m"}
    else:
        assert refusal(tree, *sources).code is code


def test_an_invalid_archive_is_never_appended_to() -> None:
    # behaviours.md 7.4
    workspace = Workspace()
    workspace.archive("p/t/m1", "p/u/m1")
    path = "sources/p/_v2/t.md"
    workspace.tree.files[path] = workspace.tree.files[path][:-4]
    both = [replace(SAID, handle=handle, label=None) for handle in ("p/u/m2", "p/t/m2")]
    error = refusal(workspace.tree, *stamp_sources(both, OWNER))
    assert error.code is Code.COMMIT_REJECTED


@pytest.mark.parametrize("twin", ["p/T/m", "P/t/m", "p/caf\u00e9/m"])
def test_names_that_no_file_system_keeps_apart_are_refused(twin: str) -> None:
    # behaviours.md 7.11
    workspace = Workspace()
    workspace.archive("p/t/m1", "p/cafe\u0301/m1")
    (source,) = stamp_sources([replace(SAID, handle=twin, label=None)], OWNER)
    assert refusal(workspace.tree, source).code is Code.COMMIT_REJECTED


def test_twins_inside_one_batch_are_refused() -> None:
    # behaviours.md 7.11, 7.12
    twins = [replace(SAID, handle=handle, label=None) for handle in ("p/t/m", "p/T/m")]
    assert refusal(MemoryTree(), *stamp_sources(twins, OWNER)).code is Code.COMMIT_REJECTED


@pytest.mark.parametrize("handle", ["p/t", "../t/m", "p/../m", "p/t/m]", "p/t/\x07"])
def test_unsafe_handles_are_refused(handle: str) -> None:
    # behaviours.md 7.9, 7.10
    error = refusal(MemoryTree(), *stamp_sources([replace(SAID, handle=handle)], OWNER))
    assert isinstance(error, InvalidRequest)
