"""A small workspace in memory, edited through the public functions only."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gitmem.authority import Authority
from gitmem.edit.apply import apply_edit
from gitmem.edit.sources import archive_sources, stamp_sources
from gitmem.errors import GitmemError
from gitmem.facts.scan import scan_facts
from gitmem.format.evidence import evidence_id
from gitmem.format.layout import anchor
from gitmem.format.model import Tier
from gitmem.ids import BlockId, TopicPath
from gitmem.request import (
    CreateRecord,
    Destination,
    FilesEdit,
    FileWrite,
    MoveRecords,
    NewSource,
    NoEdit,
    Person,
    Position,
    RecordsEdit,
    Request,
    SourceRef,
    Surface,
    UpdateRecord,
)
from memory_tree import MemoryTree

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitmem.edit.base import EditOutcome
    from gitmem.ids import SourceId
    from gitmem.request import Edit, RecordOperation

OWNER = Authority(tier=Tier.OWNER, principal_id="owner")


def request(edit: Edit, *sources: NewSource, provenance: str | None = "test") -> Request:
    return Request(
        edit=edit,
        authority=OWNER,
        surface=Surface.TOOL,
        author=Person("Test", "test@example.invalid"),
        sources=stamp_sources(sources, OWNER),
        provenance=provenance,
    )


class Workspace:
    """Files, and edits of them; a refused edit leaves the files alone."""

    def __init__(self, files: Mapping[str, str | bytes] | None = None) -> None:
        self.tree = MemoryTree(files)
        self.known: dict[str, int] = {}

    def archive(self, *handles: str, content: str = "said") -> None:
        sources = [NewSource(content=f"{content} {h}", role="user", handle=h, timestamp="2024-03-15") for h in handles]
        self.edit(NoEdit(), *sources)

    def edit(self, edit: Edit, *sources: NewSource) -> EditOutcome:
        staging = self.tree.copy()
        facts = scan_facts(self.tree)
        asked = request(edit, *sources)
        archived: dict[str, SourceId] = archive_sources(asked, staging, facts)
        outcome = apply_edit(asked, staging, facts, archived)
        self.tree = staging
        return outcome

    def text(self, path: str) -> str:
        return self.tree.text(path)

    def refused(self, edit: Edit, *sources: NewSource) -> GitmemError:
        before = dict(self.tree.files)
        with pytest.raises(GitmemError) as caught:
            self.edit(edit, *sources)
        assert self.tree.files == before
        return caught.value


def records(*operations: RecordOperation) -> RecordsEdit:
    return RecordsEdit(operations)


def write(path: str, content: str) -> FilesEdit:
    return FilesEdit((FileWrite(TopicPath(path), content),))


def create(
    content: str, path: str = "topics/a.md", *headings: str, source: str = "p/t/m1", time: str | None = "2024"
) -> CreateRecord:
    return CreateRecord(content, time, (SourceRef(source, source),), Destination(TopicPath(path), headings or ("A",)))


def update(block_id: str, content: str, source: str = "p/t/m1", time: str | None = "2024") -> UpdateRecord:
    return UpdateRecord(BlockId(block_id), content, time, (SourceRef(source, source),))


def into(path: str, *headings: str, position: str = "end", beside: str | None = None) -> Destination:
    return Destination(TopicPath(path), headings, Position(position), None if beside is None else BlockId(beside))


def move(destination: Destination, *ids: str) -> MoveRecords:
    return MoveRecords(tuple(BlockId(block_id) for block_id in ids), destination)


def link(number: int, folder: str = "..") -> str:
    """The link of a topic, directly below topics/, to the message p/t/m<number>."""
    handle = f"p/t/m{number}"
    return f"[{handle}]({folder}/sources/p/_v2/t.md#{anchor(handle)})"


def defined(number: int, when: str = "2024", folder: str = "..") -> tuple[str, str]:
    """The evidence id and the definition line of one message."""
    name = evidence_id(when, [f"p/t/m{number}"])
    return name, f"[^{name}]: Time: `{when}`; Sources: {link(number, folder)}\n"


def block(content: str, block_id: str, number: int = 1, folder: str = "..") -> str:
    """A paragraph and its footnote, as they stand in a topic directly below topics/."""
    name, line = defined(number, folder=folder)
    return f"{content}[^{name}] ^{block_id}\n\n{line}"


def three_messages(files: Mapping[str, str | bytes] | None = None) -> Workspace:
    workspace = Workspace(files)
    workspace.archive("p/t/m1", "p/t/m2", "p/t/m3")
    return workspace
