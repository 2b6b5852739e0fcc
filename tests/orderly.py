"""Topics to be put in order, and what a pass over them must keep."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from gitmem.checks import gate
from gitmem.checks.base import Candidate
from gitmem.edit.apply import apply_edit
from gitmem.edit.evidence import meaning_of
from gitmem.errors import Severity
from gitmem.facts.scan import scan_facts
from gitmem.format.claim import without_files
from gitmem.format.layout import is_topic
from gitmem.format.model import SUBSTANTIVE
from gitmem.request import FilesEdit, NoEdit
from gitmem.tokens import fits
from gitmem.views.base import ViewSettings
from gitmem.writer.organize import tidied
from gitmem.writer.organize_base import Survey
from gitmem.writer.splitting_plan import Sizes
from memory_workspace import Workspace, request

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from gitmem.format.model import Topic
    from memory_tree import MemoryTree

SMALL = Sizes(largest=2_400, room=2_000, kept=1_200)
"""Limits of a tenth, so that examples stay small."""


def archived(files: Mapping[str, str], messages: int = 12) -> MemoryTree:
    """A memory with the messages ``p/t/m1``, ``p/t/m2``…, one a month from 2024-01 on."""
    workspace = Workspace(files)
    workspace.archive(*(f"p/t/m{number}" for number in range(1, messages + 1)))
    return workspace.tree


def survey(tree: MemoryTree, core_tokens: int = 2_000) -> Survey:
    return Survey(tree, scan_facts(tree), ViewSettings(core_tokens, 50, fits))


def passed(tree: MemoryTree, sizes: Sizes = SMALL, core_tokens: int = 2_000) -> MemoryTree:
    """The memory after one pass, as its transaction would leave it: applied, normalized, checked."""
    edit = tidied(survey(tree, core_tokens), sizes=sizes).changes()
    if isinstance(edit, NoEdit):
        return tree
    return installed(tree, edit)


def installed(tree: MemoryTree, edit: FilesEdit) -> MemoryTree:
    """The memory after an edit that cites nothing new and passes the checks."""
    staging, facts = tree.copy(), scan_facts(tree)
    asked = request(edit)
    apply_edit(asked, staging, facts, {})
    candidate = Candidate(tree, staging, staging.changes(tree), facts, scan_facts(staging), request=asked)
    errors = [finding for finding in gate.check(candidate) if finding.severity is Severity.ERROR]
    assert not errors, errors
    return staging


def topics(tree: MemoryTree) -> Iterator[Topic]:
    for path in tree.files:
        topic = tree.topic(path) if is_topic(path) else None
        if topic is not None:
            yield topic


def ids(tree: MemoryTree) -> Counter[str]:
    return Counter(name for topic in topics(tree) for block in topic.blocks for name in block.ids)


def said(tree: MemoryTree) -> dict[str, object]:
    """What each block says, wherever it stands: prose, headings, clauses with what they rest on, linked blocks."""
    found: dict[str, object] = {}
    for topic in topics(tree):
        notes = {note.id: meaning_of(note) for note in reversed(topic.definitions)}
        for block in topic.blocks:
            evidence = tuple((c.id, without_files(c.clause), notes.get(c.id)) for c in block.citations)
            links = tuple((link.text, link.block) for link in block.links)
            found[block.id] = (block.ids, without_files(block.content), block.headings, evidence, links)
    return found


def other_text(tree: MemoryTree) -> dict[str, list[str]]:
    """What stands outside blocks and is text, by file."""
    texts = {t.path: [t.text[e.start : e.end] for e in t.elements if e.kind in SUBSTANTIVE] for t in topics(tree)}
    return {path: found for path, found in texts.items() if found}


def lost_links(tree: MemoryTree) -> list[str]:
    """Links that name a block where it does not stand."""
    places = {name: topic.path for topic in topics(tree) for block in topic.blocks for name in block.ids}
    links = ((topic, link) for topic in topics(tree) for block in topic.blocks for link in block.links)
    return [
        f"{topic.path} -> {link.target_path}#^{link.block}"
        for topic, link in links
        if link.block is not None and places.get(link.block) != link.target_path
    ]


def large(tree: MemoryTree, sizes: Sizes = SMALL) -> list[str]:
    return [topic.path for topic in topics(tree) if len(topic.text) > sizes.largest]
