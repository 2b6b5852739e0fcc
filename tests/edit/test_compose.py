"""Edits asked for in a few words become operations (cli.md, "Inputs")."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gitmem.edit.compose import merged, moved, remembered, removed
from gitmem.errors import Code, InvalidRequest, NotFound
from gitmem.facts.scan import scan_facts
from gitmem.request import DeleteRecord, FileDelete, FileMove, FilesEdit, MergeRecords, MoveRecords, RecordsEdit
from memory_workspace import block, three_messages

if TYPE_CHECKING:
    from gitmem.request import CreateRecord, NewSource
    from memory_workspace import Workspace


@pytest.fixture
def workspace() -> Workspace:
    text = f"## First\n\n{block('One.', 'a')}\n{block('Two.', 'b', 2).replace(' ^b', ' ^x ^b')}"
    return three_messages({"topics/people/ada.md": text, "topics/z.md": block("Three.", "c", 3)})


def remember(
    workspace: Workspace, *, topic: str = "people/ada.md", heading: str | None = None, **evidence: str
) -> tuple[CreateRecord, tuple[NewSource, ...]]:
    edit, sources = remembered(
        workspace.tree,
        "Ada likes tea.",
        topic=topic,
        heading=heading,
        time="2024",
        quote=evidence.get("quote"),
        source=evidence.get("source"),
        said_at="2024-03-15T10:00:00+01:00",
    )
    (operation,) = edit.operations
    return operation, sources  # type: ignore[return-value]


def test_a_claim_rests_on_its_own_words_on_a_quote_or_on_a_source(workspace: Workspace) -> None:
    operation, (said,) = remember(workspace)
    assert (said.content, said.label) == ("Ada likes tea.", operation.sources[0].source)
    _, (said,) = remember(workspace, quote="Tea, [please]")
    assert said.content == "Tea, [please]"
    operation, sources = remember(workspace, source="p/t/m1")
    assert (operation.sources[0].source, sources) == ("p/t/m1", ())
    with pytest.raises(InvalidRequest):
        remember(workspace, source="p/t/m1", quote="x")


def test_what_is_composed_can_be_applied(workspace: Workspace) -> None:
    operation, sources = remember(workspace, quote="Tea, [please] `now`")
    outcome = workspace.edit(RecordsEdit((operation,)), *sources)
    assert list(outcome.block_ids) == ["topics/people/ada.md#1"]


@pytest.mark.parametrize(
    ("topic", "heading", "headings"),
    [
        ("people/ada.md", None, ("First",)),
        ("topics/people/grace-hopper.md", None, ("Grace hopper",)),
        ("_.md", None, ("_",)),
        ("people/ada.md", "Work > Engines", ("Work", "Engines")),
    ],
)
def test_a_claim_goes_under_a_heading(
    workspace: Workspace, topic: str, heading: str | None, headings: tuple[str, ...]
) -> None:
    assert remember(workspace, topic=topic, heading=heading)[0].destination.headings == headings


def test_empty_titles_are_refused(workspace: Workspace) -> None:
    with pytest.raises(InvalidRequest):
        remember(workspace, heading="Work > ")


def test_files_and_blocks_are_removed(workspace: Workspace) -> None:
    facts, tree = scan_facts(workspace.tree), workspace.tree
    assert removed(facts, tree, ["z.md"]) == FilesEdit((FileDelete("topics/z.md"),))
    assert removed(facts, tree, ["#^a", "x"]) == RecordsEdit((DeleteRecord("a"), DeleteRecord("x")))
    both = removed(facts, tree, ["topics/z.md", "topics/people/ada.md#^b"])
    assert both == RecordsEdit((DeleteRecord("c"), DeleteRecord("x"), DeleteRecord("b")))


def test_files_and_blocks_are_moved(workspace: Workspace) -> None:
    facts, tree = scan_facts(workspace.tree), workspace.tree
    assert moved(facts, tree, ["z.md"], "people", None) == FilesEdit((FileMove("topics/z.md", "topics/people/z.md"),))
    assert moved(facts, tree, ["z.md"], "y.md", None) == FilesEdit((FileMove("topics/z.md", "topics/y.md"),))
    edit = moved(facts, tree, ["b", "a"], "y.md", "Work")
    assert isinstance(edit, RecordsEdit)
    (operation,) = edit.operations
    assert isinstance(operation, MoveRecords)
    assert (operation.memory_ids, operation.destination.headings) == (("x", "b", "a"), ("Work",))


def test_moves_that_mean_two_things_are_refused(workspace: Workspace) -> None:
    facts, tree = scan_facts(workspace.tree), workspace.tree
    for arguments, to, heading in (
        (["z.md", "a"], "y.md", None),
        (["z.md"], "y.md", "Work"),
        (["z.md", "people/ada.md"], "y.md", None),
    ):
        with pytest.raises(InvalidRequest):
            moved(facts, tree, arguments, to, heading)


def test_blocks_are_merged_by_any_of_their_ids(workspace: Workspace) -> None:
    facts = scan_facts(workspace.tree)
    assert merged(facts, "^a", ["x", "c"]) == RecordsEdit((MergeRecords("a", ("b", "c")),))


def test_what_is_not_there_is_not_found(workspace: Workspace) -> None:
    facts, tree = scan_facts(workspace.tree), workspace.tree
    for argument, code in (("no.md", Code.PATH_NOT_FOUND), ("no", Code.MEMORY_NOT_FOUND)):
        with pytest.raises(NotFound) as caught:
            removed(facts, tree, [argument])
        assert caught.value.code is code
