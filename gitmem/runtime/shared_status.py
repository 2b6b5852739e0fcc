"""The state of the memory as somebody sees it who may see only a part: counts of that part, and nothing of the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem import tokens
from gitmem.facts.trust import record_trust
from gitmem.format.layout import CORE_SHARED, GITMEM, SOURCES, TOPICS, is_topic
from gitmem.format.model import TrustState
from gitmem.format.workspace_file import DEFAULT_CORE_MAX_TOKENS, parse_workspace_file
from gitmem.ids import TopicPath
from gitmem.runtime.status import (
    CoreStatus,
    IndexStatus,
    SourcesStatus,
    StatusAnswer,
    TopicsStatus,
    WriterStatus,
    derived_status,
)
from gitmem.store.head import read_head
from gitmem.store.snapshot import Snapshot

if TYPE_CHECKING:
    from gitmem.memory import Memory

_BRANCHES = "refs/heads/"


def shared_status(memory: Memory) -> StatusAnswer:
    """What a reader of a part is told; nothing about edits, writers, autosaves and rescues, which are the owner's."""
    tree, facts = memory.snapshot, memory.facts
    topics = [entry.path for entry in tree.entries(TOPICS) if is_topic(entry.path)]
    found = (tree.archive(entry.path) for entry in tree.entries(SOURCES))
    archives = [archive for archive in found if archive is not None]
    records = [record for archive in archives for record in archive.records]
    tracked = Snapshot.at(memory.repo, memory.commit).read(GITMEM)
    settings = None if tracked is None else parse_workspace_file(tracked)
    core = (tree.read(CORE_SHARED) or b"").decode("utf-8", "replace")
    branch = read_head(memory.repo).branch
    return StatusAnswer(
        workspace_id=None if settings is None else settings.id,
        revision=memory.revision,
        head=memory.commit,
        branch=None if branch is None else branch.removeprefix(_BRANCHES),
        derived=derived_status(memory.repo, memory.commit),
        topics=TopicsStatus(len(topics), sum(len(facts.of_topic(TopicPath(path))) for path in topics)),
        sources=SourcesStatus(
            files=len(archives),
            records=len(records),
            pending=sum(record_trust(facts, record) is TrustState.PENDING for record in records),
            uncited=sum(not facts.citing(record.target) for record in records),
        ),
        dirty=(),
        core=CoreStatus(
            tokens=tokens.count(core) if core else 0,
            budget=DEFAULT_CORE_MAX_TOKENS if settings is None else settings.core_max_tokens,
            left_out=(),
        ),
        writer=WriterStatus(None, None, None, 0),
        autosaves=0,
        rescues=0,
        index=IndexStatus(memory.revision, fresh=True),
    )
