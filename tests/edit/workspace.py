"""A small workspace in memory, edited through the public functions only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.edit.apply import apply_edit
from gitmem.edit.sources import archive_sources, stamp_sources
from gitmem.facts.scan import scan_facts
from gitmem.format.model import Tier
from gitmem.request import Authority, NewSource, NoEdit, Person, Request, Surface
from memory_tree import MemoryTree

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitmem.edit.base import EditOutcome
    from gitmem.ids import SourceId
    from gitmem.request import Edit

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
