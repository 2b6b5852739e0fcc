"""Over random histories: restore is exact, undo brings back, and every claim leads to its words (cli.md, "History")."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.errors import Code, Refused
from gitmem.format.topic import claims_of
from gitmem.ids import Oid
from gitmem.store.snapshot import Snapshot
from stories import change, claim, topics, write
from untouched import byte_identical
from workspaces import make

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitmem.format.model import Claim
    from gitmem.workspace import Workspace

FILES = ("people/ada.md", "people/bob.md", "music.md")
HEADINGS = (None, "Facts", "Facts > Old")

few = settings(max_examples=settings.default.max_examples // 10)  # each example is a dozen transactions or more


def claims(workspace: Workspace) -> Mapping[str, Claim]:
    return claims_at(workspace.memory().snapshot)


def claims_at(snapshot: Snapshot) -> Mapping[str, Claim]:
    parsed = (snapshot.topic(entry.path) for entry in snapshot.entries("topics"))
    return {found.id: found for topic in parsed if topic is not None for found in claims_of(topic)}


Step = tuple[int, int, int]
"""What to do and with what, as numbers: ids differ from run to run, so a step may not be drawn from them."""


def act(workspace: Workspace, number: int, step: Step) -> None:
    """One transaction of any kind."""
    kind, one, other = step
    standing = list(claims(workspace).values())
    kinds = ["add", "add", "undo", "back"]
    kinds += ["change", "remove", "move", "drop"] if standing else []
    kinds += ["merge"] if len(standing) > 1 else []
    block = standing[one % len(standing)] if standing else None
    topic, heading = FILES[one % len(FILES)], HEADINGS[other % len(HEADINGS)]
    match kinds[kind % len(kinds)]:
        case "undo":
            workspace.undo()
        case "back":
            told = workspace.log(limit=100).transactions
            workspace.restore(told[one % len(told)].revision)
        case "change" if block is not None:
            change(workspace, block.id, f"Changed {number}.")
        case "remove" if block is not None:
            workspace.remove([block.id])
        case "move" if block is not None:
            workspace.move([block.id], FILES[other % len(FILES)], heading=heading or "Facts")
        case "drop" if block is not None:
            write(workspace, block.path, None)
        case "merge" if block is not None:
            workspace.merge_blocks(block.id, [standing[(one + 1 + other % (len(standing) - 1)) % len(standing)].id])
        case _:
            claim(workspace, f"Claim {number}.", topic, heading=heading)


def played(steps: list[Step]) -> Workspace:
    workspace = make(Path(tempfile.mkdtemp()) / "workspace")
    for number, step in enumerate(steps):
        act(workspace, number, step)
    return workspace


def histories() -> st.SearchStrategy[Workspace]:
    numbers = st.integers(0, 59)
    return st.lists(st.tuples(numbers, numbers, numbers), min_size=3, max_size=7).map(played)


@few
@given(histories())
def test_every_revision_is_restored_exactly_and_every_restore_undone(workspace: Workspace) -> None:
    archived = workspace.memory().snapshot.node("sources")
    for told in workspace.log(limit=100).transactions:
        before = topics(workspace)
        answer = workspace.restore(told.revision)
        assert topics(workspace) == topics(workspace, told.revision)
        assert workspace.memory().snapshot.node("sources") == archived
        if answer.memory_committed:
            workspace.undo(answer.revision)
        assert topics(workspace) == before


@few
@given(histories())
def test_an_undo_takes_back_its_own_claims_and_no_others_or_names_a_conflict(workspace: Workspace) -> None:
    for told in workspace.log(limit=100).transactions[:-1]:
        before = claims(workspace)
        try:
            answer = workspace.undo(told.revision, dry_run=True)
        except Refused:
            require_conflict(workspace, told.revision)
            continue
        assert answer.dry_run
        if not workspace.undo(told.revision).memory_committed:
            continue
        after, then = claims(workspace), Snapshot.at(workspace.repo, Oid(told.parents[0]))
        touched, was = touched_by(workspace, told.revision), claims_at(then)
        for block in {*before, *after, *touched}:
            assert says(after.get(block)) == says((was if block in touched else before).get(block))
        workspace.undo()
        assert {block: says(found) for block, found in claims(workspace).items()} == {
            block: says(found) for block, found in before.items()
        }


def require_conflict(workspace: Workspace, of: str) -> None:
    """A refused undo names what is in its way and changes nothing."""
    with byte_identical(workspace.repo.path), pytest.raises(Refused) as caught:
        workspace.undo(of)
    assert caught.value.code is Code.UNDO_CONFLICT
    assert caught.value.findings


def touched_by(workspace: Workspace, revision: str) -> set[str]:
    told = workspace.show(revision).claims
    found = {block.id for block in (*told.added, *told.removed)}
    return found | {one.id for kind in (told.changed, told.moved, told.merged) for one in kind}


def says(found: Claim | None) -> object:
    """What a claim is, wherever in its file it stands."""
    return found and (found.path, found.content, found.evidence, found.headings, found.aliases)


@few
@given(histories())
def test_every_claim_leads_to_its_words_and_its_history_ends_in_it(workspace: Workspace) -> None:
    for block, found in claims(workspace).items():
        (explained,) = workspace.why(block).results
        assert explained.written_by is not None
        sources = [source for evidence in explained.evidence for source in evidence.sources]
        assert sources
        for source in sources:
            assert source.archived_by is not None
            assert source.text is not None
            snapshot = Snapshot.at(workspace.repo, Oid(source.archived_by))
            before = Snapshot.at(workspace.repo, Oid(workspace.resolve(f"{source.archived_by}^")))
            assert source.text.encode() in (snapshot.read(source.path or "") or b"")
            assert snapshot.read(source.path or "") != before.read(source.path or "")
        answer = workspace.history(block)
        assert (answer.present, answer.versions[-1].content, answer.versions[-1].path) == (
            True,
            found.content,
            found.path,
        )
        (blamed,) = workspace.blame(block).claims
        assert blamed.by is not None
        assert blamed.by.revision == (explained.changed_by or (explained.written_by,))[-1]
        assert {version.revision for version in answer.versions} >= {explained.written_by, *explained.changed_by}
        touching = {told.revision for told in workspace.log(block, limit=100).transactions}
        assert touching == {version.revision for version in answer.versions}
